import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { situation } from '../../../test/support/rows/example-moment.ts';
import { bareLevelIn, voiceFaults } from '../text/voice.ts';
import { assessMoment, weigh } from './decide.ts';
import {
  computeLegitimacy,
  dominantFactor,
  factorCost,
  type LegitimacyFactors,
  legitimacyBandAt,
  legitimacyFactors,
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
  computeLegitimacy({ ...best, ...more }, moment);

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
    assert.equal(legitimacyBandAt(value), band);
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
      ['fatigue over it', { fatigue: 0.8501 }, willing, ['fatigue is over its limit: silence is forced']],
      ['saturation at its limit', { saturation: 0.8 }, willing, []],
      [
        'saturation over it',
        { saturation: 0.801 },
        willing,
        ['saturation is over its limit: silence is forced'],
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
      assert.equal(band, legitimacyBandAt(legitimacy_score), 'the score is not bent');
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
      const at = (value: number) => computeLegitimacy({ ...factors, [factor]: value }, willing);
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
      const { legitimacy_score, reasoning, recommendation, band } = computeLegitimacy(factors, willing);
      assert.ok(legitimacy_score >= 0 && legitimacy_score <= 100);
      const ofFactors = reasoning.slice(-legitimacyFactors.length);
      assert.ok(ofFactors[0]?.startsWith(`${dominantFactor(factors)} `));
      for (const line of reasoning) {
        assert.deepEqual(voiceFaults(line), []);
        assert.equal(bareLevelIn(line), null);
      }
      assert.equal(recommendation === 'emit', band === 'legitimate' && reasoning.length === ofFactors.length);
    }),
  );
});

test('the words of a factor agree with what it costs', () => {
  const line = (more: Partial<LegitimacyFactors>, factor: keyof LegitimacyFactors) =>
    score(more).reasoning.find((text) => text.startsWith(`${factor} `));
  const table: [more: Partial<LegitimacyFactors>, factor: keyof LegitimacyFactors, text: string][] = [
    [{ expected_value: 0.89 }, 'expected_value', 'costs 5 of 45 points: nearly all that a line can bring'],
    [{ expected_value: 0.48 }, 'expected_value', 'costs 23 of 45 points: part of what a line can bring'],
    [{ expected_value: 0.2 }, 'expected_value', 'costs 36 of 45 points: little of what a line can bring'],
    [
      { environmental_alignment: 0.5 },
      'environmental_alignment',
      'costs 20 of 40 points: the surroundings help only in part',
    ],
    [{ saturation: 0 }, 'saturation', 'costs none of 30 points: little or nothing was said here lately'],
    [
      { saturation: 0.03 },
      'saturation',
      'costs under 1 of 30 points: little or nothing was said here lately',
    ],
    [{ saturation: 0.5 }, 'saturation', 'costs 15 of 30 points: much was said here lately'],
    [{ fatigue: 0.4 }, 'fatigue', 'costs 10 of 25 points: attention is somewhat tired'],
  ];
  for (const [more, factor, text] of table) assert.equal(line(more, factor), `${factor} ${text}`);
});

test('what the factors cost adds up to what the score lacks', () => {
  fc.assert(
    fc.property(anyFactors, (factors) => {
      const costs = legitimacyFactors.map((factor) => factorCost(factors, factor).points);
      // 103 before the clamp: what a moment without any cost would score.
      const raw = 103 - costs.reduce((sum, points) => sum + points, 0);
      const { legitimacy_score } = computeLegitimacy(factors, willing);
      assert.ok(Math.abs(Math.min(100, Math.max(0, raw)) - legitimacy_score) < 0.35);
    }),
  );
});
