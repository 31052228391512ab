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
import { faultsOf } from '../../text/voice.ts';
import { DAY, hourOfDay, SLOT, weekday } from '../../time/sgt.ts';
import { confidenceOf, DailyRatios, type OutletUse, patternKinds } from './pattern.ts';
import { findPatterns } from './patterns.ts';
import { quietWindowPatterns } from './quiet-window.ts';
import { rainSensitivity } from './rain-sensitivity.ts';

test('the worked example of docs/formulas.md', () => {
  assert.deepEqual(findPatterns(hours, outletUses, pocketQuarters), [
    {
      kind: 'quiet_window',
      text: patternTexts.quiet,
      confidence: 'medium',
      basis: '32 quarter hours on 4 tuesdays, held against 192 in the same hours of other days',
    },
    {
      kind: 'rain_sensitivity',
      text: patternTexts.rain,
      confidence: 'medium',
      basis: '16 wet quarter hours on 4 days, each held against dry ones at the same hour',
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
      basis: '2688 readings of the pocket on 28 days, held against its opening hours',
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
  for (const [days, confidence] of table) assert.equal(confidenceOf(days), confidence, JSON.stringify(days));
});

test('a daily ratio uses the sums of its day; the overall ratio uses the sums of all days', () => {
  const days = new DailyRatios();
  assert.deepEqual([days.count, days.ratio(), days.ratios()], [0, null, []]);
  days.add(start, 1, 2);
  days.add(start + 10 * SLOT, 1, 2);
  days.add(start + DAY, 3, 3);
  days.add(start + 2 * DAY, 0, 0);
  assert.deepEqual([days.count, days.ratio(), days.ratios()], [3, 5 / 7, [0.5, 1]]);
});

test('two days of history, or none, give no pattern', () => {
  assert.deepEqual(findPatterns(hours, [], []), []);
  const before = start + 2 * DAY;
  const first = <T extends { slot: number }>(all: T[]) => all.filter(({ slot }) => slot < before);
  assert.deepEqual(findPatterns(hours, first(outletUses), first(pocketQuarters)), []);
});

test('a window is quiet from 25 % under the other days, on at least three days', () => {
  const at = (tuesday: number, weeks = 4): OutletUse[] =>
    outletUses
      .filter(({ slot }) => weekday(slot) !== 1 || slot < start + weeks * 7 * DAY)
      .map(({ slot }) => {
        const quiet = weekday(slot) === 1 && hourOfDay(slot) >= 14 && hourOfDay(slot) < 16;
        return { slot, activity: quiet ? tuesday : 0.5 };
      });
  assert.match(quietWindowPatterns(at(0.375))[0]?.text ?? '', /25 % under .* \(n=32\)/);
  assert.deepEqual(quietWindowPatterns(at(0.38)), []);
  assert.match(quietWindowPatterns(at(0.2, 3))[0]?.text ?? '', /60 % under .* \(n=24\)/);
  assert.deepEqual(quietWindowPatterns(at(0.2, 2)), []);
});

test('at most two windows, the emptiest first', () => {
  const depth = [0.3, 0.2, 0.1, 0.5, 0.5, 0.5, 0.5];
  const made = outletUses.map(({ slot }) => {
    const quiet = hourOfDay(slot) >= 15 && hourOfDay(slot) < 17;
    return { slot, activity: quiet ? (depth[weekday(slot)] ?? 0.5) : 0.5 };
  });
  assert.deepEqual(
    quietWindowPatterns(made).map(({ text }) => text.slice(0, 32)),
    ['quiet on wednesdays, 15:00 to 17', 'quiet on tuesdays, 15:00 to 17:0'],
  );
});

test('rain sensitivity has three wordings, or no pattern', () => {
  const wet = (activity: number) =>
    outletUses.map((use) => ({ ...use, activity: use.activity === 0.4 ? activity : 0.5 }));
  const texts = [0.4, 0.47, 0.48, 0.5, 0.52, 0.53, 0.6].map(
    (activity) => rainSensitivity(wet(activity), pocketQuarters)?.text,
  );
  const little = 'rain makes little difference to its use (n=16).';
  assert.deepEqual(texts, [
    'rain takes 20 % of its use (n=16).',
    'rain takes 6 % of its use (n=16).',
    little,
    little,
    little,
    'rain adds 6 % to its use (n=16).',
    'rain adds 20 % to its use (n=16).',
  ]);
  const unmeasured = pocketQuarters.map((street) => ({ ...street, rain_mm: null }));
  assert.equal(rainSensitivity(outletUses, unmeasured), null);
  const drizzle = pocketQuarters.map((street) => ({ ...street, rain_mm: street.rain_mm ? 0.19 : 0 }));
  assert.equal(rainSensitivity(outletUses, drizzle), null);
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
      )) {
        assert.ok(patternKinds.includes(kind));
        assert.deepEqual(faultsOf(text), [], text);
        assert.deepEqual(faultsOf(basis), [], basis);
        assert.doesNotMatch(text + basis, /NaN|Infinity|undefined|null/);
        const n = Number(/\(n=(\d+)\)\.$/.exec(text)?.[1]);
        assert.ok(n >= 3 && n <= all.length, text);
      }
    }),
  );
});
