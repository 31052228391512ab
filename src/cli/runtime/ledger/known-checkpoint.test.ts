import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sqlitePlace } from '../../../../test/support/stores/store-places.ts';
import { testSigner } from '../../../../test/support/stores/test-key.ts';
import { TEST_TIME } from '../../../../test/support/stores/test-ledger.ts';
import { openStore } from '../../../store/engine/open.ts';
import { ledgerAppender } from '../../../store/ledger/append.ts';
import { latestCheckpoint } from '../../../store/ledger/ledger-reads.ts';
import { migrate } from '../../../store/schema/migrate.ts';
import { checkpointKeeper, knownCheckpoint, removeDrafts } from './known-checkpoint.ts';

async function openLog(t: TestContext) {
  const place = await sqlitePlace('empty');
  const store = openStore(place);
  t.after(async () => {
    await store.close();
    await place.remove();
  });
  await migrate(store, TEST_TIME);
  const grow = async (entries: number) => {
    const append = ledgerAppender(store, testSigner, () => TEST_TIME);
    const size = (await latestCheckpoint(store))?.size ?? 0;
    const rows = Array.from({ length: entries }, (_, n) => ({ id: `entry-${size + n}`, payload: {} }));
    await append((tx, ledger) => ledger.append(tx, 'silence', rows));
  };
  return { store, dataDir: place.dataDir, grow };
}

const files = (dataDir: string) => readdirSync(dataDir).filter((name) => name.startsWith('ledger.'));

test('the newest checkpoint is kept, however many calls come at once, and nothing else', async (t) => {
  const { store, dataDir, grow } = await openLog(t);
  const keep = checkpointKeeper(store, dataDir);
  await keep();
  assert.equal(knownCheckpoint(dataDir), undefined);
  const kept: Promise<void>[] = [];
  for (let n = 0; n < 20; n++) {
    await grow(1);
    kept.push(keep());
  }
  await Promise.all(kept);
  assert.equal(
    readFileSync(join(dataDir, 'ledger.checkpoint'), 'utf8'),
    (await latestCheckpoint(store))?.note,
  );
  assert.deepEqual(files(dataDir), ['ledger.checkpoint']);
});

test('an older checkpoint does not replace a newer one, which another process has kept', async (t) => {
  const [behind, ahead] = [await openLog(t), await openLog(t)];
  await behind.grow(3);
  await ahead.grow(5);
  await checkpointKeeper(ahead.store, behind.dataDir)();
  const keep = checkpointKeeper(behind.store, behind.dataDir);
  await keep();
  assert.equal(knownCheckpoint(behind.dataDir)?.size, 5);
  assert.deepEqual(files(behind.dataDir), ['ledger.checkpoint']);
  await behind.grow(3);
  await keep();
  assert.equal(knownCheckpoint(behind.dataDir)?.size, 6);
});

test('what killed processes have left is removed, and nothing that another one writes', async (t) => {
  const { dataDir } = await openLog(t);
  const left = [
    'ledger.checkpoint.0b8c1d9e-5a52-4c0f-8a0e-6a6de1d7f3c1',
    'ledger.checkpoint.4194305-0',
    'ledger.key.4194305-1',
  ];
  const others = [
    'ledger.checkpoint',
    'ledger.checkpoint.old',
    `ledger.checkpoint.${process.pid}-0`,
    'ledger.key.2f1a90c4',
  ];
  for (const name of [...left, ...others]) writeFileSync(join(dataDir, name), '');
  removeDrafts(dataDir);
  assert.deepEqual(files(dataDir).sort(), others.toSorted());
  removeDrafts(join(dataDir, 'nothing'));
  mkdirSync(join(dataDir, 'nothing'));
  removeDrafts(join(dataDir, 'nothing'));
});
