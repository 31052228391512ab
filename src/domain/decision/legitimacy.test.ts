import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { situation } from '../../../test/support/rows/example-moment.ts';
import { faultsOf } from '../text/voice.ts';
import { HOUR } from '../time/sgt.ts';
import { assessMoment, weigh } from './decide.ts';
import {
  bandOf,
  dominantFactor,
  fatigueOf,
  type LegitimacyFactors,
  legitimacyFactors,
  legitimacyOf,
} from './legitimacy.ts';

const willing = { should_stay_silent: false, silence_reasons: [] };
const best: LegitimacyFactors = {
  environmental_alignment: 1,
  fatigue: 0,
  saturation: 0,
  merchant_pressure: 0,
  expected_value: 1,
};
const score = (more: Partial<LegitimacyFactors>, moment = willing) =>
  legitimacyOf({ ...best, ...more }, moment);

test('the worked example of docs/formulas.md', () => {
  const { legitimacy } = weigh(situation, assessMoment(situation));
  assert.deepEqual(legitimacy.factors, {
    environmental_alignment: 0.778,
    fatigue: 0.15,
    saturation: 0.15,
    merchant_pressure: 0.3,
    expected_value: 0.908,
  });
  assert.equal(legitimacy.legitimacy_score, 78.7);
  assert.equal(legitimacy.band, 'legitimate');
  assert.equal(legitimacy.recommendation, 'emit');
});

test('bands by their exact thresholds', () => {
  for (const [value, band] of [
    [0, 'remain_silent'],
    [39.9, 'remain_silent'],
    [40, 'borderline'],
    [69.9, 'borderline'],
    [70, 'legitimate'],
    [100, 'legitimate'],
  ] as const)
    assert.equal(bandOf(value), band);
});

test('the recommendation follows the band', () => {
  assert.equal(score({}).legitimacy_score, 100);
  assert.equal(score({}).recommendation, 'emit');
  const borderline = score({ expected_value: 0.1 });
  assert.deepEqual(
    [borderline.legitimacy_score, borderline.band, borderline.recommendation],
    [62.5, 'borderline', 'borderline_remain_silent'],
  );
  const silent = score({ expected_value: 0, environmental_alignment: 0.5 });
  assert.deepEqual(
    [silent.legitimacy_score, silent.band, silent.recommendation],
    [38, 'remain_silent', 'remain_silent'],
  );
});

describe('hard overrides', () => {
  const sleepy = {
    should_stay_silent: true,
    silence_reasons: ['it is an hour for sleep', 'the pocket is tense'],
  };
  const table: [name: string, more: Partial<LegitimacyFactors>, moment: typeof willing, reasons: string[]][] =
    [
      ['none', {}, willing, []],
      ['fatigue at its limit', { fatigue: 0.85 }, willing, []],
      ['fatigue over it', { fatigue: 0.8501 }, willing, ['fatigue 0.8501 is over 0.85: silence is forced']],
      ['saturation at its limit', { saturation: 0.8 }, willing, []],
      [
        'saturation over it',
        { saturation: 0.801 },
        willing,
        ['saturation 0.801 is over 0.8: silence is forced'],
      ],
      [
        'the moment',
        {},
        sleepy as typeof willing,
        ['the moment asks for silence: it is an hour for sleep; the pocket is tense'],
      ],
    ];
  for (const [name, more, moment, reasons] of table) {
    test(name, () => {
      const { recommendation, reasoning, band, legitimacy_score } = score(more, moment);
      assert.deepEqual(reasoning.slice(0, -legitimacyFactors.length), reasons);
      if (reasons.length) assert.equal(recommendation, 'remain_silent');
      else assert.notEqual(recommendation, 'remain_silent');
      assert.equal(band, bandOf(legitimacy_score), 'the score is not bent');
    });
  }

  test('several overrides are all listed', () => {
    const { reasoning } = score({ fatigue: 1, saturation: 1 }, sleepy as typeof willing);
    assert.equal(reasoning.length, 3 + legitimacyFactors.length);
  });
});

const share = fc.double({ min: 0, max: 1, noNaN: true });
const anyFactors = fc.record(
  Object.fromEntries(legitimacyFactors.map((factor) => [factor, share])) as Record<
    keyof LegitimacyFactors,
    typeof share
  >,
);

test('more fatigue, saturation or pressure never raises the score; more alignment or value never lowers it', () => {
  fc.assert(
    fc.property(anyFactors, fc.constantFrom(...legitimacyFactors), share, (factors, factor, more) => {
      const [low, high] = [Math.min(factors[factor], more), Math.max(factors[factor], more)];
      const at = (value: number) => legitimacyOf({ ...factors, [factor]: value }, willing);
      const raises = factor === 'environmental_alignment' || factor === 'expected_value';
      const [least, most] = raises ? [low, high] : [high, low];
      assert.ok(at(least).legitimacy_score <= at(most).legitimacy_score);
      const rank = { remain_silent: 0, borderline_remain_silent: 1, emit: 2 };
      assert.ok(rank[at(least).recommendation] <= rank[at(most).recommendation]);
    }),
  );
});

test('the score lies in 0..100, and the factor that costs most is listed first', () => {
  fc.assert(
    fc.property(anyFactors, (factors) => {
      const { legitimacy_score, reasoning, recommendation, band } = legitimacyOf(factors, willing);
      assert.ok(legitimacy_score >= 0 && legitimacy_score <= 100);
      const ofFactors = reasoning.slice(-legitimacyFactors.length);
      assert.ok(ofFactors[0]?.startsWith(`${dominantFactor(factors)} `));
      for (const line of reasoning) assert.deepEqual(faultsOf(line), []);
      assert.equal(recommendation === 'emit', band === 'legitimate' && reasoning.length === ofFactors.length);
    }),
  );
});

test('fatigue: as given, else decaying since the last dismissal, else the minimum', () => {
  const now = Date.parse('2026-11-11T04:00:00Z');
  assert.equal(fatigueOf({}, now), 0.15);
  assert.equal(fatigueOf({ fatigue_score: 0 }, now), 0);
  assert.equal(fatigueOf({ fatigue_score: 0.4, last_dismissal_at: now }, now), 0.4);
  assert.equal(fatigueOf({ last_dismissal_at: now }, now), 1);
  assert.equal(fatigueOf({ last_dismissal_at: now - 6 * HOUR }, now), 0.5);
  assert.equal(fatigueOf({ last_dismissal_at: now - 12 * HOUR }, now), 0.25);
  assert.equal(fatigueOf({ last_dismissal_at: now - 48 * HOUR }, now), 0.15);
  assert.equal(fatigueOf({ last_dismissal_at: now + HOUR }, now), 1);
});
