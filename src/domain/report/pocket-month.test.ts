import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  addComfort,
  type ComfortSignal,
  type ComfortSums,
  comfortSignals,
  strongestComfort,
} from '../atmosphere/comfort.ts';
import { sumHours } from '../stats/hour-buckets.ts';
import { faultsOf } from '../text/voice.ts';
import { DAY, HOUR, hourOfDay, SLOT, weekday } from '../time/sgt.ts';
import { LEAST_MONTH_READINGS, pocketMonth } from './pocket-month.ts';

const monday = Date.parse('2026-10-05T00:00:00+08:00');
const MONDAY = 0;
const TUESDAY = 1;
const THURSDAY = 3;

/** Every quarter hour of two weeks, as calm as `calmAt` says. */
const fortnight = (calmAt: (slot: number) => number): Read[] =>
  Array.from({ length: 14 * 96 }, (_, n) => ({
    slot: monday + n * SLOT,
    calm: calmAt(monday + n * SLOT),
  }));
interface Read {
  slot: number;
  calm: number;
}

const sums = (comforts: Partial<Record<ComfortSignal, number>>, count = 100): ComfortSums =>
  Object.fromEntries(
    comfortSignals.map((signal) => {
      const mean = comforts[signal];
      return [signal, mean === undefined ? { sum: 0, count: 0 } : { sum: mean * count, count }];
    }),
  ) as ComfortSums;
const here = sums({ crowd: 0.6, transit: 0.9, rain: 0.97 });
const everywhere = sums({ crowd: 0.7, transit: 0.8, rain: 0.95 }, 1800);

const observe = (rows: readonly Read[], anomalies = 0) =>
  pocketMonth('tiongbahru', '2026-10', { hours: sumHours(rows), anomalies }, here, everywhere);

test('the worked example of docs/formulas.md', () => {
  // Each hour is as calm as it was the week before, but the second week less so by 0.1; on Tuesdays by 0.02.
  const rows = fortnight((slot) => {
    const second = slot >= monday + 7 * DAY;
    const calm = weekday(slot) === THURSDAY && hourOfDay(slot) >= 14 && hourOfDay(slot) < 15 ? 0.9 : 0.5;
    return calm - (second ? (weekday(slot) === TUESDAY ? 0.02 : 0.1) : 0);
  });
  assert.deepEqual(observe(rows, 7), {
    readings: 1344,
    observations: {
      most_stable_day: { day: 'tuesday', deviation: 0.01 },
      strongest_comfort: { signal: 'transit', comfort: 0.9, network_comfort: 0.8 },
      strongest_calm_window: { label: 'thursday 14:00-15:00', calm: 0.85 },
      anomaly_count: 7,
    },
    narrative:
      'tiongbahru was read 1344 times in 2026-10. its tuesdays were most like each other. it was calmest on thursday 14:00-15:00 (0.85). against all pockets it was most at ease by transit (0.9, all 0.8). 7 readings were unusual.',
  });
});

describe('the least number of readings', () => {
  const rows = fortnight(() => 0.5);

  test('a week of readings gives observations; one reading less gives none, and the narrative says so', () => {
    assert.equal(LEAST_MONTH_READINGS, 672);
    assert.notEqual(observe(rows.slice(0, 672)).observations, null);
    const under = observe(rows.slice(0, 671));
    assert.deepEqual(under, {
      readings: 671,
      observations: null,
      narrative:
        'tiongbahru was read 671 times in 2026-10, under the floor of 672: too little to observe a month by.',
    });
    for (const { narrative } of [under, observe([])]) assert.deepEqual(faultsOf(narrative), []);
  });

  test('a part with too few readings is null', () => {
    const nights = Array.from({ length: 24 }, (_, n) => n * DAY).flatMap((day) =>
      fortnight(() => 0.9)
        .slice(0, 28)
        .map((row) => ({ ...row, slot: row.slot + day })),
    );
    const { observations, narrative } = pocketMonth(
      'tiongbahru',
      '2026-10',
      { hours: sumHours(nights), anomalies: 0 },
      sums({}),
      everywhere,
    );
    assert.deepEqual(observations, {
      most_stable_day: null,
      strongest_comfort: null,
      strongest_calm_window: null,
      anomaly_count: 0,
    });
    assert.equal(narrative, 'tiongbahru was read 672 times in 2026-10. nothing was unusual.');
  });

  test('a day of the week needs readings of half a waking day', () => {
    const rows = fortnight((slot) => (weekday(slot) === MONDAY ? 0.5 : 0.5 + 0.2 * Math.sin(slot / HOUR)));
    const scarce = (hours: number) =>
      rows.filter(({ slot }) => weekday(slot) !== MONDAY || hourOfDay(slot) < 7 + hours);
    assert.equal(observe(scarce(4)).observations?.most_stable_day?.day, 'monday');
    const day = observe(scarce(3.5)).observations?.most_stable_day?.day;
    assert.ok(day !== undefined && day !== 'monday', day);
  });
});

describe('the strongest comfort', () => {
  const table: [here: ComfortSums, everywhere: ComfortSums, signal: ComfortSignal | undefined][] = [
    [sums({ crowd: 0.9, air: 0.99 }), sums({ crowd: 0.8, air: 0.98 }), 'crowd'],
    [sums({ crowd: 0.7, air: 0.6 }), sums({ crowd: 0.8, air: 0.9 }), 'crowd'],
    // As far ahead: the more comfortable; as comfortable: the first of the list.
    [sums({ crowd: 0.5, heat: 0.7 }), sums({ crowd: 0.4, heat: 0.6 }), 'heat'],
    [sums({ jam: 0.5, heat: 0.5 }), sums({ jam: 0.5, heat: 0.5 }), 'jam'],
    [sums({ crowd: 0.5 }), sums({ heat: 0.5 }), undefined],
  ];
  for (const [own, all, signal] of table)
    test(`${signal}`, () => assert.equal(strongestComfort(own, all)?.signal, signal));

  test('sums of pockets add up', () => {
    const all = addComfort([sums({ crowd: 0.5 }, 100), sums({ crowd: 0.8, air: 1 }, 200)]);
    assert.deepEqual(
      [all.crowd, all.air],
      [
        { sum: 210, count: 300 },
        { sum: 200, count: 200 },
      ],
    );
  });
});
