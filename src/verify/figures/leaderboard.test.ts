import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { wrongBoard } from './leaderboard.ts';
import { RIGHT, Tally } from './tally.ts';

const SEALED = '2026-10-01T00:00:00.000Z';
const END = '2026-10-01T06:00:00.000Z';
const head = { size: 1, root: '', written_at: '2026-10-10T00:00:00.000Z' };

const items = JSON.stringify({
  nonce: '00',
  predictions: [
    {
      confidence: 0.8,
      horizon_minutes: 60,
      pocket_id: 'holland',
      predicted_calm_probability: 0.65,
      predicted_state: 'calm-social',
    },
  ],
});

/** The worked example of docs/formulas.md, "Benchmark". */
function example(): Tally {
  const tally = new Tally();
  const observed: [state: string, calm: number, right: number][] = [
    ['calm-social', 0.6, RIGHT.service | RIGHT.naive],
    ['calm-restful', 0.85, RIGHT.service],
    ['lively-social', 0.4, RIGHT.service | RIGHT.naive],
    ['calm-social', 0.9, RIGHT.service],
  ];
  for (const [at, [state, calm, right]] of observed.entries()) {
    const sealedAt = Date.parse(SEALED) / 1000 + at * 900;
    const row = {
      pocket: tally.nameNumber('holland'),
      horizon: 60,
      sealedAt,
      revealAt: sealedAt + 3600,
      revealedAt: sealedAt + 3602,
      confidence: 0.9,
      state: tally.nameNumber(state),
      calm,
      right,
    };
    for (const [name, value] of Object.entries(row)) tally.rows[name as keyof typeof row].push(value);
  }
  tally.submissions.push({
    leaf: 0,
    id: 'known',
    payload: {
      submitter_name: 'a',
      sealed_at: SEALED,
      prediction_window_start: SEALED,
      prediction_window_end: END,
      prediction_count: 1,
      detached: { hash: `sha256:${hash('sha256', items, 'hex')}`, bytes: items.length },
    },
  });
  return tally;
}

const row = (changed: object = {}) => ({
  rank: 1,
  submission_id: 'known',
  submitter_name: 'a',
  prediction_count: 1,
  scored_count: 4,
  accuracy: 0.25,
  silence_correctness: 0.75,
  calibration_error: 0.49,
  gap_vs_service: -0.75,
  gap_vs_naive: -0.25,
  scored_at: END,
  ...changed,
});

const wrong = (leaderboard: object[], count = leaderboard.length, at = head, computed_at = '') =>
  wrongBoard(async () => Buffer.from(items), { count, leaderboard, _meta: { computed_at } }, example(), at);

test('a row whose figures follow from its items and the rows is right', async () => {
  assert.equal(await wrong([row()]), undefined);
});

test('names the figure that differs, with both values', async () => {
  for (const [field, value, computed] of [
    ['scored_count', 5, 4],
    ['accuracy', 0.5, 0.25],
    ['silence_correctness', null, 0.75],
    ['calibration_error', 0.4, 0.49],
    ['gap_vs_service', 0, -0.75],
    ['gap_vs_naive', 0, -0.25],
    ['submitter_name', 'b', 'a'],
    ['prediction_count', 2, 1],
  ] as const)
    assert.equal(
      await wrong([row({ [field]: value })]),
      `/api/benchmark/scores known ${field} is served as ${JSON.stringify(value)}, but the rows give ${JSON.stringify(computed)}`,
    );
  // What was revealed after the scoring does not count.
  assert.match(
    String(await wrong([row({ scored_at: '2026-10-01T01:00:02.000Z' })])),
    /scored_count .* give 1$/,
  );
});

test('finds a row of no submission, a wrong order, and a submission that is missing', async () => {
  assert.match(String(await wrong([row({ submission_id: 'other' })])), /other is no submission of the log/);
  assert.match(String(await wrong([row({ rank: 2 })])), /rank is served as 2/);
  assert.match(String(await wrong([], 0)), /lacks known, whose window has closed/);
  assert.equal(await wrong([], 1), undefined, 'a board with more rows than are listed may have it');
  assert.equal(await wrong([], 0, { ...head, written_at: '2026-10-03T06:00:00.000Z' }), undefined);
  const second = row({ rank: 2, silence_correctness: 0.8 });
  assert.match(String(await wrong([row(), second])), /rank|silence_correctness/);
});

test('a reference row says up to which time it counts, and lags by an hour at most', async () => {
  // The four forecasts are for 01:00 to 01:45.
  const now = '2026-10-01T02:00:02.000Z';
  const reference = (forecasts_until: string | undefined, scored_count: number, right: number) => ({
    rank: 1,
    submission_id: null,
    submitter_name: 'pocketwatch',
    scored_count,
    accuracy: right / scored_count,
    silence_correctness: null,
    calibration_error: 0.01,
    gap_vs_service: 0,
    gap_vs_naive: 0.5,
    forecasts_until,
    // What is counted does not follow from when: a slot that was missed is counted late.
    scored_at: '2026-10-01T02:00:02.000Z',
  });
  const board = (row: object, at = now) => wrong([row], 1, { ...head, written_at: now }, at);
  assert.equal(await board(reference('2026-10-01T01:45:00.000Z', 4, 4)), undefined);
  assert.equal(await board(reference('2026-10-01T01:15:00.000Z', 2, 2)), undefined);
  assert.match(String(await board(reference('2026-10-01T01:30:00.000Z', 4, 4))), /scored_count .* give 3$/);
  for (const until of [undefined, '2026-10-01T00:30:00.000Z', '2026-10-01T02:15:00.000Z'])
    assert.match(String(await board(reference(until, 4, 4))), /counts forecasts up to/);
});
