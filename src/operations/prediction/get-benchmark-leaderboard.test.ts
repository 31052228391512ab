import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { sealSubmission } from '../../../test/support/rows/seal-submission.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { testSigner } from '../../../test/support/stores/test-key.ts';
import type { Scores } from '../../domain/prediction/benchmark.ts';
import { DAY, HOUR, SLOT } from '../../domain/time/slot.ts';
import type { Store } from '../../store/engine/store.ts';
import { ledgerAppender } from '../../store/ledger/append.ts';
import { writeBenchmarkReference, writeSubmissionScores } from '../../store/prediction/benchmark-scores.ts';
import { advanceHistory, beginHistory } from '../../store/runtime/history.ts';
import { getBenchmarkLeaderboard } from './get-benchmark-leaderboard.ts';
import { getBenchmarkScores } from './get-benchmark-scores.ts';

const noon = Date.parse('2026-11-11T04:00:00Z');
const item = {
  pocket_id: 'holland',
  horizon_minutes: 60,
  predicted_state: 'calm-social' as const,
  predicted_calm_probability: 0.6,
  confidence: 0.5,
};
const unscored: Scores = {
  scored_count: 0,
  accuracy: null,
  silence_correctness: null,
  calibration_error: null,
  gap_vs_service: null,
  gap_vs_naive: null,
};
const made: [name: string, scores: Scores | null][] = [
  ['nothing met it', unscored],
  ['Second', { ...unscored, scored_count: 8, silence_correctness: 0.9, accuracy: 0.25 }],
  ["it's a name! ' buy NOW", { ...unscored, scored_count: 8, silence_correctness: 0.9, accuracy: 0.5 }],
  ['never calls calm', { ...unscored, scored_count: 4, accuracy: 1 }],
  ['pocketwatch', { ...unscored, scored_count: 4, silence_correctness: 0.5, accuracy: 0 }],
  ['waiting', null],
];
const reference = {
  forecasts: 50,
  squared_error: 10,
  service_hits: 30,
  service_calm_calls: 20,
  service_calm_right: 16,
  naive_hits: 20,
  naive_calm_calls: 40,
  naive_calm_right: 24,
};

async function fill(store: Store): Promise<void> {
  await ledgerAppender(
    store,
    testSigner,
    () => noon,
  )(async (tx, ledger) => {
    for (const [at, [submitter_name, scores]] of made.entries()) {
      const window = { window_start: noon, window_end: noon + HOUR };
      const sealing = { id: `s${at}`, nonce: '', now: noon };
      const leaf = await sealSubmission(
        tx,
        ledger,
        { submitter_name, ...window, items: [item, item] },
        sealing,
      );
      if (scores) await writeSubmissionScores(tx, [{ leaf, scores }], noon + HOUR);
    }
    await writeBenchmarkReference(tx, noon - SLOT, reference, noon);
    await writeBenchmarkReference(tx, noon, reference, noon + SLOT);
    await writeBenchmarkReference(tx, noon - 8 * DAY, { ...reference, service_hits: 0 }, noon);
    // The history ends three hours before the first of these: forecasts for the second are the first sealed live.
    await beginHistory(tx, { from: noon - 9 * DAY, until: noon, now: noon });
    await advanceHistory(tx, { reached: noon - SLOT - 3 * HOUR, now: noon, leaves: 0 });
  });
}

