import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { primaryStates } from '../atmosphere/primary-state.ts';
import { isSleepHour } from '../decision/moment.ts';
import type { MqsBand } from '../decision/moment-quality.ts';
import { bareLevelIn, voiceFaults } from '../text/voice.ts';
import { DAY, HOUR, SLOT } from '../time/slot.ts';
import { singapore } from '../time/zones.fixture.ts';
import type { Difference } from './difference.ts';
import { type WeekContext, type WeekReading, weeklyReport } from './weekly-report.ts';

const monday = Date.parse('2026-11-02T00:00:00+08:00');
const reading = (slot: number, given: Partial<WeekReading> = {}): WeekReading => ({
  slot,
  stress: 0.2,
  calm: 0.8,
  social_energy: 0.1,
  productive: 0.6,
  primary_state: 'calm-productive',
  rain_mm: 0,
  signal_saturation: 0,
  band: 'weak',
  ...given,
});
/** The only pocket, in its first week. */
const alone: WeekContext = {
  zone: singapore,
  othersIn: () => null,
  comparison: { differences: [], other_pockets: 0, earlier_days: [] },
  holidays: [],
};
const metrics = (readings: readonly WeekReading[], context = alone) => {
  const report = weeklyReport('tiongbahru', '2026-W45', readings, context);
  assert.ok(report);
  return report.metrics;
};
/** From nine in the morning, a quarter hour each. */
const nine = monday + 9 * HOUR;
const calms = (levels: readonly number[], from = nine) =>
  levels.map((calm, n) => reading(from + n * SLOT, { calm }));

test('the worked example of docs/formulas.md', () => {
  const readings = [
    ...calms([0.7, 0.8, 0.8, 0.7]),
    ...calms([0.6, 0.6, 0.6, 0.6], nine + HOUR).map((row) => ({ ...row, rain_mm: 0.4 })),
    ...calms([0.5, 0.4, 0.3, 0.4], nine + 2 * HOUR).map((row, n) => ({
      ...row,
      stress: 0.6,
      primary_state: 'busy-productive' as const,
      rain_mm: n < 1 ? 0.2 : 0.1,
      signal_saturation: 0.3,
      band: 'forming' as const,
    })),
  ];
  const deviations = new Map([
    [9, 0.1],
    [10, 0.05],
    [11, 0.2],
  ]);
  const context: WeekContext = {
    zone: singapore,
    othersIn: ({ hour }) => ({ calm: 0.5, deviation: deviations.get(hour) ?? null }),
    comparison: { differences: [], other_pockets: 17, earlier_days: [monday - 14 * DAY, monday - 7 * DAY] },
    holidays: [],
  };
  assert.deepEqual(weeklyReport('tiongbahru', '2026-W45', readings, context), {
    metrics: {
      atmosphere_score: {
        primary_state: 'calm-productive',
        stress: 0.333,
        calm: 0.583,
        productive: 0.6,
        social: 0.1,
      },
      quiet_window_score: { count: 1, longest_minutes: 120 },
      rain_comfort_alignment: 0.8,
      attention_saturation: { saturation: 0.1, mqs_band: 'weak' },
      stable_periods: [
        { day: 'monday', hour: 10, calm: 0.6, deviation: 0, network_deviation: 0.05 },
        { day: 'monday', hour: 11, calm: 0.4, deviation: 0.071, network_deviation: 0.2 },
        { day: 'monday', hour: 9, calm: 0.75, deviation: 0.05, network_deviation: 0.1 },
      ],
    },
    basis: { readings: 12, rainy_readings: 5, moments: 12 },
    holidays: [],
    sets_apart: [],
    compared_with: { other_pockets: 17, earlier: ['2026-W43', '2026-W44'], note: null },
    narrative:
      'tiongbahru in 2026-W45, from 12 readings only: in every part of the day it was about like the 17 other pockets. it was quiet for an hour or more once, for 2 hours. it was steadiest on monday at ten in the morning, monday at eleven in the morning and monday at nine in the morning. of 5 quarter hours with rain it stayed calm in 80\u00a0%. it was most often calm-productive.',
  });
});

