import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { type DecisionFixture, writeDecisions } from '../../../test/support/rows/decisions.ts';
import { writeForecasts } from '../../../test/support/rows/forecasts.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { DAY, SLOT } from '../../domain/time/sgt.ts';
import { getTrustReport } from './get-trust-report.ts';

const noon = Date.parse('2026-11-11T04:00:00Z');

const made: DecisionFixture[] = [
  { slot: noon - 10 * DAY, gate: null },
  { slot: noon - 9 * SLOT, gate: null, tier: 'experience' },
  { slot: noon - 8 * SLOT, gate: null },
  { slot: noon - 7 * SLOT, gate: null },
  { slot: noon - 6 * SLOT, gate: 'resonance', vindicated: true },
  { slot: noon - 5 * SLOT, gate: 'resonance', vindicated: false },
  { slot: noon - 4 * SLOT, gate: 'why_now', vindicated: false },
  { pocket: 'dempsey', slot: noon - 4 * SLOT, gate: 'why_now', vindicated: false },
  { pocket: 'holland', slot: noon - 4 * SLOT, gate: 'why_now', vindicated: null },
  { slot: noon, gate: 'resonance', reason: 'resonance_time' },
  { pocket: 'dempsey', slot: noon, gate: null, pause: 'already_speaking' },
  { pocket: 'dempsey', slot: noon - 50 * SLOT, gate: null, pause: 'quiet_hours' },
  { pocket: 'dempsey', slot: noon - 51 * SLOT, gate: null, pause: 'quiet_hours' },
];

describeStores('get_trust_report', (makePlace) => {
  const store = storeFor(makePlace, async (store) => {
    await writeDecisions(store, made);
    await writeForecasts(store, [
      { slot: noon - 8 * SLOT, score: 1 },
      { slot: noon - 7 * SLOT, score: 0.5 },
      { slot: noon - 6 * SLOT, score: 0.49, error: 'weather_miss' },
      { slot: noon - 5 * SLOT, score: null },
      { slot: noon },
      { slot: noon, generator: 'offer_intensity' },
      { slot: noon - 8 * SLOT, generator: 'on_trial', score: 0, error: 'timing_miss', shadow: true },
      { slot: noon - 9 * DAY, score: 0, error: 'timing_miss' },
    ]);
  });
  const ask = (given: Record<string, unknown> = {}, now = noon) =>
    askOperation(getTrustReport, store(), now, given);

  test('what was said, what was held back, and how often that was right', async () => {
    const { structured, text } = await ask();
    assert.deepEqual(structured, {
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
          { reason: 'why_now', reason_text: 'nothing that presses at this hour', count: 3 },
          {
            reason: 'resonance_physical',
            reason_text: 'too little resonance, mostly for rain, heat or heavy air',
            count: 2,
          },
          {
            reason: 'resonance_time',
            reason_text: 'too little resonance, mostly for the early or late hour',
            count: 1,
          },
        ],
      },
      already_speaking_count: 1,
      quiet_hours_count: 2,
      predictions: {
        total_sealed: 6,
        total_revealed: 3,
        overall_accuracy: 0.667,
        by_generator: [
          { generator: 'offer_intensity', sealed: 1, n: 0, accuracy: null },
          { generator: 'pocket_projection_60m', sealed: 5, n: 3, accuracy: 0.667 },
        ],
      },
      silence_correctness: {
        total_revealed: 4,
        vindicated: 1,
        missed: 3,
        vindication_rate: 0.25,
        inconclusive_count: 1,
      },
      failure_analysis: [
        { kind: 'missed_silence', gate: 'why_now', count: 2 },
        { kind: 'missed_silence', gate: 'resonance', count: 1 },
        { kind: 'weather_miss', count: 1 },
      ],
    });
    assert.equal(
      text,
      'over the waking hours of the last 7d: 3 said, 6 held back; of 4 silences judged, 3 were wrong (vindication rate 0.25). counted apart: 1 quarter hours with a line still live, 2 at night. 6 forecasts sealed, 0.667 of 3 revealed were right.',
    );
  });

  test('a longer window counts more', async () => {
    assert.equal((await ask({ window: '14d' })).structured.signals_emitted.total, 4);
  });

  test('nothing to judge gives null', async () => {
    const { structured, text } = await ask({}, noon - 60 * DAY);
    assert.deepEqual(structured, {
      window: '7d',
      signals_emitted: { total: 0, by_tier: [] },
      signals_withheld: { total: 0, by_gate: [], by_reason: [] },
      already_speaking_count: 0,
      quiet_hours_count: 0,
      predictions: { total_sealed: 0, total_revealed: 0, overall_accuracy: null, by_generator: [] },
      silence_correctness: {
        total_revealed: 0,
        vindicated: 0,
        missed: 0,
        vindication_rate: null,
        inconclusive_count: 0,
      },
      failure_analysis: [],
    });
    assert.match(
      text,
      /no silence has been judged yet\. counted apart: 0 .* at night\. 0 forecasts sealed, none revealed yet\.$/,
    );
  });
});
