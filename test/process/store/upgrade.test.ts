// Stores of released versions: upgraded with a kill at every step, verified, and carried on.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { Client } from 'pg';
import { SLOT, slotStart } from '../../../src/domain/time/slot.ts';
import { openStore, type StoreSettings, sqliteFile } from '../../../src/store/engine/open.ts';
import { schemaFiles, schemaNumber } from '../../../src/store/engine/schema-files.ts';
import type { Reader } from '../../../src/store/engine/store.ts';
import { migrate, migrationStatus } from '../../../src/store/schema/migrate.ts';
import { smallRegistry } from '../../support/pipeline/small-registry.ts';
import { currentSubmission } from '../../support/rows/benchmark-submission.ts';
import { post } from '../../support/services/http-client.ts';
import { eventually } from '../../support/services/operator-commands.ts';
import { readiness, runHere, serve, shiftedClocks } from '../../support/services/processes.ts';
import { keyPem, savedPockets, savedVersions, unpackSaved } from '../../support/stores/saved-stores.ts';
import { describeStores, type Engine, type MakePlace } from '../../support/stores/store-places.ts';

const [pocket = ''] = savedPockets;
/** On a busy machine; a slot of two pockets takes a fraction of a second. */
const SLOT_WRITTEN_MS = 60_000;
/** The same of a process that asks for the schema's number twice a second. */
const NOTICED_MS = 10_000;
const isWhole = process.env.FAULTS === 'all';
/** Kills may come before every file, batch and commit, and before every so many statements within them; in `npm run faults` before all. */
const EVERY = isWhole ? 1 : 40;
/** Before so many of these steps there is one kill: each takes a process, and all take the same way. */
const STRIDE = isWhole ? 1 : 6;
const killedUpgrade = join(import.meta.dirname, '../../support/stores/killed-upgrade.ts');

async function restoreSaved(t: TestContext, makePlace: MakePlace, engine: Engine, version: string) {
  const { remove, ...place } = await makePlace('empty');
  t.after(remove);
  const environment = {
    DATA_DIR: place.dataDir,
    CITY_DIR: smallRegistry(place.dataDir, savedPockets),
    LEDGER_KEY: keyPem('second'),
    ...(place.databaseUrl && { DATABASE_URL: place.databaseUrl }),
  };
  const file = unpackSaved(version, engine, place.dataDir);
  const { status, stderr } = await runHere(t, ['restore', file], environment);
  assert.equal(status, 0, stderr);
  return { place, environment };
}

/**
 * Only the oldest store is killed everywhere: the others take a part of its way, and are killed in its first transaction.
 * In `npm run faults` they are all killed everywhere.
 */
const isKilledThroughout = (version: string) => isWhole || version === savedVersions[0];