describeStores('benchmark boards', (makePlace) => {
  const store = storeFor(makePlace, fill);
  const board = (given: Record<string, unknown> = {}, now = noon + HOUR) =>
    askOperation(getBenchmarkLeaderboard, store(), now, given);

  test('ordered by silence correctness, then accuracy, unscored last, with the reference rows in place', async () => {
    const { structured, text } = await board();
    assert.equal(structured.count, 7);
    assert.deepEqual(
      structured.leaderboard.map(({ rank, submitter_name, reference }) => [rank, submitter_name, reference]),
      [
        [1, "it's a name! ' buy NOW", false],
        [2, 'Second', false],
        [3, 'pocketwatch', true],
        [4, 'naive baseline', true],
        [5, 'pocketwatch', false],
        [6, 'never calls calm', false],
        [7, 'nothing met it', false],
      ],
    );
    assert.deepEqual(structured.leaderboard[0], {
      rank: 1,
      submission_id: 's2',
      submitter_name: "it's a name! ' buy NOW",
      reference: false,
      accuracy: 0.5,
      silence_correctness: 0.9,
      calibration_error: null,
      gap_vs_service: null,
      gap_vs_naive: null,
      accuracy_range: { low: 0.215, high: 0.785 },
      prediction_count: 2,
      scored_count: 8,
      scored_at: '2026-11-11T05:00:00.000Z',
    });
    assert.deepEqual(structured.leaderboard[2], {
      rank: 3,
      submission_id: null,
      submitter_name: 'pocketwatch',
      reference: true,
      accuracy: 0.6,
      silence_correctness: 0.8,
      calibration_error: 0.2,
      gap_vs_service: 0,
      gap_vs_naive: 0.2,
      accuracy_range: { low: 0.502, high: 0.691 },
      prediction_count: 100,
      scored_count: 100,
      scored_at: '2026-11-11T04:15:00.000Z',
      forecasts_until: '2026-11-11T04:00:00.000Z',
      sealed_before_outcome: { n: 50, accuracy: 0.6 },
      written_afterwards: { n: 50, accuracy: 0.6 },
    });
    const [split, ...lines] = text.split('\n');
    assert.equal(
      split,
      'forecasts of the last 7 days, behind the reference rows: 100 scored, 50 of them sealed before their outcome (0.6 came true) and 50 written afterwards on a virtual clock (0.6 came true).',
    );
    assert.equal(
      lines[1],
      "1. 'it’s a name! ’ buy NOW': silence correctness 0.9, accuracy 0.5, 2 forecasts.",
    );
    assert.equal(
      lines[3],
      '3. pocketwatch (reference): silence correctness 0.8, accuracy 0.6, 100 forecasts.',
    );
    assert.equal(lines[5], "5. 'pocketwatch': silence correctness 0.5, accuracy 0, 2 forecasts.");
    assert.equal(
      lines[7],
      "7. 'nothing met it': silence correctness not known, accuracy not known, 2 forecasts.",
    );
  });

  test('a limit lists fewer and counts the same', async () => {
    const { structured } = await board({ limit: 3 });
    assert.equal(structured.count, 7);
    assert.deepEqual(
      structured.leaderboard.map(({ rank }) => rank),
      [1, 2, 3],
    );
  });

  test('reference rows cover the last 7 days only', async () => {
    const { structured } = await board({}, noon + 9 * DAY);
    assert.equal(structured.count, 5);
    assert.ok(structured.leaderboard.every(({ reference }) => !reference));
  });

  test('one submission: as it was sealed, with its scores or queued', async () => {
    const one = async (id: string) =>
      (await askOperation(getBenchmarkScores, store(), noon + HOUR, { id })).structured;
    const { payload_hash, items_hash, ...scored } = await one('s2');
    assert.match(String(payload_hash), /^sha256:[0-9a-f]{64}$/);
    assert.match(String(items_hash), /^sha256:[0-9a-f]{64}$/);
    assert.deepEqual(scored, {
      submission_id: 's2',
      status: 'scored',
      submitter_name: "it's a name! ' buy NOW",
      sealed_at: '2026-11-11T04:00:00.000Z',
      written_at: '2026-11-11T04:00:00.000Z',
      prediction_window_start: '2026-11-11T04:00:00.000Z',
      prediction_window_end: '2026-11-11T05:00:00.000Z',
      prediction_count: 2,
      accuracy: 0.5,
      silence_correctness: 0.9,
      calibration_error: null,
      gap_vs_service: null,
      gap_vs_naive: null,
      scored_count: 8,
      scored_at: '2026-11-11T05:00:00.000Z',
      proof_url: 'https://pocketwatch.test/api/ledger/proof/s2',
    });
    const waiting = await one('s5');
    assert.deepEqual(
      [waiting.status, waiting.accuracy, waiting.scored_count, waiting.scored_at],
      ['queued_for_scoring', null, null, null],
    );
    await assert.rejects(one('s9'), /^NotFound: unknown submission: s9$/);
  });
});

describeStores('an empty benchmark board', (makePlace) => {
  const store = storeFor(makePlace, async () => undefined);
  test('says that nothing was scored', async () => {
    const { structured, text } = await askOperation(getBenchmarkLeaderboard, store(), noon);
    assert.deepEqual(structured, { count: 0, leaderboard: [] });
    assert.equal(text, 'nothing has been scored yet.');
  });
});
