import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nothingCounted, type PocketCounts } from '../stats/thirds.ts';
import { DAY } from '../time/sgt.ts';
import { changelog } from './changelog.ts';

const now = Date.parse('2026-11-11T04:00:00Z');
const today = now / DAY - 4 / 24;
const counts = (given: Partial<PocketCounts>): PocketCounts => ({ ...nothingCounted(), ...given });

test('the worked example of docs/formulas.md: a day, with what its pockets add up to', () => {
  const days = new Map([
    [
      today - 1,
      new Map([
        [
          'dempsey',
          counts({ readings: 90, emissions: 3, silences: 87, sealed: 360, due: 3, due_score: 20_000 }),
        ],
        [
          'tiongbahru',
          counts({ readings: 96, emissions: 5, silences: 85, sealed: 384, due: 1, due_score: 10_000 }),
        ],
      ]),
    ],
  ]);
  const entries = changelog(days, new Map([[today - 1, 12_345]]), now, 3);
  assert.deepEqual(entries[1], {
    date: '2026-11-10',
    atmosphere_readings: 186,
    narrations_surfaced: 8,
    notifications_deferred: 172,
    surfaced_ratio: 0.044,
    predictions_sealed: 744,
    predictions_revealed: 4,
    mean_accuracy: 0.75,
    sustainability_sgd: 123.45,
    top_pocket: { pocket_id: 'tiongbahru', count: 5 },
  });
  const nothing = {
    atmosphere_readings: 0,
    narrations_surfaced: 0,
    notifications_deferred: 0,
    surfaced_ratio: null,
    predictions_sealed: 0,
    predictions_revealed: 0,
    mean_accuracy: null,
    sustainability_sgd: 0,
    top_pocket: null,
  };
  assert.deepEqual(entries[0], { date: '2026-11-11', ...nothing });
  assert.deepEqual(entries[2], { date: '2026-11-09', ...nothing });
});

test('nobody is on top of a day of silence, and of as many the first by name', () => {
  const top = (pockets: [string, number][]) =>
    changelog(
      new Map([[today, new Map(pockets.map(([id, emissions]) => [id, counts({ emissions })]))]]),
      new Map(),
      now,
      1,
    )[0]?.top_pocket;
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

test('days of UTC: at four in the afternoon there, and at one second to midnight', () => {
  const dates = (time: string) =>
    changelog(new Map(), new Map(), Date.parse(time), 2).map(({ date }) => date);
  assert.deepEqual(dates('2026-11-11T00:00:00Z'), ['2026-11-11', '2026-11-10']);
  assert.deepEqual(dates('2026-03-01T23:59:59Z'), ['2026-03-01', '2026-02-28']);
});
