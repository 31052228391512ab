import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { intent, reading } from '../../../test/support/rows/example-moment.ts';
import type { Intent } from './city.ts';
import { alignmentOf } from './intent.ts';

const near = (value: number, expected: number) => assert.ok(Math.abs(value - expected) < 1e-9, `${value}`);
const fit = (more: Partial<Intent>, rain = 0, hour = 15) =>
  alignmentOf({ ...intent, ...more }, reading, rain, hour);
const indifferent = { calm: 0, stress: 0, social_energy: 0, productive: 0 };

test('the worked example of docs/formulas.md', () => {
  near(alignmentOf(intent, reading, 0, 15), 0.7);
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

test('an alignment lies in 0..1', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const weight = fc.double({ min: -1, max: 1, noNaN: true });
  const quality = (arbitrary: typeof share) =>
    fc.record({ calm: arbitrary, stress: arbitrary, social_energy: arbitrary, productive: arbitrary });
  fc.assert(
    fc.property(
      quality(weight),
      quality(share),
      weight,
      share,
      fc.double({ min: 0, max: 24, noNaN: true }),
      (wants, atmosphere, rain, raining, hour) => {
        const alignment = alignmentOf({ ...intent, atmosphere: wants, rain }, atmosphere, raining, hour);
        assert.ok(alignment >= 0 && alignment <= 1);
      },
    ),
  );
});
