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
import { voiceFaults } from '../text/voice.ts';
import { DAY, HOUR, SLOT } from '../time/slot.ts';
import { singapore } from '../time/zones.fixture.ts';
import { LEAST_MONTH_READINGS, type MonthContext, pocketMonth } from './pocket-month.ts';

const { hourOfDay, weekday } = singapore;

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

/** Every other pocket as calm as 0.6 in every hour, with a deviation of 0.1. */
const context: MonthContext = {
  zone: singapore,
  othersIn: () => ({ calm: 0.6, deviation: 0.1 }),
  comparison: { differences: [], other_pockets: 17, earlier_days: [] },
  comfort: { here, everywhere },
  otherAnomalies: 9.5,
};
const compared_with = {
  other_pockets: 17,
  earlier: [],
  note: 'too few earlier months were read to say what is usual.',
};

const observe = (rows: readonly Read[], anomalies = 0, given = context) =>
  pocketMonth('tiongbahru', '2026-10', { hours: sumHours(rows, singapore), anomalies }, given);

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
      most_stable_day: { day: 'tuesday', deviation: 0.01, network_deviation: 0.1 },
      strongest_comfort: { signal: 'transit', comfort: 0.9, network_comfort: 0.8 },
      strongest_calm_window: {
        label: 'thursday 14:00-15:00',
        calm: 0.85,
        network_calm: 0.6,
        difference: 0.25,
      },
      anomaly_count: 7,
      network_anomaly_count: 9.5,
      sets_apart: [],
      compared_with,
    },
    narrative:
      'tiongbahru in 2026-10: in every part of the day it was about like the 17 other pockets. its calm stood out most on thursday 14:00-15:00, much calmer than the other pockets. its tuesdays were most like each other. against all pockets it was most at ease by transit. 7 readings were unusual for the hour, against about 10 elsewhere.',
  });
});

describe('against the other pockets', () => {
  const flat = fortnight(() => 0.5);
  const against = (othersIn: MonthContext['othersIn'], rows = flat) => {
    const { observations, narrative } = observe(rows, 0, { ...context, othersIn });
    assert.ok(observations);
    assert.deepEqual(voiceFaults(narrative), []);
    return { ...observations, narrative };
  };

  test('the strongest calm window is where they are least calm, not where the pocket is calmest', () => {
    const rows = fortnight((slot) => (hourOfDay(slot) >= 22 ? 0.9 : 0.5));
    const othersIn: MonthContext['othersIn'] = ({ day, hour }) => ({
      calm: hour === 22 ? 0.9 : day === 'friday' && hour === 18 ? 0.2 : 0.4,
      deviation: 0.1,
    });
    assert.deepEqual(against(othersIn, rows).strongest_calm_window, {
      label: 'friday 18:00-19:00',
      calm: 0.5,
      network_calm: 0.2,
      difference: 0.3,
    });
  });

  test('a pocket that is never calmer than they are has a difference below zero, and the narrative says so', () => {
    const { strongest_calm_window, narrative } = against(({ hour }) => ({
      calm: hour === 9 ? 0.55 : 0.7,
      deviation: 0.1,
    }));
    assert.equal(strongest_calm_window?.difference, -0.05);
    assert.match(narrative, /it was never calmer than the other pockets; nearest on monday 09:00-10:00/);
  });

  test('a day is steady for its hours', () => {
    const rows = fortnight(
      (slot) => 0.5 + (slot >= monday + 7 * DAY ? (weekday(slot) === MONDAY ? 0.04 : 0.06) : 0),
    );
    const othersIn: MonthContext['othersIn'] = ({ day }) => ({
      calm: 0.5,
      deviation: day === 'monday' ? 0.02 : 0.05,
    });
    assert.equal(against(othersIn, rows).most_stable_day?.day, 'tuesday');
  });

  test('hours at an end of the scale make no day steady', () => {
    const rows = fortnight((slot) => (weekday(slot) === MONDAY ? 0 : 0.5 + 0.1 * Math.sin(slot / HOUR)));
    const { most_stable_day } = observe(rows).observations ?? {};
    assert.ok(most_stable_day && most_stable_day.day !== 'monday');
  });

  test('alone there is nothing to compare with', () => {
    const { most_stable_day, strongest_calm_window } = against(() => null);
    assert.deepEqual([most_stable_day, strongest_calm_window], [null, null]);
  });

  test('a comfort that is not ahead is not told', () => {
    const level = sums({ air: 0.99 });
    const { observations, narrative } = observe(flat, 0, {
      ...context,
      comfort: { here: level, everywhere: level },
    });
    assert.equal(observations?.strongest_comfort?.signal, 'air');
    assert.doesNotMatch(narrative, /at ease/);
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
    for (const { narrative } of [under, observe([])]) assert.deepEqual(voiceFaults(narrative), []);
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
      { hours: sumHours(nights, singapore), anomalies: 0 },
      { ...context, comfort: { here: sums({}), everywhere }, otherAnomalies: null },
    );
    assert.deepEqual(observations, {
      most_stable_day: null,
      strongest_comfort: null,
      strongest_calm_window: null,
      anomaly_count: 0,
      network_anomaly_count: null,
      sets_apart: [],
      compared_with,
    });
    assert.match(narrative, /about like the 17 other pockets\. nothing was unusual for its hour\.$/);
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
