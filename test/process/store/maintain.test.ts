// `pocketwatch maintain`: which rows go, which stay, and what answers and verifiers say afterwards.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { DAY, HOUR, SLOT } from '../../../src/domain/time/slot.ts';
import { runDue } from '../../../src/pipeline/schedule/run.ts';
import { openStore } from '../../../src/store/engine/open.ts';
import type { Store } from '../../../src/store/engine/store.ts';
import { writeOutletActivity } from '../../../src/store/observation/outlet-activity.ts';
import { signalTables } from '../../../src/store/observation/signal-retention.ts';
import { httpFetch } from '../../../src/verify/http-fetch.ts';
import { freshPipeline } from '../../support/pipeline/fresh-pipeline.ts';
import { smallCity } from '../../support/pipeline/small-city.ts';
import { run, runHere, serviceEnvironment, start } from '../../support/services/processes.ts';
import { startService } from '../../support/services/service.ts';
import { verifyLedger } from '../../support/services/verify-ledger.ts';
import { dumpTables } from '../../support/stores/dump-tables.ts';
import { onServer } from '../../support/stores/postgres-admin.ts';
import { describeStores, type MakePlace } from '../../support/stores/store-places.ts';
import { change } from '../../support/stores/tamper-ledger.ts';

/** The history of some hours ends here; the newest signals are 200 days later, all before any machine's clock. */
const THEN = Date.parse('2025-03-05T04:00:00Z');
const NEWEST = THEN + 200 * DAY;
const KEPT_FROM = '2025-03-15T00:00:00.000Z';
const OLDER = 3000;

/** Some history, many old rows of outlets, and a few signals that are kept. */
async function oldStore(t: TestContext, makePlace: MakePlace, hours = 2) {
  const registry = smallCity(2);
  const place = await makePlace('empty');
  const service = await startService(t, { place, registry, now: THEN, days: hours / 24 });
  const pocket_id = registry.pockets[0]?.id ?? '';
  await service.store.transaction(async (tx) => {
    const snapshot = { completeness_milli: 1000, substrate: 1, provenance: '{}' };
    for (const slot of [NEWEST, NEWEST - DAY])
      await tx.insert('env_snapshots', [{ slot, pocket_id, ...snapshot }]);
    const counted = (slot: number, n: number) => ({ slot, outlet_id: `outlet-${n}`, activity: 0.5 });
    await writeOutletActivity(tx, [
      ...Array.from({ length: OLDER }, (_, n) => counted(THEN - 30 * DAY - n * SLOT, n)),
      counted(NEWEST, 0),
    ]);
  });
  return {
    ...service,
    pocket_id,
    place,
    registry,
    environment: { ...serviceEnvironment(place), KEEP_SIGNALS_DAYS: '190' },
  };
}

type Counts = Record<string, number>;

async function countRows(store: Store): Promise<Counts> {
  const counts: Counts = {};
  for (const table of signalTables)
    counts[table] = (await store.get<{ n: number }>(`select count(*) as n from ${table}`))?.n ?? 0;
  return counts;
}

const kept: Counts = { env_snapshots: 2, provenance_packs: 0, outlet_activity: 1, citizen_senses: 0 };
type Environment = Record<string, string>;
const maintain = (t: TestContext, environment: Environment, ...options: string[]) =>
  runHere(t, ['maintain', '--json', ...options], environment);

