import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshPipeline } from '../../../test/support/pipeline/fresh-pipeline.ts';
import { smallCity } from '../../../test/support/pipeline/small-city.ts';
import { openMigratedStore } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import type { StreamEvent } from '../../domain/narration/stream.ts';
import { HOUR, SLOT } from '../../domain/time/slot.ts';
import { backfill } from '../../pipeline/backfill/backfill.ts';
import { runDue } from '../../pipeline/schedule/run.ts';
import type { Store } from '../engine/store.ts';
import { narrationEvents, revealEvents, savingEvents } from './stream.ts';
import {
  eventsOfRun,
  newestStreamRun,
  type StreamRun,
  streamRunsAfter,
  streamRunsUpTo,
} from './stream-runs.ts';

/** Three o'clock at night in Singapore: the attention saved on the day before is recorded. */
const night = Date.parse('2026-11-11T19:00:00Z');

async function collectEvents(store: Store, run: StreamRun, pageSize = 7): Promise<StreamEvent[]> {
  const pages: StreamEvent[][] = [];
  for await (const page of eventsOfRun(store, run, pageSize)) pages.push(page);
  for (const page of pages.slice(0, -1)) assert.equal(page.length, pageSize);
  return pages.flat();
}

const text = (events: readonly object[]) => events.map((event) => JSON.stringify(event)).sort();

describeStores('the runs behind the stream', (makePlace) => {
  test('every event is in the one run that wrote it, also after an outage', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const pipeline = freshPipeline(store, smallCity(2));
    await backfill(pipeline, { from: night - 7 * HOUR, now: night - 3 * HOUR });
    assert.equal(await newestStreamRun(store), undefined, 'the first history is not live');

    const before = { after: 0, until: night, pocket: undefined, limit: 100_000 };
    const all = async () => [
      ...(await narrationEvents(store, before)),
      ...(await revealEvents(store, before)),
      ...(await savingEvents(store, before)),
    ];
    const past = text(await all());
    // Slots are missed, and what can be run late is run late by two workers.
    const other = freshPipeline(store, smallCity(2));
    await runDue(pipeline, night - 3 * HOUR + SLOT);
    await runDue(other, night - HOUR);
    await runDue(pipeline, night);

    const runs = await streamRunsAfter(store, 0, 1000);
    assert.deepEqual(
      runs.map(({ number }) => number),
      runs.map((_, n) => n + 1),
    );
    assert.ok(runs.filter(({ job, ran_at }) => job === 'reveal' && ran_at === night - HOUR).length > 1);
    const sent = (await Promise.all(runs.map((run) => collectEvents(store, run)))).flat();
    const missing = text(await all()).filter((event) => !past.includes(event));
    assert.deepEqual(text(sent), missing);
    assert.ok(sent.length > 20 && new Set(sent.map(({ type }) => type)).size > 1);

    const newest = await newestStreamRun(store);
    assert.deepEqual(newest, runs.at(-1));
    assert.deepEqual(
      await streamRunsUpTo(store, runs.length - 1, night - HOUR, 3),
      runs.slice(-4, -1).reverse(),
    );
  });
});
