import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  hours,
  outletUses,
  patternTexts,
  pocketQuarters,
  start,
} from '../../../../test/support/rows/four-weeks.ts';
import { primaryStates } from '../../atmosphere/primary-state.ts';
import { voiceFaults } from '../../text/voice.ts';
import { isOpen } from '../../time/opening-hours.ts';
import { DAY, HOUR, SLOT } from '../../time/slot.ts';
import { singapore } from '../../time/zones.fixture.ts';
import { decisionSupport } from './decision-support.ts';
import { hoursOverlap } from './hours-overlap.ts';
import { usesWhileOpen } from './opening-day.ts';
import { DailyRatios, dailyConfidence, type OutletUse, patternKinds } from './pattern.ts';
import { findPatterns, patternHours } from './patterns.ts';
import { quietWindowPatterns } from './quiet-window.ts';
import { rainSensitivity } from './rain-sensitivity.ts';

const { hourOfDay, weekday } = singapore;
const calendar = { zone: singapore, weekend: [5, 6] };

test('the worked example of docs/formulas.md', () => {
  assert.deepEqual(findPatterns(hours, outletUses, pocketQuarters, calendar), [
    {
      kind: 'quiet_window',
      text: patternTexts.quiet,
      confidence: 'medium',
      basis: '32 quarter hours on 4 tuesdays, compared with 192 in the same hours of other days',
      window: {
        ...{ weekday: 1, from: '14:00', to: '16:00', weeks_quiet: 4, weeks_seen: 4 },
        ...{ under_other_days: 0.6, under_own_mean: 0.61, n: 32, since: '2026-10-13' },
      },
    },
    {
      kind: 'rain_sensitivity',
      text: patternTexts.rain,
      confidence: 'medium',
      basis: '16 wet quarter hours on 4 days, each compared with dry ones at the same hour',
    },
    {
      kind: 'dna_descriptor',
      text: patternTexts.dna,
      confidence: 'high',
      basis:
        '672 quarter hours in which it was open, 112 of them in that part of 28 days and 336 in that mood',
    },
    {
      kind: 'hours_overlap',
      text: patternTexts.hours,
      confidence: 'high',
      basis:
        '1792 readings of the pocket on 28 days, compared with its opening hours; from day to day the share varies by 0 points',
    },
  ]);
});

test('confidence comes from the number of days and their spread', () => {
  const table: [days: number[], confidence: string][] = [
    [[], 'low'],
    [[1, 1], 'low'],
    [[1, 1, 1], 'medium'],
    [Array(6).fill(0.4), 'medium'],
    [Array(7).fill(0.4), 'high'],
    // Standard errors 0.0577, 0.115 and 0.231.
    [[0.9, 1, 1.1], 'medium'],
    [[0.8, 1, 1.2], 'medium'],
    [[0.6, 1, 1.4], 'low'],
    [[0.8, 1.2, 0.8, 1.2, 0.8, 1.2, 0.8, 1.2], 'medium'],
    [[0.9, 1.1, 0.9, 1.1, 0.9, 1.1, 0.9, 1.1], 'high'],
  ];
  for (const [days, confidence] of table)
    assert.equal(dailyConfidence(days), confidence, JSON.stringify(days));
});

test('a daily ratio uses the sums of its day; the overall ratio uses the sums of all days', () => {
  const days = new DailyRatios(singapore);
  assert.deepEqual([days.count, days.ratio(), days.ratios()], [0, null, []]);
  days.add(start, 1, 2);
  days.add(start + 10 * SLOT, 1, 2);
  days.add(start + DAY, 3, 3);
  days.add(start + 2 * DAY, 0, 0);
  assert.deepEqual([days.count, days.ratio(), days.ratios()], [3, 5 / 7, [0.5, 1]]);
});

test('two days of history, or none, give no pattern', () => {
  assert.deepEqual(findPatterns(hours, [], [], calendar), []);
  const before = start + 2 * DAY;
  const first = <T extends { slot: number }>(all: T[]) => all.filter(({ slot }) => slot < before);
  assert.deepEqual(findPatterns(hours, first(outletUses), first(pocketQuarters), calendar), []);
});

/** The four weeks at 0.5 in use, except where `changed` gives another value. */
const usesWith = (changed: (day: number, hour: number, week: number) => number | null): OutletUse[] =>
  outletUses.flatMap(({ slot }) => {
    const week = Math.floor((slot - start) / (7 * DAY));
    const activity = changed(weekday(slot), hourOfDay(slot), week) ?? 0.5;
    return Number.isNaN(activity) ? [] : [{ slot, activity }];
  });
const quiet = (changed: Parameters<typeof usesWith>[0]) =>
  quietWindowPatterns(hours, usesWhileOpen(hours, usesWith(changed), singapore), singapore).map(
    ({ text }) => text,
  );