test('the newest difference comes first, and a public holiday is named as one', () => {
  const usual: Difference = {
    ...{ against: 'own_usual', quality: 'calm', part: 'afternoon', value: 0.9, reference: 0.6 },
    ...{ difference: 0.3, standard_error: 0.02, pocket_spread: null, rank: null, of_pockets: null },
    ...{ network_difference: null, cause: null, day: 'monday' },
  };
  const report = weeklyReport('tiongbahru', '2026-W45', [reading(nine)], {
    ...alone,
    comparison: {
      differences: [usual, { ...usual, day: 'tuesday' }],
      other_pockets: 0,
      earlier_days: [monday - 14 * DAY, monday - 7 * DAY],
    },
    holidays: [{ date: '2026-11-02', day: 'monday', name: 'Market Day' }],
  });
  assert.deepEqual(report?.holidays, [{ date: '2026-11-02', day: 'monday', name: 'Market Day' }]);
  assert.deepEqual(
    report?.sets_apart.map(({ holiday }) => holiday),
    ['Market Day', null],
  );
  assert.match(
    report?.narrative ?? '',
    /^tiongbahru in 2026-W45, from 1 reading only: on tuesday afternoon it was much calmer than usual\. on monday afternoon, a public holiday, it was much calmer than usual\. it was/,
  );
  assert.deepEqual(voiceFaults(report?.narrative ?? ''), []);
});

describe('missing data', () => {
  test('a week without a reading has no report', () => {
    assert.equal(weeklyReport('tiongbahru', '2026-W45', [], alone), null);
  });

  test('readings of the night alone give no report', () => {
    assert.equal(weeklyReport('tiongbahru', '2026-W45', [reading(monday + 6 * HOUR)], alone), null);
  });

  test('what could not be compared is said', () => {
    const report = weeklyReport('tiongbahru', '2026-W45', [reading(nine)], alone);
    assert.deepEqual(report?.compared_with, {
      other_pockets: 0,
      earlier: [],
      note: 'too few earlier weeks were read to say what is usual. fewer than 3 other pockets were read, too few to compare with.',
    });
    assert.equal(
      report?.narrative,
      'tiongbahru in 2026-W45, from 1 reading only: it was never quiet for an hour on end. it was most often calm-productive.',
    );
  });

  test('null where there is nothing to average or no quiet window', () => {
    const bare = { rain_mm: null, signal_saturation: null, band: null, calm: 0.3 };
    const { quiet_window_score, rain_comfort_alignment, attention_saturation, stable_periods } = metrics([
      reading(nine, bare),
    ]);
    assert.deepEqual(quiet_window_score, { count: 0, longest_minutes: null });
    assert.equal(rain_comfort_alignment, null);
    assert.deepEqual(attention_saturation, { saturation: null, mqs_band: null });
    assert.deepEqual(stable_periods, []);
  });
});

test('nights count in nothing: a quiet window ends with the waking day', () => {
  const week = Array.from({ length: 7 * 96 }, (_, n) => monday + n * SLOT);
  const awake = week.filter((slot) => !isSleepHour(singapore.hourOfDay(slot)));
  const readings = week.map((slot) =>
    isSleepHour(singapore.hourOfDay(slot))
      ? reading(slot, { calm: 1, stress: 0, primary_state: 'calm-restful', rain_mm: 3, band: 'silent' })
      : reading(slot),
  );
  const all = weeklyReport('tiongbahru', '2026-W45', readings, alone);
  assert.deepEqual(
    all,
    weeklyReport(
      'tiongbahru',
      '2026-W45',
      awake.map((slot) => reading(slot)),
      alone,
    ),
  );
  assert.deepEqual(all?.metrics.quiet_window_score, { count: 7, longest_minutes: 16 * 60 });
  assert.equal(all?.metrics.atmosphere_score.primary_state, 'calm-productive');
});

