// The store behind PgBouncer in transaction mode, where consecutive transactions may run on different connections.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR, SLOT, slotStart } from '../../../src/domain/time/slot.ts';
import { backfill } from '../../../src/pipeline/backfill/backfill.ts';
import { runDue } from '../../../src/pipeline/schedule/run.ts';
import { openStore } from '../../../src/store/engine/open.ts';
import { migrate } from '../../../src/store/schema/migrate.ts';
import { freshPipeline } from '../../support/pipeline/fresh-pipeline.ts';
import { smallCity } from '../../support/pipeline/small-city.ts';
import { dumpTables } from '../../support/stores/dump-tables.ts';
import { hasPgBouncer, noPgBouncer, startPgBouncer } from '../../support/stores/pgbouncer.ts';
import { noPostgres, postgresUrl, scratchDatabase } from '../../support/stores/store-places.ts';

const now = Date.parse('2026-11-11T12:00:00+08:00');
const skip = (!postgresUrl() && noPostgres) || (!hasPgBouncer() && noPgBouncer);

test('history and live slots come out the same through PgBouncer, with many clients at once', {
  skip,
}, async (t) => {
  const dumps = [];
  for (const isPooled of [false, true]) {
    const { url } = await scratchDatabase(t);
    const databaseUrl = isPooled ? await startPgBouncer(t, url, 2) : url;
    const store = openStore({ databaseUrl, dataDir: '' });
    await migrate(store, 0);
    const pipeline = freshPipeline(store, smallCity(2));
    await backfill(pipeline, { from: now - 5 * HOUR, now });
    const reads = Array.from({ length: 40 }, () =>
      store.all('select count(*) as n from moments where slot <= ?', now),
    );
    const outcomes = await runDue(pipeline, slotStart(now) + SLOT);
    assert.ok(outcomes.length > 0 && outcomes.every(({ outcome }) => outcome === 'ran'));
    const counts = await Promise.all(reads);
    assert.equal(counts.length, 40);
    // The progress of the history has real times in it.
    const { history_progress: _, ...tables } = await dumpTables(store);
    dumps.push(tables);
    await store.close();
  }
  assert.deepEqual(dumps[1], dumps[0]);
});

test('rows that are refused through PgBouncer leave its connections as they were', { skip }, async (t) => {
  const { url } = await scratchDatabase(t, 'schema');
  const store = openStore({ databaseUrl: await startPgBouncer(t, url, 1), dataDir: '' });
  const rows = Array.from({ length: 1_000 }, (_, slot) => ({
    pocket_id: `p${slot}`,
    slot,
    body: 'x'.repeat(5_000),
  }));
  const count = () => store.get<{ n: number }>('select count(*) as n from scenario_outlooks');
  const insert = (table: string, list: object[]) => store.transaction((tx) => tx.insert(table, list));
  for (let round = 0; round < 3; round++) {
    // Refused before the rows are read, while they are, and after the last.
    await assert.rejects(insert('missing', rows), { code: '42P01' });
    await assert.rejects(insert('scenario_outlooks', [{ pocket_id: 'p', slot: 'x', body: '' }, ...rows]), {
      code: '22P02',
    });
    await assert.rejects(insert('scenario_outlooks', [...rows.slice(1), rows[1] ?? {}]), { code: '23505' });
    assert.deepEqual(await count(), { n: 0 });
  }
  await insert('scenario_outlooks', rows.slice(0, 1));
  assert.deepEqual(await count(), { n: 1 });
  await store.close();
});
