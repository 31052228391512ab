import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { type DecisionFixture, writeDecisions } from '../../../test/support/rows/decisions.ts';
import { writeForecasts } from '../../../test/support/rows/forecasts.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { DAY, SLOT } from '../../domain/time/slot.ts';
import { ledgerSize } from '../../store/ledger/ledger-reads.ts';
import { advanceHistory, beginHistory } from '../../store/runtime/history.ts';
import type { AnswerOf } from '../core/define.ts';
import { getTrustReport } from './get-trust-report.ts';

const noon = Date.parse('2026-11-11T04:00:00Z');

const made: DecisionFixture[] = [
  { slot: noon - 10 * DAY, gate: null },
  { slot: noon - 9 * SLOT, gate: null, tier: 'experience', vindicated: true },
  { slot: noon - 8 * SLOT, gate: null, vindicated: false },
  { slot: noon - 7 * SLOT, gate: null },
  { slot: noon - 10 * SLOT, gate: 'resonance', vindicated: true },
  { slot: noon - 5 * SLOT, gate: 'resonance', vindicated: false },
  { slot: noon - 4 * SLOT, gate: 'why_now', vindicated: false },
  { pocket: 'dempsey', slot: noon - 4 * SLOT, gate: 'why_now', vindicated: false },
  { pocket: 'holland', slot: noon - 4 * SLOT, gate: 'why_now', vindicated: null },
  { slot: noon, gate: 'resonance', reason: 'resonance_time' },
  { pocket: 'dempsey', slot: noon, gate: null, pause: 'already_speaking' },
  { pocket: 'dempsey', slot: noon - 50 * SLOT, gate: null, pause: 'quiet_hours' },
  { pocket: 'dempsey', slot: noon - 51 * SLOT, gate: null, pause: 'quiet_hours' },
];

const split = (before: number, right: number | null, afterwards: number, rightThen: number | null) => ({
  sealed_before_outcome: { n: before, accuracy: right },
  written_afterwards: { n: afterwards, accuracy: rightThen },
});

const cells = (
  ...[spoke_served, spoke_failed, silent_right, silent_wrong, inconclusive]: [
    number,
    number,
    number,
    number,
    number,
  ]
) => ({ spoke_served, spoke_failed, silent_right, silent_wrong, inconclusive });

/** All outcomes are of waking hours. */
const parts = (accuracy: number | null, baseline: number | null, n: number) => ({
  waking_hours: { accuracy, baseline, n },
  nights: { accuracy: null, baseline: null, n: 0 },
});
const scored = {
  ...{ accuracy: 0.5, baseline: 0, n: 4, brier_score: 0.234 },
  ...parts(0.5, 0, 4),
  ...split(3, 0.333, 1, 1),
};
/** The simple forecasts have their own test; here it is how many forecasts each was compared on. */
function withCounts({ predictions, ...report }: AnswerOf<typeof getTrustReport>) {
  const { baselines, ...others } = predictions;
  return { ...report, predictions: others, compared: baselines.map(({ name, n }) => [name, n]) };
}

