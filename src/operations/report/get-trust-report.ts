import Type from 'typebox';
import { closedGates } from '../../domain/decision/decision-text.ts';
import { tiers } from '../../domain/decision/tier.ts';
import { errorTypes } from '../../domain/prediction/error-taxonomy.ts';
import { vindicationRate } from '../../domain/stats/tally.ts';
import { round } from '../../domain/stats/unit-scale.ts';
import { windowOf } from '../../domain/time/window.ts';
import { type ForecastTally, type GateTally, tallyNetwork } from '../../store/report/tallies.ts';
import { count, nullable, unit } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';

const window = Type.Enum(['7d', '14d', '30d']);
const gate = Type.Enum([...closedGates]);
const report = Type.Object({
  window,
  signals_emitted: Type.Object({
    total: count,
    by_tier: Type.Array(Type.Object({ tier: Type.Enum([...tiers]), count })),
  }),
  signals_withheld: Type.Object({ total: count, by_gate: Type.Array(Type.Object({ gate, count })) }),
  predictions: Type.Object({
    total_sealed: count,
    total_revealed: count,
    overall_accuracy: nullable(unit),
    by_generator: Type.Array(
      Type.Object({
        generator: Type.String(),
        sealed: count,
        n: Type.Integer({ minimum: 0, description: 'revealed with a score' }),
        accuracy: nullable(unit),
      }),
    ),
  }),
  silence_correctness: Type.Object({
    total_revealed: count,
    vindicated: count,
    missed: count,
    vindication_rate: nullable(unit),
    inconclusive_count: count,
  }),
  failure_analysis: Type.Array(
    Type.Union([
      Type.Object({ kind: Type.Literal('missed_silence'), gate, count }),
      Type.Object({ kind: Type.Enum([...errorTypes]), count }),
    ]),
  ),
});

export const getTrustReport = defineOperation({
  name: 'get_trust_report',
  title: 'Trust report',
  description:
    'Tells how often the service spoke, how often it held back, and how often that was right. Use it to decide how far to rely on it. Returns signals_emitted {total, by_tier}, signals_withheld {total, by_gate}, predictions {total_sealed, total_revealed, overall_accuracy, by_generator}, silence_correctness {total_revealed, vindicated, missed, vindication_rate, inconclusive_count} and failure_analysis, a count for each kind of failure: silences that were wrong, by gate, and forecasts that missed, by cause. A forecast is right from an accuracy of 0.5; those on trial are left out. Nothing to average gives null.',
  input: {
    window: Type.Enum(window.enum, { default: '7d', description: 'how far back' }),
  },
  output: report,
  effect: 'read',
  load: ({ window }, { store, now }) => tallyNetwork(store, windowOf(window, now)),
  shape: ({ emissions, gates, forecasts, misses }, { window }) => {
    const total = (of: keyof Omit<GateTally, 'gate'>) => gates.reduce((sum, gate) => sum + gate[of], 0);
    const [vindicated, missed] = [total('vindicated'), total('missed')];
    const wrong = gates.filter((gate) => gate.missed > 0);
    return {
      window,
      signals_emitted: { total: emissions.reduce((sum, { count }) => sum + count, 0), by_tier: emissions },
      signals_withheld: {
        total: total('silences'),
        by_gate: largestFirst(gates.map(({ gate, silences }) => ({ gate, count: silences }))),
      },
      predictions: predictionsOf(forecasts),
      silence_correctness: {
        total_revealed: vindicated + missed,
        vindicated,
        missed,
        vindication_rate: vindicationRate({ vindicated, missed }),
        inconclusive_count: total('unjudged'),
      },
      failure_analysis: [
        ...largestFirst(
          wrong.map(({ gate, missed }) => ({ kind: 'missed_silence' as const, gate, count: missed })),
        ),
        ...largestFirst(misses),
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

/** Rows with equal counts keep their order. */
const largestFirst = <T extends { count: number }>(rows: readonly T[]): T[] =>
  rows.toSorted((a, b) => b.count - a.count);

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