const isTuesdayAfternoon = (day: number, hour: number) => day === 1 && hour >= 14 && hour < 16;

test('a window is quiet from 25 % under its mean while open and under the other days', () => {
  const tuesday = (activity: number) =>
    quiet((day, hour) => (isTuesdayAfternoon(day, hour) ? activity : null));
  assert.deepEqual(tuesday(0.36).length, 1);
  // Under the other days by 25 %, but not under the mean, which it lowers itself.
  assert.deepEqual(tuesday(0.375), []);
  // Quiet every day at that hour: no weekday stands out.
  assert.deepEqual(
    quiet((_day, hour) => (hour >= 14 && hour < 16 ? 0.1 : null)),
    [],
  );
  // Fuller than its mean, though emptier than the other days.
  const peak = (day: number, hour: number) => (hour < 15 ? 0.1 : day === 1 ? 0.6 : 0.9);
  assert.deepEqual(quiet(peak), []);
});

test('a window is quiet in at least three weeks, and in three quarters of those seen', () => {
  const inWeeks = (isQuiet: (week: number) => boolean, seen = 4) =>
    quiet((day, hour, week) => {
      if (day === 1 && week >= seen) return Number.NaN;
      return isTuesdayAfternoon(day, hour) ? (isQuiet(week) ? 0.1 : 0.5) : null;
    });
  assert.match(inWeeks(() => true)[0] ?? '', /in 4 of 4 weeks: 80\u00a0% under .* \(n = 32\)/);
  assert.match(inWeeks((week) => week > 0)[0] ?? '', /in 3 of 4 weeks: 60\u00a0% under .* \(n = 32\)/);
  assert.deepEqual(
    inWeeks((week) => week > 1),
    [],
  );
  assert.match(inWeeks(() => true, 3)[0] ?? '', /in 3 of 3 weeks: 80\u00a0% under .* \(n = 24\)/);
  assert.deepEqual(
    inWeeks(() => true, 2),
    [],
  );
});

test('an outlet has as many windows as its history shows, the emptiest first, each of two hours or more', () => {
  assert.deepEqual(
    quiet(() => null),
    [],
  );
  const depth = [0.2, 0.15, 0.1, 0.05];
  const texts = quiet((day, hour) => {
    if (day === 4 && hour >= 13 && hour < 14) return 0.05;
    return hour >= 15 && hour < 17 + (day === 2 ? 1 : 0) ? (depth[day] ?? null) : null;
  });
  assert.deepEqual(
    texts.map((text) => text.slice(0, text.indexOf(', in'))),
    [
      'quiet on thursdays, 15:00 to 17:00',
      'quiet on wednesdays, 15:00 to 18:00',
      'quiet on tuesdays, 15:00 to 17:00',
      'quiet on mondays, 15:00 to 17:00',
    ],
  );
});

test('hours after midnight belong to the day on which the outlet opened, and windows end with its hours', () => {
  const bar = { opens_at: '20:30', closes_at: '02:00' };
  const counted = pocketQuarters.flatMap(({ slot }) => {
    if (!isOpen(bar, slot, singapore)) return [];
    const opened = weekday(slot - 20.5 * HOUR);
    const late = hourOfDay(slot) >= 23 || hourOfDay(slot) < 2;
    const early = hourOfDay(slot) >= 20.5 && hourOfDay(slot) < 23;
    return [{ slot, activity: (opened === 0 && late) || (opened === 3 && early) ? 0.1 : 0.5 }];
  });
  assert.deepEqual(
    quietWindowPatterns(bar, usesWhileOpen(bar, counted, singapore), singapore).map(({ text }) =>
      text.slice(0, text.indexOf(', in')),
    ),
    ['quiet on mondays, 23:00 to 02:00', 'quiet on thursdays, 20:30 to 23:00'],
  );
});

test('what was counted while an outlet was closed makes no pattern', () => {
  const closed = pocketQuarters.filter(({ slot }) => !isOpen(hours, slot, singapore));
  const noise = closed.map(({ slot }) => ({ slot, activity: 0.05 }));
  const both = [...outletUses, ...noise].sort((a, b) => a.slot - b.slot);
  assert.deepEqual(
    findPatterns(hours, both, pocketQuarters, calendar),
    findPatterns(hours, outletUses, pocketQuarters, calendar),
  );
});

test('a day on which an outlet did not open makes no window quieter', () => {
  const shut = (slot: number) => weekday(slot) === 4;
  const opened = outletUses.filter(({ slot }) => !shut(slot));
  const counted = outletUses.map((use) => (shut(use.slot) ? { ...use, activity: 0 } : use));
  const found = findPatterns(hours, counted, pocketQuarters, calendar);
  assert.deepEqual(found, findPatterns(hours, opened, pocketQuarters, calendar));
  assert.deepEqual(
    found.filter(({ kind }) => kind === 'quiet_window').map(({ window }) => window?.weekday),
    [1],
  );
});

