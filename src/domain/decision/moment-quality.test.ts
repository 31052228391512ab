import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { at, moment } from '../../../test/support/rows/example-moment.ts';
import { bareLevelIn, voiceFaults } from '../text/voice.ts';
import { MINUTE } from '../time/slot.ts';
import { singapore } from '../time/zones.fixture.ts';
import {
  awakeness,
  type MqsInput,
  momentQuality,
  mqsBand,
  mqsFactors,
  mqsReasons,
} from './moment-quality.ts';

const example: MqsInput = {
  moment,
  now: at,
  hour: singapore.hourOfDay(at),
  stress: 0.3,
  usual_stress: 0.4,
  since: at - 75 * MINUTE,
  crowd: 0.4,
  spare_capacity: 0.6,
  merchants_known: true,
  resonates: true,
  previous: { mqs: 0.3, recent_high: 0.35 },
};
const factors = (more: Partial<MqsInput>) => momentQuality({ ...example, ...more }).factors;

test('the worked example of docs/formulas.md', () => {
  assert.deepEqual(momentQuality(example), {
    mqs: 0.4637,
    band: 'high_resonance',
    factors: { usefulness: 0.895, urgency: 1, calmness: 0.786, merchant_fit: 0.78, user_need: 0.845 },
    previous_mqs: 0.3,
    reasons: [
      'merchant_fit decides: the outlets have room',
      'urgency is strongest: the window is open and will not stay so',
    ],
  });
});

test('usefulness: contrast with the usual, or a new state', () => {
  const useful = (usual_stress: number | null, minutes: number) =>
    factors({ usual_stress, since: at - minutes * MINUTE }).usefulness;
  assert.equal(useful(0.3, 180), 0.45);
  assert.equal(useful(null, 180), 0.45);
  assert.equal(useful(0.3, 30), 0.8);
  assert.equal(useful(0.4, 180), 0.65);
  assert.equal(useful(0.2, 180), 0.65, 'either way');
  assert.equal(useful(0.9, 0), 1);
});

test('urgency: low for a very short or a very long half-life', () => {
  const urgency = (half_life_minutes: number) =>
    factors({ moment: { ...moment, half_life_minutes } }).urgency;
  for (const [minutes, expected] of [
    [10, 0.118],
    [25, 1],
    [60, 1],
    [120, 0.75],
    [240, 0.5],
  ] as const)
    assert.equal(urgency(minutes), expected);
});

test('merchant fit and user need, also without counts', () => {
  assert.equal(factors({ spare_capacity: null }).merchant_fit, 0.5);
  assert.equal(factors({ spare_capacity: 0 }).merchant_fit, 0.45);
  assert.equal(factors({ spare_capacity: 1 }).merchant_fit, 1);
  assert.equal(factors({ crowd: 0.05 }).user_need, 0.35);
  assert.equal(factors({ crowd: 0.5 }).user_need, 1);
  const unknown = momentQuality({ ...example, spare_capacity: null, merchants_known: false });
  assert.equal(unknown.factors.merchant_fit, null);
  assert.equal(unknown.mqs, 0.5944);
  assert.ok(unknown.reasons.every((reason) => !reason.startsWith('merchant_fit')));
});

test('the waking day', () => {
  const awake = (clock: string) => awakeness(singapore.hourOfDay(Date.parse(`2026-11-11T${clock}:00+08:00`)));
  for (const [clock, expected] of [
    ['00:00', 0],
    ['06:00', 0],
    ['07:15', 0.5],
    ['08:30', 1],
    ['21:30', 1],
    ['22:30', 0.5],
    ['23:30', 0],
  ] as const)
    assert.equal(awake(clock), expected);
});

test('bands by their thresholds, and decay from a recent high', () => {
  const table: [mqs: number, high: number, band: string][] = [
    [0, 0, 'silent'],
    [0.0399, 0, 'silent'],
    [0.04, 0, 'weak'],
    [0.1499, 0, 'weak'],
    [0.15, 0, 'forming'],
    [0.3199, 0, 'forming'],
    [0.32, 0, 'high_resonance'],
    [0.4999, 0, 'high_resonance'],
    [0.5, 0, 'peak'],
    [1, 0, 'peak'],
    [0.2, 0.31, 'forming'],
    [0.18, 0.32, 'decaying'],
    [0.192, 0.32, 'forming'],
    [0.35, 0.6, 'decaying'],
    [0.36, 0.6, 'high_resonance'],
    [0, 0.5, 'decaying'],
  ];
  for (const [mqs, high, band] of table) assert.equal(mqsBand(mqs, high, true), band, `${mqs} after ${high}`);
  assert.equal(mqsBand(0.4, 0.4, false), 'forming', 'high_resonance needs resonance');
  assert.equal(mqsBand(0.6, 0.6, false), 'peak');
});

const share = fc.double({ min: 0, max: 1, noNaN: true });
const inputs = fc
  .record({
    calm_probability: share,
    half_life_minutes: fc.integer({ min: 10, max: 240 }),
    hours: fc.integer({ min: 0, max: 95 }),
    stress: share,
    usual_stress: fc.option(share),
    lasted: fc.integer({ min: 0, max: 600 }),
    crowd: share,
    merchants_known: fc.boolean(),
    spare_capacity: fc.option(share),
    recent_high: share,
  })
  .map(({ calm_probability, half_life_minutes, hours, lasted, recent_high, ...rest }): MqsInput => {
    const now = at + hours * 15 * MINUTE;
    return {
      ...rest,
      moment: { ...moment, calm_probability, half_life_minutes },
      now,
      hour: singapore.hourOfDay(now),
      since: now - lasted * MINUTE,
      resonates: true,
      previous: { mqs: null, recent_high },
    };
  });

test('the score is the product of factors in 0..1', () => {
  fc.assert(
    fc.property(inputs, (input) => {
      const { mqs, factors } = momentQuality(input);
      const known = Object.values(factors).filter((factor) => factor !== null);
      for (const factor of known) assert.ok(factor >= 0 && factor <= 1);
      const product = known.reduce((all, factor) => all * factor, 1);
      assert.ok(Math.abs(mqs - product) <= 0.00005 + 1e-9);
    }),
  );
});

test('the first reason names the lowest factor and passes the voice rules', () => {
  fc.assert(
    fc.property(inputs, (input) => {
      const { factors, reasons } = momentQuality(input);
      const [first = '', second = ''] = reasons;
      const lowest = Math.min(...Object.values(factors).filter((factor) => factor !== null));
      const decides = mqsFactors.find((factor) => first.startsWith(`${factor} decides: `));
      assert.equal(decides && factors[decides], lowest, first);
      assert.ok(mqsFactors.some((factor) => second.startsWith(`${factor} is strongest`)));
      for (const reason of reasons) {
        assert.deepEqual(voiceFaults(reason), []);
        assert.equal(bareLevelIn(reason), null);
      }
    }),
  );
});

test('with no outlet open, the reason does not mention room', () => {
  const all = { usefulness: 1, urgency: 1, calmness: 1, merchant_fit: 0.5, user_need: 1 };
  assert.equal(mqsReasons(all, [])[0], 'merchant_fit decides: the outlets are full or closed');
  assert.deepEqual(mqsReasons(all, ['the moment is fragile']).at(-1), 'the moment is fragile');
});