/** Upgrades with a kill before each step; how many there were, and of how many transactions. */
async function killUpgrade(place: StoreSettings, isThroughout: boolean) {
  const found = { kills: 0, transactions: 0 };
  for (let step = 1; isThroughout || found.transactions === 0; step += STRIDE) {
    const child = spawn(process.execPath, [killedUpgrade, JSON.stringify(place), `${EVERY}`, `${step}`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said, [status]] = await Promise.all([text(child.stdout), once(child, 'close')]);
    if (status === 0) break;
    assert.equal(child.signalCode, 'SIGKILL');
    found.kills += 1;
    if (said === '') continue;
    found.transactions += 1;
    // Nothing of the next transaction was done when it died: that was its first step. After it comes another in each.
    step = 2 + (found.transactions % STRIDE) - STRIDE;
  }
  return found;
}

const newestReading = async (store: Reader): Promise<number> =>
  (await store.get<{ slot: number }>('select max(slot) as slot from atmosphere_readings'))?.slot ?? 0;

const reasonOf = async (reply: Response) => ((await reply.json()) as { error: string }).error;

describeStores('the store of a released version', (makePlace, engine) => {
  for (const version of savedVersions)
    test(`${version} survives a kill at every step of its upgrade, verifies, and goes on`, async (t) => {
      const { place, environment } = await restoreSaved(t, makePlace, engine, version);
      const store = openStore(place);
      const { missing_count: missing } = await migrationStatus(store);
      const log = await store.all('select * from ledger_checkpoints order by size');
      // The service lives soon after the store was saved: it would else catch up every quarter hour since.
      const shift = (await newestReading(store)) + 2 * SLOT - Date.now();
      await store.close();
      const foretold = await runHere(t, ['migrate', '--dry-run'], environment);
      assert.match(
        foretold.stdout,
        missing ? /would be upgraded:\n {2}\d{3}_.*backup FILE/s : /is up to date/,
      );

      const isThroughout = isKilledThroughout(version);
      const { kills, transactions } = await killUpgrade(place, isThroughout);
      t.diagnostic(`${kills} kills, ${transactions} transactions`);
      const least = isWhole
        ? schemaFiles.length - 9 + 2 * transactions
        : transactions + (isThroughout ? 4 : 2);
      assert.ok(kills >= (missing ? least : 0), `${kills} kills`);
      // What is left.
      const { status: done, stderr } = await runHere(t, ['migrate'], environment);
      assert.equal(done, 0, stderr);

      const service = await serve(t, { ...environment, NODE_OPTIONS: shiftedClocks(`() => ${shift}`) });
      const status = await fetch(`${service.url}/api/migration-status`);
      assert.equal(((await status.json()) as { all_applied: boolean }).all_applied, true);
      const verified = await runHere(t, ['verify', service.url, '--json']);
      assert.equal(verified.status, 0, verified.stdout + verified.stderr);
      const upgraded = openStore(place);
      t.after(() => upgraded.close());
      const checkpoints = await upgraded.all('select * from ledger_checkpoints order by size');
      assert.deepEqual(checkpoints.slice(0, log.length), log);
      await eventually(
        async () => (await newestReading(upgraded)) >= slotStart(Date.now() + shift),
        SLOT_WRITTEN_MS,
      );

      // Of the schema of this program, whichever version it comes from.
      if (version !== savedVersions.at(-1)) return;
      await t.test(
        'a running process of an older version writes nothing and answers what it can read',
        async () => {
          const progress = { key: 'change', done: 3, total: 9 };
          const row = { ...progress, position: '', began_at: 1, updated_at: 1, finished: 0 };
          await upgraded.transaction((tx) => tx.insert('schema_batches', [row]));
          assert.deepEqual((await readiness(service.url)).upgrade, progress);
          const upgradeBy = (number: number, sql: string) =>
            migrate(upgraded, 2, {
              files: [...schemaFiles, ...added, { key: `${number}_next`, sql, hash: sql }],
            });
          const added: (typeof schemaFiles)[number][] = [];
          await upgradeBy(900, 'create table next (id integer);');
          await eventually(async () => (await readiness(service.url)).reason !== undefined, NOTICED_MS);
          const ready = await readiness(service.url);
          assert.deepEqual(
            [ready.status, ready.reason],
            [
              200,
              'the store was upgraded by a newer version: this process writes nothing until it is restarted as that version',
            ],
          );
          const page = `/api/atmosphere?pocket=${pocket}`;
          assert.equal((await fetch(service.url + page)).status, 200);
          const heartbeat = await (await fetch(`${service.url}/api/heartbeat`)).text();
          assert.match(heartbeat, /restart this process as that version/);
          const refused = await post(
            `${service.url}/api/benchmark/submit`,
            currentSubmission(pocket, Date.now() + shift),
          );
          assert.deepEqual([refused.status, refused.json<{ error: string }>().error], [503, ready.reason]);
          assert.equal(
            (await runHere(t, ['tick'], environment)).stderr,
            `pocketwatch: ${upgraded.location} was upgraded to schema 900 by a newer version, and this one knows schema ${schemaNumber}: ` +
              'start the newer version, or restore a backup made before the upgrade\n',
          );
          added.push({ key: '900_next', sql: '', hash: 'create table next (id integer);' });
          await upgradeBy(901, '-- readable from: 901\nalter table next add column x integer;');
          await eventually(async () => (await readiness(service.url)).status === 503, NOTICED_MS);
          const reason =
            'the store was upgraded by a newer version, and this process cannot read it: restart it as that version';
          assert.equal((await readiness(service.url)).reason, reason);
          const reply = await fetch(`${service.url}/api/atmosphere?pocket=${savedPockets[1]}`);
          assert.deepEqual([reply.status, await reasonOf(reply)], [503, reason]);
        },
      );
    });

  test('0.1.0 is not upgraded while a process of that version has it open', async (t) => {
    const { place } = await restoreSaved(t, makePlace, engine, '0.1.0');
    const store = openStore(place);
    t.after(() => store.close());
    const leave = await (engine === 'sqlite' ? enterFile(sqliteFile(place.dataDir)) : enterDatabase(place));
    await assert.rejects(migrate(store, 1, { inUseTimeoutMs: 200 }), {
      name: 'InUseError',
      message: /stop .*, make a backup, and start again$/,
    });
    assert.equal((await migrationStatus(store)).missing_count, schemaFiles.length - 9);
    await leave();
    assert.equal((await migrate(store, 1)).length, schemaFiles.length - 9);
  });
});

async function enterFile(file: string) {
  const other = new DatabaseSync(file);
  other.prepare('select 1 from store_revision').get();
  return async () => other.close();
}

async function enterDatabase({ databaseUrl = '' }: { databaseUrl: string | undefined }) {
  const other = new Client({ connectionString: databaseUrl, application_name: 'pocketwatch' });
  await other.connect();
  await other.query('select 1 from store_revision');
  return () => other.end();
}
