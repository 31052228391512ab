// Backups of every moment between two jobs, and copies that a restore refuses because their log was altered.

import assert from 'node:assert/strict';
import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { faultOfLog } from '../../../src/cli/runtime/ledger/fault-of-log.ts';
import { HOUR, SLOT } from '../../../src/domain/time/slot.ts';
import { backfill } from '../../../src/pipeline/backfill/backfill.ts';
import type { PipelineContext } from '../../../src/pipeline/core/context.ts';
import { runDue } from '../../../src/pipeline/schedule/run.ts';
import { schedule } from '../../../src/pipeline/schedule/schedule.ts';
import { storeBackup } from '../../../src/store/engine/backup.ts';
import { openStore } from '../../../src/store/engine/open.ts';
import type { Store } from '../../../src/store/engine/store.ts';
import { migrate } from '../../../src/store/schema/migrate.ts';
import { freshPipeline } from '../../support/pipeline/fresh-pipeline.ts';
import { runHere, serviceEnvironment } from '../../support/services/processes.ts';
import { NOON } from '../../support/services/service.ts';
import { verifyLedger } from '../../support/services/verify-ledger.ts';
import { onServer } from '../../support/stores/postgres-admin.ts';
import { describeStores, type MakePlace, type StorePlace } from '../../support/stores/store-places.ts';
import { editPayload, storedEntries } from '../../support/stores/stored-entries.ts';
import { change, dropGuards, rewriteLog } from '../../support/stores/tamper-ledger.ts';
import { figuresFetcher, ledgerFetcher, registry } from '../../verify/stored-log.ts';

/** Which of the copies between two jobs are made, each of which is verified; in `npm run faults` all. On PostgreSQL each takes seconds. */
const EVERY = process.env.FAULTS === 'all' ? { sqlite: 1, postgres: 1 } : { sqlite: 3, postgres: 6 };
/** Of history, before the slots that a test runs. */
const HISTORY = 4 * HOUR;

/** A store with some hours of history, in a place of its own. */
async function filledStore(t: TestContext, makePlace: MakePlace) {
  const place = await makePlace();
  const store = openStore(place);
  t.after(async () => {
    await store.close();
    await place.remove();
  });
  await migrate(store, NOON);
  const clock = { now: NOON };
  const pipeline = freshPipeline(store, registry, () => clock.now);
  await backfill(pipeline, { from: NOON - HISTORY, now: NOON });
  return { place, store, clock, pipeline };
}

/** Runs the first job that is due, as a process does that is told to stop while the job runs; undefined when none is. */
async function runNextJob(pipeline: PipelineContext, now: number): Promise<string | undefined> {
  const stop = new AbortController();
  const { store } = pipeline;
  const transaction: Store['transaction'] = (work, changes) => {
    stop.abort();
    return store.transaction(work, changes);
  };
  const outcomes = await runDue(
    { ...pipeline, store: { ...store, transaction } },
    now,
    schedule,
    stop.signal,
  );
  assert.ok(outcomes.length < 2);
  for (const { outcome, error } of outcomes) assert.equal(outcome, 'ran', String(error));
  return outcomes[0]?.job;
}

const listTables = async (databaseUrl: string): Promise<string[]> =>
  (
    await onServer<{ name: string }>(
      databaseUrl,
      "select relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace where nspname = 'public'",
    )
  ).map(({ name }) => name);

/** What a store has in its place, beside the file that names the city. */
async function leftBehind({ databaseUrl, dataDir }: StorePlace): Promise<string[]> {
  const files = readdirSync(dataDir).filter((name) => name.startsWith('pocketwatch.sqlite'));
  return databaseUrl ? [...files, ...(await listTables(databaseUrl))] : files;
}

