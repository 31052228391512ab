import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { primaryStates } from '../atmosphere/primary-state.ts';
import {
  addToReference,
  type CanonicalRow,
  compareScores,
  isHit,
  referenceScores,
  type StateAndCalm,
  scoresOfTally,
  tallyItems,
} from './benchmark.ts';
import type { BenchmarkItem } from './submission.ts';

const scoreItems = (items: readonly BenchmarkItem[], rows: readonly CanonicalRow[]) =>
  scoresOfTally(tallyItems(items, rows));
const stateAndCalm = (state: StateAndCalm['state'], calm: number): StateAndCalm => ({ state, calm });
const restful = stateAndCalm('calm-restful', 0.9);

const row = (observed: StateAndCalm, more: Partial<CanonicalRow> = {}): CanonicalRow => ({
  pocket_id: 'holland',
  horizon_minutes: 60,
  sealed_at: 0,
  reveal_at: 0,
  confidence: 0.5,
  service: restful,
  naive: restful,
  observed,
  ...more,
});
const item = (
  state: StateAndCalm['state'],
  calm: number,
  more: Partial<BenchmarkItem> = {},
): BenchmarkItem => ({
  pocket_id: 'holland',
  horizon_minutes: 60,
  predicted_state: state,
  predicted_calm_probability: calm,
  confidence: 0.5,
  ...more,
});
const nothing = {
  scored_count: 0,
  accuracy: null,
  silence_correctness: null,
  calibration_error: null,
  gap_vs_service: null,
  gap_vs_naive: null,
};

describe('a hit', () => {
  const cases: [forecast: StateAndCalm, observed: StateAndCalm, hit: boolean][] = [
    [stateAndCalm('calm-social', 0.7), stateAndCalm('calm-social', 0.7), true],
    [stateAndCalm('calm-social', 0.9), stateAndCalm('calm-social', 0.7), true],
    [stateAndCalm('calm-social', 0.5), stateAndCalm('calm-social', 0.7), true],
    [stateAndCalm('calm-social', 0.3), stateAndCalm('calm-social', 0.1), true],
    [stateAndCalm('calm-social', 0.901), stateAndCalm('calm-social', 0.7), false],
    [stateAndCalm('calm-social', 0.499), stateAndCalm('calm-social', 0.7), false],
    [stateAndCalm('calm-social', 0.7), stateAndCalm('calm-restful', 0.7), false],
  ];
  for (const [forecast, observed, hit] of cases) {
    test(`${forecast.state} ${forecast.calm} where it was ${observed.state} ${observed.calm}: ${hit}`, () =>
      assert.equal(isHit(forecast, observed), hit));
  }
});

test('the worked example of docs/formulas.md', () => {
  const rows = [
    row(stateAndCalm('calm-social', 0.6), {
      service: stateAndCalm('calm-social', 0.65),
      naive: stateAndCalm('calm-social', 0.65),
    }),
    row(stateAndCalm('calm-restful', 0.85), {
      service: stateAndCalm('calm-restful', 0.8),
      naive: stateAndCalm('calm-social', 0.65),
    }),
    row(stateAndCalm('lively-social', 0.4), {
      service: stateAndCalm('lively-social', 0.45),
      naive: stateAndCalm('lively-social', 0.42),
    }),
    row(stateAndCalm('calm-social', 0.9), {
      service: stateAndCalm('calm-social', 0.8),
      naive: stateAndCalm('calm-social', 0.65),
    }),
  ];
  assert.deepEqual(scoreItems([item('calm-social', 0.65, { confidence: 0.8 })], rows), {
    scored_count: 4,
    accuracy: 0.25,
    silence_correctness: 0.75,
    calibration_error: 0.49,
    gap_vs_service: -0.75,
    gap_vs_naive: -0.25,
  });
});

test('an item is scored on the rows of its pocket and horizon, and an average of nothing is null', () => {
  const rows = [row(restful), row(restful, { horizon_minutes: 120 }), row(restful, { pocket_id: 'siglap' })];
  assert.equal(scoreItems([item('calm-restful', 0.9)], rows).scored_count, 1);
  assert.deepEqual(scoreItems([item('calm-restful', 0.9, { horizon_minutes: 180 })], rows), nothing);
  assert.deepEqual(scoreItems([item('calm-restful', 0.9)], []), nothing);
  const neverCalm = scoreItems([item('tense-crowded', 0.1)], rows);
  assert.equal(neverCalm.silence_correctness, null);
  assert.equal(neverCalm.accuracy, 0);
});

const anyState = fc.constantFrom(...primaryStates);
const share = fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000);
const anyStateAndCalm = fc.record({ state: anyState, calm: share });
const anyRow = fc
  .record({ observed: anyStateAndCalm, service: anyStateAndCalm, naive: anyStateAndCalm, confidence: share })
  .map(({ observed, ...more }) => row(observed, more));

