import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zeroSums } from '../stats/rollup.ts';
import { type ChangelogDay, changelogEntry, changelogSums } from './changelog.ts';

const day = Date.parse('2026-11-10T00:00:00Z');
type Pocket = ChangelogDay['pockets'][number];
const pocket = (given: Partial<Pocket> & { pocket_id: string }): Pocket => ({
  ...zeroSums(changelogSums),
  ...given,
});

test('the worked example of docs/formulas.md: a day, with what its pockets add up to', () => {
  const entry = changelogEntry({
    day,
    pockets: [
      pocket({
        pocket_id: 'dempsey',
        readings: 90,
        emissions: 3,
        silences: 87,
        already_speaking: 4,
        quiet_hours: 32,
        due: 3,
        due_score: 20_000,
      }),
      pocket({
        pocket_id: 'tiongbahru',
        readings: 95,
        emissions: 5,
        silences: 85,
        already_speaking: 6,
        quiet_hours: 32,
        due: 1,
        due_score: 10_000,
      }),
    ],
    slots: { due: 96, run: 95 },
    sealed: 744,
    cents: 12_345,
    currency: 'SGD',
  });
  assert.deepEqual(entry, {
    date: '2026-11-10',
    atmosphere_readings: 185,
    slots_due: 96,
    slots_run: 95,
    pockets_read: 2,
    readings_missing: 5,
    narrations_surfaced: 8,
    notifications_deferred: 172,
    already_speaking_count: 10,
    quiet_hours_count: 64,
    surfaced_ratio: 0.044,
    predictions_sealed: 744,
    predictions_revealed: 4,
    mean_accuracy: 0.75,
    sustainability_sgd: 123.45,
    sustainability_amount: 123.45,
    currency: 'SGD',
    top_pocket: { pocket_id: 'tiongbahru', count: 5 },
    waking_time: { minutes_said: 270, minutes_silent: 2580, share_said: 0.095 },
  });
});

test('a day without rows has zeros, and nulls where there is nothing to average', () => {
  assert.deepEqual(
    changelogEntry({ day, pockets: [], slots: { due: 96, run: 0 }, sealed: 0, cents: 0, currency: 'EUR' }),
    {
      date: '2026-11-10',
      atmosphere_readings: 0,
      slots_due: 96,
      slots_run: 0,
      pockets_read: 0,
      readings_missing: 0,
      narrations_surfaced: 0,
      notifications_deferred: 0,
      already_speaking_count: 0,
      quiet_hours_count: 0,
      surfaced_ratio: null,
      predictions_sealed: 0,
      predictions_revealed: 0,
      mean_accuracy: null,
      sustainability_sgd: null,
      sustainability_amount: 0,
      currency: 'EUR',
      top_pocket: null,
      waking_time: { minutes_said: 0, minutes_silent: 0, share_said: null },
    },
  );
});

test('a day without packages has no top pocket; among equals the first by name', () => {
  const top = (pockets: [string, number][]) =>
    changelogEntry({
      day,
      pockets: pockets.map(([pocket_id, emissions]) => pocket({ pocket_id, emissions })),
      slots: { due: 0, run: 0 },
      sealed: 0,
      cents: 0,
      currency: 'SGD',
    }).top_pocket;
  assert.equal(top([['dempsey', 0]]), null);
  assert.deepEqual(
    top([
      ['siglap', 2],
      ['dempsey', 2],
      ['holland', 1],
    ]),
    { pocket_id: 'dempsey', count: 2 },
  );
});
