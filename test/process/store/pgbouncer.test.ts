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