describeStores('maintain', (makePlace, engine) => {
  test('removes old signals and nothing else; answers and verify say so', async (t) => {
    const { store, url, clock, pocket_id, environment } = await oldStore(t, makePlace, 8);
    const before = await dumpTables(store);
    const rows = await countRows(store);
    assert.ok((rows.env_snapshots ?? 0) > 50, JSON.stringify(rows));
    const removed = Object.fromEntries(
      signalTables.map((table) => [table, (rows[table] ?? 0) - (kept[table] ?? 0)]),
    );

    // A new store has those of the next months, and what it was made with has no end in sight.
    const months = engine === 'postgres' ? { partitions: { made: [], dropped: [], busy: [] } } : {};

    const foretold = await maintain(t, environment, '--dry-run');
    assert.equal(foretold.status, 0, foretold.stderr);
    assert.deepEqual(JSON.parse(foretold.stdout), {
      kept_from: KEPT_FROM,
      removed,
      ...months,
      dry_run: true,
    });
    assert.deepEqual(await countRows(store), rows);

    const done = await maintain(t, environment, ...(engine === 'sqlite' ? ['--vacuum'] : []));
    assert.equal(done.status, 0, done.stderr);
    assert.deepEqual(JSON.parse(done.stdout), { kept_from: KEPT_FROM, removed, ...months, dry_run: false });
    assert.deepEqual(await countRows(store), kept);
    const after = await dumpTables(store);
    for (const [table, all] of Object.entries(before))
      if (!['signal_retention', ...signalTables].includes(table)) assert.deepEqual(after[table], all, table);

    const again = await maintain(t, environment);
    assert.deepEqual(Object.values(JSON.parse(again.stdout).removed), [0, 0, 0, 0]);
    // What was let go stays so.
    const forever = await maintain(t, { ...environment, KEEP_SIGNALS_DAYS: 'forever' });
    assert.equal(JSON.parse(forever.stdout).kept_from, KEPT_FROM);

    const verdict = await verifyLedger({ fetch: httpFetch(url), api: httpFetch(url, 'api') });
    assert.ok(verdict.ok, JSON.stringify(verdict));
    const { figures, tables, signals_from } = verdict;
    assert.deepEqual([figures, tables, signals_from], ['compared', 'compared', KEPT_FROM]);
    const copy = await makePlace('empty');
    t.after(copy.remove);
    const file = join(copy.dataDir, 'copy');
    const saved = await runHere(t, ['backup', file], environment);
    assert.equal(saved.status, 0, saved.stderr);
    const restored = await runHere(t, ['restore', file], serviceEnvironment(copy));
    assert.equal(restored.status, 0, restored.stderr);

    // A snapshot that is missing although it is said to be kept is a fault.
    await change(store, 'update signal_retention set kept_from = 0');
    const fault = await verifyLedger({ fetch: httpFetch(url) });
    assert.ok(!fault.ok && fault.code === 'wrong_row', JSON.stringify(fault));
    assert.equal(fault.message, 'env_snapshots has no row of the entry');
    await change(store, 'update signal_retention set kept_from = ?', Date.parse(KEPT_FROM));

    clock.now = THEN + SLOT;
    const ask = async (path: string) =>
      (await fetch(`${url}${path}`)).json() as Promise<Record<string, unknown>>;
    const date = new Date(THEN).toISOString().slice(0, 10);
    const signals = await ask(`/api/pocket-signals?pocket=${pocket_id}&date=${date}`);
    assert.deepEqual([signals.kept_from, signals.measured], [KEPT_FROM, []]);
    const provenance = await ask(
      `/api/provenance?pocket=${pocket_id}&at=${new Date(THEN - HOUR).toISOString()}`,
    );
    assert.equal(provenance.note, 'whatever was measured in that quarter hour is no longer kept.');
    assert.notEqual(provenance.reading, null);
    const day = (await ask(`/api/pocket-date?pocket=${pocket_id}&date=${date}`)) as {
      reading_count: number;
      decisions: { kind: string; reason: string }[];
    };
    assert.ok(day.reading_count > 0);
    const unknown = day.decisions.filter(({ kind }) => kind === 'no_moment').map(({ reason }) => reason);
    assert.deepEqual([...new Set(unknown)], unknown.length ? ['not_kept'] : []);
    const page = await (await fetch(`${url}/pocket/${pocket_id}/${date}`)).text();
    assert.match(page, /Whatever was measured in these hours is no longer kept\./);
  });

  test('keeps everything by default, 400 days on a server, and says what a setting must be', async (t) => {
    const { store, environment } = await oldStore(t, makePlace);
    const rows = await countRows(store);
    const { KEEP_SIGNALS_DAYS: _, ...byDefault } = environment;
    const keptFrom = async () => JSON.parse((await maintain(t, byDefault)).stdout).kept_from;
    assert.equal(await keptFrom(), null);
    assert.deepEqual(await countRows(store), rows);
    await store.transaction((tx) =>
      writeOutletActivity(tx, [{ slot: NEWEST - 401 * DAY, outlet_id: 'outlet', activity: 0.5 }]),
    );
    assert.equal(await keptFrom(), engine === 'sqlite' ? null : '2024-08-17T00:00:00.000Z');
    assert.equal(
      (await countRows(store)).outlet_activity,
      (rows.outlet_activity ?? 0) + (engine === 'sqlite' ? 1 : 0),
    );
    const refused = await maintain(t, { ...environment, KEEP_SIGNALS_DAYS: '189' });
    assert.deepEqual(
      [refused.status, refused.stderr],
      [
        1,
        "pocketwatch: KEEP_SIGNALS_DAYS must be 'forever' or an integer 190-36500: reports and answers look back that far (it is '189')\n",
      ],
    );
    if (engine === 'postgres') assert.equal((await maintain(t, environment, '--vacuum')).status, 2);
  });

  test('killed at any moment and run by several processes at once, it ends as one run would', async (t) => {
    const { store, url, environment } = await oldStore(t, makePlace);
    for (const ms of [300, 600, 900]) {
      const { child, closed } = start(['maintain'], environment);
      await delay(ms);
      child.kill('SIGKILL');
      await closed;
    }
    const done = await Promise.all([1, 2, 3].map(() => run(['maintain'], environment)));
    for (const { status, stderr } of done) assert.equal(status, 0, stderr);
    assert.deepEqual(await countRows(store), kept);
    const verdict = await verifyLedger({ fetch: httpFetch(url) });
    assert.ok(verdict.ok, JSON.stringify(verdict));
  });

  if (engine === 'postgres')
    test('is refused to a role that may not delete, under which slots are written all the same', async (t) => {
      const { store, place, environment, registry } = await oldStore(t, makePlace);
      const server = place.databaseUrl ?? assert.fail();
      const role = `worker_${process.pid}`;
      await onServer(
        server,
        `create role ${role} login password 'worker';
         grant select, insert, update, delete on all tables in schema public to ${role};
         revoke delete on ${signalTables.join(', ')} from ${role};
         revoke insert, update on signal_retention from ${role}`,
      );
      try {
        const address = new URL(server);
        [address.username, address.password] = [role, 'worker'];
        const rows = await countRows(store);
        const refused = await maintain(t, { ...environment, DATABASE_URL: address.href });
        assert.equal(refused.status, 1);
        assert.equal(
          refused.stderr,
          'pocketwatch: permission denied for table signal_retention; check DATABASE_URL and the rights of its role\n',
        );
        assert.deepEqual(await countRows(store), rows);
        const worker = openStore({ ...place, databaseUrl: address.href });
        const slot = THEN + SLOT;
        for (const { outcome, error } of await runDue(
          freshPipeline(worker, registry, () => slot),
          slot,
        ))
          assert.equal(outcome, 'ran', String(error));
        await worker.close();
        assert.equal((await countRows(store)).env_snapshots, (rows.env_snapshots ?? 0) + 2);
      } finally {
        await onServer(server, `drop owned by ${role}; drop role ${role}`);
      }
    });
});