describeStores('a copy of a store', (makePlace, engine) => {
  test('taken between any two jobs verifies, in a usual slot and while an outage is caught up', async (t) => {
    const { place, clock, pipeline } = await filledStore(t, makePlace);
    const copies = async (what: string) => {
      const copied = join(place.dataDir, 'copy');
      const target = await makePlace('empty');
      await storeBackup(place, process.env).backup(`${copied}-${what}`);
      await storeBackup(target, process.env).restore(`${copied}-${what}`, async () => undefined);
      const store = openStore(target);
      try {
        assert.equal(await faultOfLog(store, { tables: true }), undefined);
        const [fetch, api] = [ledgerFetcher(store, clock.now), figuresFetcher(store, clock.now)];
        const verdict = await verifyLedger({ fetch, api, settle: 0 });
        assert.ok(verdict.ok, `${what}: ${JSON.stringify(verdict)}`);
        assert.equal(verdict.figures, 'compared');
      } finally {
        await store.close();
        await target.remove();
      }
    };
    const jobs = new Map<number, string[]>();
    let made = 0;
    // The slot between these is missed.
    for (const slots of [1, 3]) {
      clock.now = NOON + slots * SLOT + 2125;
      const ran: string[] = [];
      for (
        let job = await runNextJob(pipeline, clock.now);
        job;
        job = await runNextJob(pipeline, clock.now)
      ) {
        ran.push(job);
        made += 1;
        if (made % EVERY[engine] === 0) await copies(`${slots}-${ran.length}-${job}`);
      }
      jobs.set(slots, ran);
    }
    const references = [...jobs.values()].map((ran) => ran.filter((job) => job === 'benchmark').length);
    assert.deepEqual(references, [1, 2]);
  });

  test('is refused where an entry was altered, and nothing is left behind', async (t) => {
    const { place, store } = await filledStore(t, makePlace);
    const files = join(place.dataDir, 'copy');
    const copy = async (name: string) => {
      const done = await runHere(t, ['backup', `${files}-${name}`], serviceEnvironment(place));
      assert.equal(done.status, 0, done.stderr);
    };
    await copy('honest');
    const target = await makePlace('empty');
    t.after(() => target.remove());
    const restore = (name: string) => runHere(t, ['restore', `${files}-${name}`], serviceEnvironment(target));
    await dropGuards(store);
    const refused = async (name: string, reason: RegExp) => {
      await copy(name);
      const { status, stderr } = await restore(name);
      assert.equal(status, 1, name);
      assert.match(stderr, reason);
      assert.equal(stderr.split('\n').length, 2, stderr);
      assert.deepEqual(await leftBehind(target), [], name);
    };
    const predictions = await storedEntries(store, 'prediction');
    const { leaf, id, payload } = predictions.find((entry) => entry.leaf > 40) ?? assert.fail();
    const put = (text: string) => editPayload(store, leaf, text);
    await put(payload.replace(/"confidence":[0-9.]+/, '"confidence":0.123'));
    await refused(
      'edited',
      new RegExp(`^pocketwatch: .*copy-edited is refused, .* leaf ${leaf}, ${id}: .*\\(wrong_leaf\\)\n`),
    );
    await put(payload);
    await change(store, "insert into ledger_entries select size, 'silence', 'more', '{}' from ledger_size");
    await refused('longer', /it has (\d+) entries, but its checkpoint covers \d+\n/);
    await change(store, "delete from ledger_entries where id = 'more'");
    // The log is right, and what the service would publish is not.
    await dropGuards(store, ['silence_figures']);
    const first = '(select min(leaf) from silence_figures)';
    await change(store, `update silence_figures set reason = reason % 17 + 1 where leaf = ${first}`);
    await refused('retold', /: silences\.reason is "\w+", but the entry gives "\w+" \(wrong_row\)\n/);
    const accepted = await makePlace('empty');
    t.after(() => accepted.remove());
    const lossy = ['restore', `${files}-retold`, '--accept-loss'];
    assert.equal((await runHere(t, lossy, serviceEnvironment(accepted))).status, 0);

    const done = await restore('honest');
    assert.equal(done.status, 0, done.stderr);
    assert.ok((await leftBehind(target)).length > 0);
  });

  test('is refused where its log was written anew and a checkpoint of the true one is known', async (t) => {
    const { place, store } = await filledStore(t, makePlace);
    const copied = join(place.dataDir, 'copy');
    await runHere(t, ['backup', `${copied}-honest`], serviceEnvironment(place));
    await dropGuards(store);
    await rewriteLog(store, (entries) =>
      entries.map((entry) =>
        entry.type === 'silence'
          ? { ...entry, payload: { ...entry.payload, candidate_confidence: 0.1 } }
          : entry,
      ),
    );
    await runHere(t, ['backup', `${copied}-anew`], serviceEnvironment(place));
    const target = await makePlace('empty');
    t.after(() => target.remove());
    copyFileSync(`${copied}-honest.checkpoint`, join(target.dataDir, 'ledger.checkpoint'));
    const { status, stderr } = await runHere(t, ['restore', `${copied}-anew`], serviceEnvironment(target));
    assert.equal(status, 1);
    assert.match(stderr, /\(rewritten\)\n$/);
    assert.deepEqual(await leftBehind(target), []);
  });
});