test('submitting the service’s own forecast of a row gives a gap of 0', () => {
  fc.assert(
    fc.property(anyRow, share, (only, confidence) => {
      const { state, calm } = only.service;
      const scores = scoreItems([item(state, calm, { confidence })], [only]);
      assert.equal(scores.gap_vs_service, 0);
      assert.equal(scores.accuracy, Number(isHit(only.service, only.observed)));
    }),
  );
});

test('for any submission, shares lie in 0..1 and gaps in -1..1', () => {
  const items = fc.array(
    fc
      .record({ ...{ state: anyState, calm: share, confidence: share } })
      .map((given) => item(given.state, given.calm, { confidence: given.confidence })),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(items, fc.array(anyRow, { maxLength: 12 }), (items, rows) => {
      const { scored_count, gap_vs_service, gap_vs_naive, ...shares } = scoreItems(items, rows);
      assert.equal(scored_count, items.length * rows.length);
      for (const value of Object.values(shares)) assert.ok(value === null || (value >= 0 && value <= 1));
      for (const gap of [gap_vs_service, gap_vs_naive]) assert.ok(gap === null || (gap >= -1 && gap <= 1));
    }),
  );
});

test('scores are those of comparing every item with every row', () => {
  const level = fc.integer({ min: 0, max: 20 }).map((n) => n / 20);
  const anyState = fc.record({ state: fc.constantFrom(...primaryStates), calm: level });
  const pocket_id = fc.constantFrom('holland', 'siglap');
  const anyRow = fc
    .record({ pocket_id, observed: anyState, service: anyState, naive: anyState })
    .map(({ observed, ...more }) => row(observed, more));
  const anyItem = fc
    .record({ pocket_id, forecast: anyState, confidence: level })
    .map(({ forecast, ...more }) => item(forecast.state, forecast.calm, more));
  fc.assert(
    fc.property(fc.array(anyItem, { maxLength: 20 }), fc.array(anyRow, { maxLength: 40 }), (items, rows) => {
      const pairs = items.flatMap((one) =>
        rows.filter((row) => row.pocket_id === one.pocket_id).map((row) => ({ one, row })),
      );
      const calledState = ({ predicted_state, predicted_calm_probability }: BenchmarkItem) =>
        stateAndCalm(predicted_state, predicted_calm_probability);
      const hits = pairs.filter(({ one, row }) => isHit(calledState(one), row.observed)).length;
      const service = pairs.filter(({ row }) => isHit(row.service, row.observed)).length;
      const errors = pairs.map(
        ({ one, row }) => (one.confidence - Number(isHit(calledState(one), row.observed))) ** 2,
      );
      const { scored_count, accuracy, gap_vs_service, calibration_error } = scoreItems(items, rows);
      assert.equal(scored_count, pairs.length);
      if (!pairs.length) return;
      const near = (value: number | null, expected: number) =>
        assert.ok(Math.abs((value ?? Number.NaN) - expected) < 0.000_501, `${value} ${expected}`);
      near(accuracy, hits / pairs.length);
      near(gap_vs_service, (hits - service) / pairs.length);
      near(calibration_error, errors.reduce((sum, error) => sum + error, 0) / pairs.length);
    }),
  );
});

test('the reference sums of a window are the sums of its parts', () => {
  fc.assert(
    fc.property(fc.array(anyRow, { maxLength: 10 }), fc.array(anyRow, { maxLength: 10 }), (a, b) => {
      const [one, two, both] = [addToReference(a), addToReference(b), addToReference([...a, ...b])];
      for (const [name, sum] of Object.entries(both)) {
        const parts = one[name as keyof typeof one] + two[name as keyof typeof two];
        assert.ok(Math.abs(sum - parts) < 1e-9, name);
      }
      const { service, naive } = referenceScores(both);
      assert.equal(service.gap_vs_service, a.length + b.length ? 0 : null);
      assert.equal(naive.gap_vs_naive, a.length + b.length ? 0 : null);
      assert.equal(naive.calibration_error, null);
    }),
  );
});

test('scores are sorted by silence correctness, then accuracy, nulls last', () => {
  const board: [silence_correctness: number | null, accuracy: number | null][] = [
    [null, 0.9],
    [0.5, 0.4],
    [0.8, null],
    [0.8, 0.2],
    [null, null],
    [0.5, 0.6],
    [0, 0],
  ];
  const sorted = board
    .map(([silence_correctness, accuracy]) => ({ silence_correctness, accuracy }))
    .toSorted(compareScores)
    .map(({ silence_correctness, accuracy }) => [silence_correctness, accuracy]);
  assert.deepEqual(sorted, [
    [0.8, 0.2],
    [0.8, null],
    [0.5, 0.6],
    [0.5, 0.4],
    [0, 0],
    [null, 0.9],
    [null, null],
  ]);
});
