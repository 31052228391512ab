import assert from 'node:assert/strict';
import { test } from 'node:test';
import { historyNotBegun } from '../../../domain/text/history-progress.ts';
import { SLOT } from '../../../domain/time/slot.ts';
import type { AppContext } from '../../../http/answers/app-context.ts';
import { createMetrics } from '../../../metrics/metrics.ts';
import { noStore } from '../../../store/engine/open.ts';
import { addStoreMetrics } from './store-metrics.ts';

const NOON = Date.parse('2026-11-11T04:00:00Z');
const complete = { ...historyNotBegun, finished: true, total: 2, done: 2 };

test('what is not known of the store has no sample', async () => {
  const reachable = {
    unreachableSince: () => null,
    newestReading: () => NOON - 2 * SLOT,
    history: () => complete,
  };
  const table: [
    what: string,
    changes: Partial<AppContext['dataVersion']>,
    up: number,
    lag: number | undefined,
  ][] = [
    ['a reading is late', {}, 1, SLOT / 1000],
    ['a reading of the future', { newestReading: () => NOON + SLOT }, 1, 0],
    ['no reading', { newestReading: () => null }, 1, undefined],
    [
      'a first history that is being written',
      { history: () => ({ ...complete, finished: false }) },
      1,
      undefined,
    ],
    ['a store that is away', { unreachableSince: () => NOON - 1 }, 0, undefined],
  ];
  for (const [what, changes, up, lag] of table) {
    const metrics = createMetrics();
    const dataVersion = { ...reachable, ...changes } as AppContext['dataVersion'];
    // Every statement fails.
    const context = { store: noStore(), dataVersion, now: () => NOON, registry: {}, substrate: 'live' };
    await addStoreMetrics(metrics, context as unknown as AppContext, '/nowhere')();
    const text = metrics.text();
    const value = (name: string) => new RegExp(`^pocketwatch_${name} (\\S+)$`, 'm').exec(text)?.[1];
    assert.equal(value('store_up'), `${up}`, what);
    assert.equal(value('lag_seconds'), lag === undefined ? undefined : `${lag}`, what);
    assert.doesNotMatch(text, /_(store_size|store_disk|log|feed)_/, what);
  }
});
