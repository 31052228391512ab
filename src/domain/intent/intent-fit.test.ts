import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { intent, reading } from '../../../test/support/rows/example-moment.ts';
import { categories, type Intent, type Need, needs } from '../city/city.ts';
import { intentAlignment, intentFit, SUITS } from './intent-fit.ts';
import { alignmentBound, type IntentPresent, lackWords } from './intent-needs.ts';

const near = (value: number, expected: number) => assert.ok(Math.abs(value - expected) < 1e-9, `${value}`);
/** The example of docs/formulas.md. */
const present: IntentPresent = {
  atmosphere: reading,
  calm_probability: 0.7,
  rain: 0,
  hour: 15,
  covered: null,
  open_kinds: null,
};
const fit = (more: Partial<Intent>, rain: number | null = 0, hour = 15) =>
  intentAlignment({ ...intent, ...more }, { ...present, rain, hour });
const indifferent = { calm: 0, stress: 0, social_energy: 0, productive: 0 };

test('the worked example of docs/formulas.md', () => {
  near(intentAlignment(intent, present), 0.7);
  const quiet = { ...intent, needs: ['calm' as const] };
  near(intentAlignment(quiet, { ...present, calm_probability: 0.07 }), 0.07);
});

test('a wanted quality counts with its value, an avoided one with 1 less its value', () => {
  near(fit({ atmosphere: { ...indifferent, calm: 1 } }), 0.8);
  near(fit({ atmosphere: { ...indifferent, stress: -1 } }), 0.7);
  near(fit({ atmosphere: { calm: 0.5, stress: -1, social_energy: 0, productive: 0 } }), (0.4 + 0.7) / 1.5);
  near(fit({ atmosphere: indifferent }), 0.5);
});

test('rain raises or lowers the fit by what the intent wants', () => {
  const calm = { atmosphere: { ...indifferent, calm: 1 } };
  near(fit({ ...calm, rain: 1 }, 1), 0.8);
  near(fit({ ...calm, rain: 1 }, 0), 0.4);
  near(fit({ ...calm, rain: -1 }, 0), 0.8);
  near(fit({ ...calm, rain: -1 }, 1), 0);
  near(fit({ ...calm, rain: -0.5 }, 0.5), 0.6);
  // Where it was not measured it counts as none.
  near(fit({ ...calm, rain: 0.5 }, null), fit({ ...calm, rain: 0.5 }, 0));
  near(fit({ ...calm, rain: -0.5 }, null), 0.8);
});

test('the fit falls to 0 over the hour before and after the hours', () => {
  for (const [hour, share] of [
    [8, 0],
    [8.5, 0.5],
    [9, 1],
    [18, 1],
    [18.25, 0.75],
    [19, 0],
  ] as const)
    near(fit({}, 0, hour), 0.7 * share);
  near(
    fit(
      {
        hours: [
          [7, 9],
          [20, 22],
        ],
      },
      0,
      20.5,
    ),
    0.7,
  );
});

const meal = { ...intent, categories: { restaurant: 1, cafe: 0.7, bakery: 0.4, bar: 0.2 } };
const bounds: [need: Need, more: Partial<IntentPresent>, bound: number, words: string][] = [
  ['calm', { calm_probability: 0.96 }, 0.96, 'it may well not stay calm'],
  ['calm', { calm_probability: 0.5 }, 0.5, 'it may well not stay calm'],
  ['calm', { calm_probability: 0.49 }, 0.49, 'it is unlikely to stay calm'],
  // Only a usual level is known.
  ['calm', { calm_probability: null }, 0.8, 'it may well not stay calm'],
  ['calm', { calm_probability: 0.7, atmosphere: { ...reading, calm: 0.549 } }, 0, 'it is not calm'],
  [
    'calm',
    { calm_probability: 0.7, atmosphere: { ...reading, calm: 0.55 } },
    0.7,
    'it may well not stay calm',
  ],
  ['rain', { rain: null }, 0, 'rain was not measured'],
  ['rain', { rain: 0 }, 0, 'no rain is falling'],
  ['rain', { rain: 0.1 }, 0.5, 'hardly any rain is falling'],
  ['rain', { rain: 0.2 }, 1, 'hardly any rain is falling'],
  ['shelter', {}, 0.5, 'its shelter is not known'],
  ['shelter', { covered: 0.3 }, 0.3, 'it has little shelter'],
  ['shelter', { covered: 0.3, open_kinds: ['cafe', 'bar'] }, 0.7, 'it has little shelter'],
  ['shelter', { open_kinds: [] }, 0, 'it has little shelter'],
  ['outlets', {}, 0.5, 'too few outlets are known there'],
  ['outlets', { open_kinds: [] }, 0, 'nothing that serves it is open'],
  ['outlets', { open_kinds: ['bar', 'florist'] }, 0, 'nothing that serves it is open'],
  ['outlets', { open_kinds: ['bakery'] }, 0.4, 'little that serves it is open'],
  ['outlets', { open_kinds: ['bakery', 'restaurant'] }, 1, 'little that serves it is open'],
];
test('what is there of a need bounds the fit', () => {
  for (const [need, more, bound, words] of bounds) {
    const then = { ...present, ...more };
    near(alignmentBound(need, meal, then), bound);
    assert.equal(lackWords(need, meal, then), words);
  }
});

test('the lowest bound counts, and the need that sets it is named', () => {
  const then = { ...present, calm_probability: 0.6, open_kinds: ['bakery' as const] };
  const held = (...stated: Need[]) => intentFit({ ...meal, needs: stated }, then);
  near(held().alignment, 0.7);
  assert.deepEqual(held('calm'), { alignment: 0.6, lacks: 'calm' });
  assert.deepEqual(held('calm', 'outlets'), { alignment: 0.4, lacks: 'outlets' });
  assert.deepEqual(held('outlets', 'calm'), { alignment: 0.4, lacks: 'outlets' });
  const calmer = { ...then, calm_probability: 0.9 };
  assert.equal(intentFit({ ...meal, needs: ['calm'] }, calmer).lacks, null);
});

test('whatever the rest, an alignment lies in 0..1 and above no bound of a need', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const weight = fc.double({ min: -1, max: 1, noNaN: true });
  const quality = (arbitrary: typeof share) =>
    fc.record({ calm: arbitrary, stress: arbitrary, social_energy: arbitrary, productive: arbitrary });
  const kind = fc.constantFrom(...categories);
  fc.assert(
    fc.property(
      fc.record({
        atmosphere: quality(weight),
        rain: weight,
        needs: fc.uniqueArray(fc.constantFrom(...needs)),
        categories: fc.dictionary(kind, share),
      }),
      fc.record({
        atmosphere: quality(share),
        calm_probability: fc.option(share),
        rain: fc.option(share),
        hour: fc.double({ min: 0, max: 24, noNaN: true }),
        covered: fc.option(share),
        open_kinds: fc.option(fc.uniqueArray(kind)),
      }),
      (wants, then) => {
        const any: Intent = { ...intent, ...wants };
        const { alignment, lacks } = intentFit(any, then);
        assert.ok(alignment >= 0 && alignment <= 1);
        for (const need of wants.needs) assert.ok(alignment <= alignmentBound(need, any, then));
        const without = intentAlignment({ ...any, needs: [] }, then);
        assert.equal(lacks === null, alignment === without);
        if (wants.needs.includes('calm') && (then.calm_probability ?? 1) < 0.5) assert.ok(alignment < SUITS);
      },
    ),
  );
});
