import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { describeStores, type MakePlace } from '../../../../test/support/stores/store-places.ts';
import { readConfig } from '../../../config.ts';
import { openStore } from '../../../store/engine/open.ts';
import { currentKey } from '../../../store/ledger/ledger-keys.ts';
import { migrate } from '../../../store/schema/migrate.ts';
import { availableKey, createKeyFile, ledgerSigner } from './ledger-key.ts';

/** Reads the key of each folder as soon as its file exists, and reports how many of them were not complete. */
const reader = `
  const { readFileSync } = require('node:fs');
  const { parentPort, workerData } = require('node:worker_threads');
  parentPort.postMessage('ready');
  let incomplete = 0;
  for (const folder of workerData.folders) {
    for (;;) {
      try {
        if (!readFileSync(folder + '/ledger.key', 'utf8').endsWith('-----\\n')) incomplete += 1;
        break;
      } catch {}
    }
  }
  parentPort.postMessage(incomplete);
`;

test('a process that starts at the same time never reads a part of the key', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'pocketwatch-key-'));
  t.after(() => rmSync(root, { recursive: true }));
  const folders = Array.from({ length: 400 }, (_, i) => join(root, String(i)));
  for (const folder of folders) mkdirSync(folder);
  const worker = new Worker(reader, { eval: true, workerData: { folders } });
  await once(worker, 'message');
  const incomplete = once(worker, 'message');
  for (const folder of folders) createKeyFile(readConfig({ DATA_DIR: folder }));
  assert.deepEqual(await incomplete, [0]);
});

test('the key is created once, readable by its owner alone', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'pocketwatch-key-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const config = readConfig({ DATA_DIR: folder });
  const created = createKeyFile(config);
  for (const key of [createKeyFile(config), availableKey(config)]) assert.ok(key && created.equals(key));
  assert.deepEqual(readdirSync(folder), ['ledger.key']);
  assert.equal(statSync(join(folder, 'ledger.key')).mode & 0o777, 0o600);
});

/** A migrated store, and as many data folders beside it as asked for. */
async function storeWithFolders(t: TestContext, makePlace: MakePlace, count: number) {
  const place = await makePlace();
  const store = openStore(place);
  await migrate(store, 0);
  const folders = Array.from({ length: count }, () => mkdtempSync(join(tmpdir(), 'pocketwatch-key-')));
  t.after(async () => {
    await store.close();
    await place.remove();
    for (const folder of folders) rmSync(folder, { recursive: true });
  });
  return { store, folders };
}

const isRefusal = (message: RegExp) => (error: Error) => {
  assert.equal(error.name, 'ConfigError');
  assert.match(error.message, message);
  assert.ok(!error.message.includes('\n'));
  return true;
};

describeStores('the key of a store', (makePlace) => {
  test('of two data folders that start together one decides the key, and the other is refused', async (t) => {
    const { store, folders } = await storeWithFolders(t, makePlace, 2);
    const starts = await Promise.allSettled(
      folders.map((folder) => ledgerSigner(readConfig({ DATA_DIR: folder }), store)),
    );
    const [signer] = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
    const [refusal, ...others] = starts.flatMap((start) =>
      start.status === 'rejected' ? [start.reason] : [],
    );
    assert.ok(signer && refusal && others.length === 0);
    assert.ok(isRefusal(/ledger\.key is missing, but the ledger already has the key [0-9a-f]{8}/)(refusal));
    assert.deepEqual(
      folders.flatMap((folder) => readdirSync(folder)),
      ['ledger.key'],
    );
    const { key_id, origin, verifier_key } = (await currentKey(store)) ?? assert.fail();
    assert.deepEqual([key_id, origin, verifier_key], [signer.keyId, 'pocketwatch', signer.verifierKey]);
  });

  test('another key, another origin and a lost key file are refused with what to set', async (t) => {
    const { store, folders } = await storeWithFolders(t, makePlace, 2);
    const [folder = '', other = ''] = folders;
    const own = readConfig({ DATA_DIR: folder });
    const { keyId } = await ledgerSigner(own, store);
    assert.equal((await ledgerSigner(own, store)).keyId, keyId);

    createKeyFile(readConfig({ DATA_DIR: other }));
    const differs = new RegExp(`has the key [0-9a-f]{8}, but the ledger's key is ${keyId}: set LEDGER_KEY`);
    await assert.rejects(ledgerSigner(readConfig({ DATA_DIR: other }), store), isRefusal(differs));
    const LEDGER_KEY = readFileSync(join(other, 'ledger.key'), 'utf8');
    await assert.rejects(
      ledgerSigner(readConfig({ DATA_DIR: folder, LEDGER_KEY }), store),
      isRefusal(differs),
    );
    await assert.rejects(
      ledgerSigner(readConfig({ DATA_DIR: folder, LEDGER_ORIGIN: 'watch.example' }), store),
      isRefusal(
        /^LEDGER_ORIGIN is 'watch\.example', but this ledger is 'pocketwatch': set LEDGER_ORIGIN=pocketwatch$/,
      ),
    );

    const kept = readFileSync(join(folder, 'ledger.key'), 'utf8');
    rmSync(join(folder, 'ledger.key'));
    await assert.rejects(
      ledgerSigner(own, store),
      isRefusal(/is missing, .*restore the file, set LEDGER_KEY, or/),
    );
    assert.deepEqual(readdirSync(folder), []);
    const set = readConfig({ DATA_DIR: folder, LEDGER_KEY: kept });
    assert.equal((await ledgerSigner(set, store)).keyId, keyId);
  });
});