test('the confidence of an overlap follows from how far the share varies from day to day', () => {
  const outlet = { opens_at: '08:00', closes_at: '12:00' };
  /** Calm from 08:00 on all days, until 12:00 plus the hours given for the day. */
  const overlap = (longer: (day: number) => number, days = 28) =>
    hoursOverlap(
      outlet,
      pocketQuarters
        .filter(({ slot }) => slot < start + days * DAY)
        .map((quarter) => {
          const hour = hourOfDay(quarter.slot);
          const calm = hour >= 8 && hour < 12 + longer(weekday(quarter.slot));
          return { ...quarter, primary_state: calm ? ('calm-restful' as const) : ('tense-crowded' as const) };
        }),
      singapore,
    );
  assert.equal(overlap(() => 0)?.confidence, 'high');
  assert.equal(overlap(() => 0, 6)?.confidence, 'medium');
  assert.equal(overlap((day) => (day < 3 ? 0 : 2))?.confidence, 'medium');
  assert.equal(overlap((day) => (day < 3 ? 0 : 6))?.confidence, 'low');
  assert.match(overlap((day) => (day < 3 ? 0 : 2))?.basis ?? '', /varies by 17 points$/);
});

test('rain sensitivity has three wordings, or no pattern', () => {
  const wet = (activity: number) =>
    outletUses.map((use) => ({ ...use, activity: use.activity === 0.4 ? activity : 0.5 }));
  const texts = [0.4, 0.47, 0.48, 0.5, 0.52, 0.53, 0.6].map(
    (activity) => rainSensitivity(wet(activity), pocketQuarters, calendar)?.text,
  );
  const little = 'rain makes little difference to its use (n = 16).';
  assert.deepEqual(texts, [
    'rain takes 20\u00a0% of its use (n = 16).',
    'rain takes 6\u00a0% of its use (n = 16).',
    little,
    little,
    little,
    'rain adds 6\u00a0% to its use (n = 16).',
    'rain adds 20\u00a0% to its use (n = 16).',
  ]);
  const unmeasured = pocketQuarters.map((street) => ({ ...street, rain_mm: null }));
  assert.equal(rainSensitivity(outletUses, unmeasured, calendar), null);
  const drizzle = pocketQuarters.map((street) => ({ ...street, rain_mm: street.rain_mm ? 0.19 : 0 }));
  assert.equal(rainSensitivity(outletUses, drizzle, calendar), null);
});

test('for any history, each pattern passes the voice rules and states its sample count', () => {
  const from = fc.nat({ max: 28 * 96 });
  const sample = fc.record({
    slot: from.map((n) => start + n * SLOT),
    activity: fc.double({ min: 1e-6, max: 1, noNaN: true }),
    rain_mm: fc.option(fc.double({ min: 0, max: 30, noNaN: true })),
    primary_state: fc.option(fc.constantFrom(...primaryStates)),
  });
  const history = fc.uniqueArray(sample, { selector: ({ slot }) => slot, maxLength: 400, size: 'max' });
  fc.assert(
    fc.property(history, (all) => {
      const made = all.map((one) => ({ ...one, footfall: null, calm: null }));
      for (const { kind, text, basis } of findPatterns(
        { opens_at: '20:00', closes_at: '02:00' },
        made,
        made,
        calendar,
      )) {
        assert.ok(patternKinds.includes(kind));
        assert.deepEqual(voiceFaults(text), [], text);
        assert.deepEqual(voiceFaults(basis), [], basis);
        assert.doesNotMatch(text + basis, /NaN|Infinity|undefined|null/);
        const n = Number(/\(n = (\d+)\)\.$/.exec(text)?.[1]);
        assert.ok(n >= 3 && n <= all.length, text);
      }
    }),
  );
});

test('patterns and decision support need no quarters outside of their hours', () => {
  assert.deepEqual(patternHours({ opens_at: '17:30', closes_at: '02:15' }), { from: 7, to: 27 });
  for (const [opens_at, closes_at] of [
    ['08:00', '18:00'],
    ['05:45', '12:00'],
    ['17:30', '02:15'],
    ['00:00', '00:00'],
  ] as const) {
    const outlet = { opens_at, closes_at };
    const { from, to } = patternHours(outlet);
    const needed = pocketQuarters.filter(({ slot }) => {
      const hour = hourOfDay(slot);
      return (hour >= from && hour < to) || hour + 24 < to;
    });
    const others = { outlets: 0, use: 0 };
    assert.deepEqual(
      findPatterns(outlet, outletUses, needed, calendar),
      findPatterns(outlet, outletUses, pocketQuarters, calendar),
    );
    assert.deepEqual(
      decisionSupport(outlet, needed, others, singapore),
      decisionSupport(outlet, pocketQuarters, others, singapore),
    );
  }
});