describe('stable periods', () => {
  const periods = (readings: readonly WeekReading[]) =>
    metrics(readings).stable_periods.map(({ day, hour }) => `${day} ${hour}`);

  test('an hour counts with three of its four readings, within the waking day', () => {
    assert.deepEqual(periods(calms([0.5, 0.5])), []);
    assert.deepEqual(periods(calms([0.5, 0.5, 0.5])), ['monday 9']);
    const day = calms([0.5]);
    assert.deepEqual(periods([...calms([0.9, 0.9, 0.9, 0.9], monday + 6 * HOUR), ...day]), []);
    assert.deepEqual(periods(calms([0.9, 0.9, 0.9, 0.9], monday + 7 * HOUR)), ['monday 7']);
    assert.deepEqual(periods([...day, ...calms([0.9, 0.9, 0.9, 0.9], monday + 23 * HOUR)]), []);
  });

  test('an hour with calm at an end of its scale is left out: its deviation says nothing', () => {
    assert.deepEqual(periods(calms([0, 0, 0, 0])), []);
    assert.deepEqual(periods(calms([0.5, 0.5, 0.5, 0.05])), []);
    assert.deepEqual(periods(calms([0.949, 0.949, 0.949, 0.95])), []);
    assert.deepEqual(periods(calms([0.949, 0.949, 0.051, 0.051])), ['monday 9']);
  });

  test('an hour is judged by how much it varies in other pockets', () => {
    const readings = [...calms([0.5, 0.54, 0.5, 0.54]), ...calms([0.4, 0.46, 0.4, 0.46], nine + HOUR)];
    const usual = (at: number) => (at === 9 ? 0.02 : 0.06);
    const context = {
      ...alone,
      othersIn: ({ hour }: { hour: number }) => ({ calm: 0.5, deviation: usual(hour) }),
    };
    const hours = (given: WeekContext) => metrics(readings, given).stable_periods.map(({ hour }) => hour);
    assert.deepEqual(hours(alone), [9, 10]);
    assert.deepEqual(hours(context), [10, 9]);
  });

  test('among equally steady hours the calmest comes first, then the earliest', () => {
    const hour = (day: number, at: number, calm: number) =>
      calms([calm, calm, calm, calm], monday + (24 * day + at) * HOUR);
    assert.deepEqual(periods([...hour(0, 10, 0.4), ...hour(2, 9, 0.7), ...hour(4, 15, 0.4)]), [
      'wednesday 9',
      'monday 10',
      'friday 15',
    ]);
  });
});

test('among equally frequent states and bands, the first by name', () => {
  const bands: MqsBand[] = ['weak', 'forming'];
  const { atmosphere_score, attention_saturation } = metrics([
    reading(nine, { primary_state: 'lively-social', band: bands[0] ?? null }),
    reading(nine + SLOT, { primary_state: 'calm-social', band: bands[1] ?? null }),
  ]);
  assert.equal(atmosphere_score.primary_state, 'calm-social');
  assert.equal(attention_saturation.mqs_band, 'forming');
});

test('for any readings, shares lie in 0..1 and the line passes the voice rules', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const week = fc.array(
    fc.record({
      slot: fc.integer({ min: 0, max: 671 }).map((n) => monday + n * SLOT),
      stress: share,
      calm: share,
      social_energy: share,
      productive: share,
      primary_state: fc.constantFrom(...primaryStates),
      rain_mm: fc.option(fc.double({ min: 0, max: 20, noNaN: true })),
      signal_saturation: fc.option(share),
      band: fc.option(fc.constantFrom<MqsBand>('silent', 'weak', 'forming', 'peak', 'decaying')),
    }),
    { minLength: 1, maxLength: 60 },
  );
  fc.assert(
    fc.property(week, (rows) => {
      const readings = rows.sort((a, b) => a.slot - b.slot);
      const report = weeklyReport('tiongbahru', '2026-W45', readings, alone);
      assert.equal(
        report === null,
        readings.every(({ slot }) => isSleepHour(singapore.hourOfDay(slot))),
      );
      if (!report) return;
      assert.deepEqual(voiceFaults(report.narrative), [], report.narrative);
      assert.equal(bareLevelIn(report.narrative), null);
      const { primary_state, ...means } = report.metrics.atmosphere_score;
      assert.ok(readings.some((row) => row.primary_state === primary_state));
      const shares = [...Object.values(means), report.metrics.rain_comfort_alignment ?? 0];
      for (const value of shares) assert.ok(value >= 0 && value <= 1);
      const { count, longest_minutes } = report.metrics.quiet_window_score;
      const longest = longest_minutes ?? 0;
      assert.ok(count === 0 ? longest_minutes === null : longest >= 60 && longest <= 16 * 60);
      assert.ok(report.metrics.stable_periods.length <= 3);
    }),
  );
});
