import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, SLOT } from '../time/slot.ts';
import { type HistoryRecord, historyNotBegun, historyProgress, historySentence } from './history-progress.ts';

const from = Date.parse('2026-10-01T00:00:00+08:00');
const record = (days: number, given: Partial<HistoryRecord> = {}): HistoryRecord => ({
  from_slot: from,
  until_slot: from + 45 * DAY + 10 * SLOT,
  reached_slot: from + days * DAY - SLOT,
  run_from_slot: from - SLOT,
  run_began_at: 0,
  updated_at: 0,
  finished: 0,
  ...given,
});

test('counts whole days, and the last one although it has only begun', () => {
  const table: [written: number, done: number][] = [
    [0, 0],
    [1, 1],
    [1.5, 1],
    [12, 12],
    [45, 45],
  ];
  for (const [written, done] of table) {
    const progress = historyProgress(record(written));
    assert.deepEqual([progress.done, progress.total], [done, 46]);
  }
  assert.deepEqual(historyProgress(record(45.1, { finished: 1 })), {
    finished: true,
    done: 46,
    total: 46,
    seconds_left: 0,
  });
});

test('estimates the time left from the run that writes now', () => {
  assert.equal(historyProgress(record(0)).seconds_left, null);
  // Nine days in 9 s, from nine to eighteen of 45 and a tenth: as many seconds as days are left.
  const resumed = { run_from_slot: from + 9 * DAY - SLOT, run_began_at: 60_000, updated_at: 69_000 };
  assert.equal(historyProgress(record(18, resumed)).seconds_left, 28);
});

test('the progress as a sentence', () => {
  const table: [string, Parameters<typeof historySentence>[0]][] = [
    ['the history is not written yet', historyNotBegun],
    ['writing the history: 0 of 46 days', { ...historyNotBegun, total: 46 }],
    [
      'writing the history: 12 of 46 days, about 40 s left',
      { finished: false, done: 12, total: 46, seconds_left: 40 },
    ],
    ['writing the history: 0 of 1 day', { ...historyNotBegun, total: 1 }],
    ['the history is complete: 1 day', { finished: true, done: 1, total: 1, seconds_left: 0 }],
    ['the history is complete: 46 days', { finished: true, done: 46, total: 46, seconds_left: 0 }],
  ];
  for (const [sentence, progress] of table) assert.equal(historySentence(progress), sentence);
});