describeStores('get_trust_report', (makePlace) => {
  const store = storeFor(makePlace, async (store) => {
    await writeDecisions(store, made);
    await writeForecasts(store, [
      { slot: noon - 8 * SLOT, score: 1 },
      { slot: noon - 7 * SLOT, score: 0.5 },
      { slot: noon - 6 * SLOT, score: 0.49, error: 'weather_miss' },
      { slot: noon - 6 * SLOT, pocket: 'dempsey', score: 0, confidence: 0.5, error: 'weather_miss' },
      { slot: noon - 5 * SLOT, score: null },
      { slot: noon },
      { slot: noon, generator: 'offer_intensity' },
      { slot: noon - 8 * SLOT, generator: 'on_trial', score: 0, error: 'timing_miss', shadow: true },
      { slot: noon - 9 * DAY, score: 0, error: 'timing_miss' },
    ]);
    await store.transaction(async (tx) => {
      await beginHistory(tx, { from: noon - 20 * DAY, until: noon, now: noon });
      await advanceHistory(tx, { reached: noon - 8 * SLOT, now: noon, leaves: (await ledgerSize(tx)) ?? 0 });
    });
  });
  const ask = (given: Record<string, unknown> = {}, now = noon) =>
    askOperation(getTrustReport, store(), now, given);

  test('what was said, what was held back, and how often that was right', async () => {
    const { structured, text } = await ask();
    assert.deepEqual(withCounts(structured), {
      compared: [
        ['same_hour_last_week', 0],
        ['persistence', 0],
        ['naive', 4],
      ],
      window: '7d',
      signals_emitted: {
        total: 3,
        by_tier: [
          { tier: 'atmosphere', count: 2 },
          { tier: 'experience', count: 1 },
        ],
      },
      signals_withheld: {
        total: 6,
        by_gate: [
          { gate: 'resonance', count: 3 },
          { gate: 'why_now', count: 3 },
        ],
        by_reason: [
          { reason: 'why_now', reason_text: 'no reason to say it at this hour', count: 3 },
          {
            reason: 'resonance_physical',
            reason_text: 'not enough reasons to speak, mainly because of rain, heat or heavy air',
            count: 2,
          },
          {
            reason: 'resonance_time',
            reason_text: 'not enough reasons to speak, mainly because of the early or late hour',
            count: 1,
          },
        ],
      },
      already_speaking_count: 1,
      quiet_hours_count: 2,
      predictions: {
        total_sealed: 7,
        total_revealed: 4,
        overall_accuracy: 0.667,
        overall_count: 3,
        filter: { min_confidence: 0.68, min_completeness: 0.75, include_shadow: false },
        ...parts(0.667, 0, 3),
        ...split(2, 0.5, 1, 1),
        all_forecasts: scored,
        state_forecasts: scored,
        by_generator: [
          { generator: 'offer_intensity', sealed: 1, n: 0, accuracy: null },
          { generator: 'pocket_projection_60m', sealed: 6, n: 4, accuracy: 0.5 },
        ],
      },
      silence_correctness: {
        total_revealed: 4,
        vindicated: 1,
        missed: 3,
        vindication_rate: 0.25,
        inconclusive_count: 1,
        sealed_before_outcome: { n: 3, vindication_rate: 0 },
        written_afterwards: { n: 1, vindication_rate: 1 },
      },
      failure_analysis: [
        { kind: 'missed_silence', gate: 'why_now', count: 2 },
        { kind: 'missed_silence', gate: 'resonance', count: 1 },
        { kind: 'failed_line', outcome: 'did_not_hold', count: 1 },
        { kind: 'weather_miss', count: 2 },
      ],
      waking_time: { minutes_said: 60, minutes_silent: 90, share_said: 0.4 },
      decisions_judged: cells(1, 1, 1, 3, 1),
      per_pocket: [
        { pocket_id: 'dempsey', decisions_judged: cells(0, 0, 0, 1, 0) },
        { pocket_id: 'holland', decisions_judged: cells(0, 0, 0, 0, 1) },
        { pocket_id: 'tiongbahru', decisions_judged: cells(1, 1, 1, 2, 0) },
      ],
    });
    assert.equal(
      text,
      'over the last 7d, forecasts: 4 scored, 3 of them sealed before their outcome (0.333 came true) and 1 written afterwards on a virtual clock (1 came true). a line was live for 40.0\u00a0% of waking time: 60 minutes said, 90 minutes silent. in waking hours 3 said, 6 held back; of 2 lines judged 1 served (50.0\u00a0%), of 4 silences 1 was right (25.0\u00a0%); 1 could not be judged. lines that failed: 1 did not hold. silences that were wrong, by the gate that closed: 2 by why_now, 1 by resonance. counted apart: 1 quarter hour with a line still live, 2 at night. 7 forecasts sealed, 4 scored. of 4 state forecasts 0.5 came true, in waking hours 0.5 of 4: the service is 50.0 points ahead of the naive baseline (0 of 4). with confidence from 0.68 and completeness from 0.75: 0.667 of 3 came true, in waking hours 0.667 of 3.',
    );
  });

  test('a longer window counts more', async () => {
    assert.equal((await ask({ window: '14d' })).structured.signals_emitted.total, 4);
  });

  test('nothing to judge gives null', async () => {
    const { structured, text } = await ask({}, noon - 60 * DAY);
    assert.deepEqual(withCounts(structured), {
      compared: [
        ['same_hour_last_week', 0],
        ['persistence', 0],
        ['naive', 0],
      ],
      window: '7d',
      signals_emitted: { total: 0, by_tier: [] },
      signals_withheld: { total: 0, by_gate: [], by_reason: [] },
      already_speaking_count: 0,
      quiet_hours_count: 0,
      predictions: {
        ...{ total_sealed: 0, total_revealed: 0, overall_accuracy: null, overall_count: 0 },
        filter: { min_confidence: 0.68, min_completeness: 0.75, include_shadow: false },
        ...parts(null, null, 0),
        ...split(0, null, 0, null),
        all_forecasts: {
          accuracy: null,
          baseline: null,
          n: 0,
          brier_score: null,
          ...parts(null, null, 0),
          ...split(0, null, 0, null),
        },
        state_forecasts: {
          accuracy: null,
          baseline: null,
          n: 0,
          brier_score: null,
          ...parts(null, null, 0),
          ...split(0, null, 0, null),
        },
        by_generator: [],
      },
      silence_correctness: {
        total_revealed: 0,
        vindicated: 0,
        missed: 0,
        vindication_rate: null,
        inconclusive_count: 0,
        sealed_before_outcome: { n: 0, vindication_rate: null },
        written_afterwards: { n: 0, vindication_rate: null },
      },
      failure_analysis: [],
      waking_time: { minutes_said: 0, minutes_silent: 0, share_said: null },
      decisions_judged: cells(0, 0, 0, 0, 0),
      per_pocket: [],
    });
    assert.match(
      text,
      /no waking time was observed\. .* no line was judged, no silence was judged\. counted apart: 0 .* at night\. 0 forecasts sealed, none revealed yet\.$/,
    );
  });
});
