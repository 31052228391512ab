import Type from 'typebox';
import { round } from '../domain/scale.ts';
import { summed, verdictsOf, vindicationRate } from '../domain/tally.ts';
import { windowOf } from '../domain/window.ts';
import {
  type ForecastTally,
  tallyEmissions,
  tallyForecasts,
  tallySilences,
  tallyVerdicts,
} from '../store/tallies.ts';
import { defineOperation } from './define.ts';

export const getTrustReport = defineOperation({
  name: 'get_trust_report',
  title: 'Trust report',
  description:
    'Tells how often the service spoke, how often it held back, and how often that was right. Use it to decide how far to rely on it. Returns signals_emitted {total, by_tier}, signals_withheld {total, by_gate}, predictions {total_sealed, total_revealed, overall_accuracy, by_generator}, silence_correctness {total_revealed, vindicated, missed, vindication_rate, inconclusive_count} and failure_analysis, a count for each kind of failure: silences that were wrong, by gate, and forecasts that missed, by cause. A forecast is right from an accuracy of 0.5; those on trial are left out. Nothing to average gives null.',
  input: {
    window: Type.Enum(['7d', '14d', '30d'], { default: '7d', description: 'how far back' }),
  },
  effect: 'read',
  load: async (input, { store, now }) => {
    const window = windowOf(input.window, now);
    return {
      emissions: await tallyEmissions(store, window),
      silences: await tallySilences(store, window),
      verdicts: await tallyVerdicts(store, window),
      ...(await tallyForecasts(store, window)),
    };
  },
  shape: ({ emissions, silences, verdicts, forecasts, misses }, { window }) => {
    const by_gate = summed(
      silences,
      ({ gate }) => gate,
      ({ count }) => count,
    );
    const missed = summed(
      verdicts.filter(({ vindicated }) => vindicated === 0),
      ({ gate }) => gate,
      ({ count }) => count,
    );
    const judged = verdictsOf(verdicts);
    return {
      window,
      signals_emitted: { total: emissions.reduce((sum, { count }) => sum + count, 0), by_tier: emissions },
      signals_withheld: {
        total: by_gate.reduce((sum, [, count]) => sum + count, 0),
        by_gate: by_gate.map(([gate, count]) => ({ gate, count })),
      },
      predictions: predictionsOf(forecasts),
      silence_correctness: {
        total_revealed: judged.vindicated + judged.missed,
        vindicated: judged.vindicated,
        missed: judged.missed,
        vindication_rate: vindicationRate(judged),
        inconclusive_count: judged.inconclusive,
      },
      failure_analysis: [
        ...missed.map(([gate, count]) => ({ kind: 'missed_silence', gate, count })),
        ...misses,
      ],
    };
  },
  speak: ({ window, signals_emitted, signals_withheld, predictions, silence_correctness }) => {
    const { total_revealed, missed, vindication_rate } = silence_correctness;
    const correctness =
      vindication_rate === null
        ? 'no silence has been judged yet'
        : `of ${total_revealed} silences judged, ${missed} were wrong (vindication rate ${vindication_rate})`;
    const accuracy =
      predictions.overall_accuracy === null
        ? 'none revealed yet'
        : `${predictions.overall_accuracy} of ${predictions.total_revealed} revealed were right`;
    return [
      `over the last ${window}: ${signals_emitted.total} said, ${signals_withheld.total} held back; ${correctness}.`,
      `${predictions.total_sealed} forecasts sealed, ${accuracy}.`,
    ].join(' ');
  },
  tool: false,
  rest: { path: '/api/trust' },
});

function predictionsOf(forecasts: readonly ForecastTally[]) {
  const total = (pick: (tally: ForecastTally) => number) =>
    forecasts.reduce((sum, tally) => sum + pick(tally), 0);
  const accuracy = (hits: number, revealed: number) => (revealed ? round(hits / revealed) : null);
  const total_revealed = total(({ revealed }) => revealed);
  return {
    total_sealed: total(({ sealed }) => sealed),
    total_revealed,
    overall_accuracy: accuracy(
      total(({ hits }) => hits),
      total_revealed,
    ),
    by_generator: forecasts.map(({ generator, sealed, revealed, hits }) => ({
      generator,
      sealed,
      n: revealed,
      accuracy: accuracy(hits, revealed),
    })),
  };
}
