import Type from 'typebox';
import { gateOf, reasonText, type SilenceReason } from '../../domain/decision/silence-reason.ts';
import { errorTypes } from '../../domain/prediction/error-taxonomy.ts';
import { vindicationRate } from '../../domain/stats/counts.ts';
import { addSums, type Sums, shareOf, totalOf, zeroSums } from '../../domain/stats/rollup.ts';
import { spanOf, windowOf } from '../../domain/time/window.ts';
import { sumsOf, totalsOf } from '../../store/rollup/read-rollups.ts';
import { forecastRollup, pocketRollup, reasonRollup, tierRollup } from '../../store/rollup/tables.ts';
import { count, nullable, unit } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { closedGate, pauseCounts, reasonFields, tier } from '../decision/decision-fields.ts';
import { generatorName } from '../prediction/prediction-fields.ts';

const silenceSums = ['silences', 'vindicated', 'missed', 'unjudged'] as const;

const window = Type.Enum(['7d', '14d', '30d']);
const report = Type.Object({
  window,
  signals_emitted: Type.Object({
    total: count,
    by_tier: Type.Array(Type.Object({ tier, count })),
  }),
  signals_withheld: Type.Object({
    total: count,
    by_gate: Type.Array(Type.Object({ gate: closedGate, count })),
    by_reason: Type.Array(Type.Object({ ...reasonFields, count })),
  }),
  ...pauseCounts,
  predictions: Type.Object({
    total_sealed: count,
    total_revealed: count,
    overall_accuracy: nullable(unit),
    by_generator: Type.Array(
      Type.Object({
        generator: generatorName,
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
    vindication_rate: Type.Union([unit, Type.Null()], {
      description: 'share of the silences judged that were right, of waking hours',
    }),
    inconclusive_count: count,
  }),
  failure_analysis: Type.Array(
    Type.Union([
      Type.Object({ kind: Type.Literal('missed_silence'), gate: closedGate, count }),
      Type.Object({ kind: Type.Enum([...errorTypes]), count }),
    ]),
  ),
});

export const getTrustReport = defineOperation({
  name: 'get_trust_report',
  title: 'Trust report',
  description:
    'Tells how often the service spoke, how often it held back, and how often that was right. Use it to decide how far to rely on it. Returns signals_emitted {total, by_tier}, signals_withheld {total, by_gate, by_reason}, which counts decisions of waking hours alone, already_speaking_count and quiet_hours_count beside it, predictions {total_sealed, total_revealed, overall_accuracy, by_generator}, silence_correctness {total_revealed, vindicated, missed, vindication_rate, inconclusive_count} and failure_analysis, a count for each kind of failure: silences that were wrong, by gate, and forecasts that missed, by cause. A forecast is right from an accuracy of 0.5; those on trial are left out. Nothing to average gives null.',
  input: {
    window: Type.Enum(window.enum, { default: '7d', description: 'how far back' }),
  },
  output: report,
  effect: 'read',
  load: async ({ window }, { store, now }) => {
    const span = spanOf(windowOf(window, now));
    return {
      tiers: await sumsOf(store, tierRollup, span, { by: ['tier'], sums: ['emissions'] }),
      reasons: await sumsOf(store, reasonRollup, span, { by: ['reason'], sums: silenceSums }),
      pauses: await totalsOf(store, pocketRollup, span, { sums: ['already_speaking', 'quiet_hours'] }),
      forecasts: await sumsOf(store, forecastRollup, span, {
        by: ['generator'],
        sums: ['revealed', 'open', 'scored', 'hits', ...errorTypes],
        only: { shadow: 0 },
      }),
    };
  },
  shape: (found, { window }) => {
    const tiers = byName(found.tiers, ({ tier }) => tier);
    const reasons = byName(found.reasons, ({ reason }) => reason);
    const gates = byName(sumByGate(reasons), ({ gate }) => gate);
    const forecasts = byName(found.forecasts, ({ generator }) => generator);
    const misses = errorTypes.map((kind) => ({ kind, count: totalOf(forecasts, kind) }));
    const [vindicated, missed] = [totalOf(gates, 'vindicated'), totalOf(gates, 'missed')];
    const wrong = gates.filter((gate) => gate.missed > 0);
    return {
      window,
      signals_emitted: {
        total: totalOf(tiers, 'emissions'),
        by_tier: tiers.map(({ tier, emissions }) => ({ tier, count: emissions })),
      },
      signals_withheld: {
        total: totalOf(gates, 'silences'),
        by_gate: largestFirst(gates.map(({ gate, silences }) => ({ gate, count: silences }))),
        by_reason: largestFirst(
          reasons
            .filter(({ silences }) => silences > 0)
            .map(({ reason, silences }) => ({ reason, reason_text: reasonText[reason], count: silences })),
        ),
      },
      already_speaking_count: found.pauses.already_speaking,
      quiet_hours_count: found.pauses.quiet_hours,
      predictions: predictionsOf(forecasts),
      silence_correctness: {
        total_revealed: vindicated + missed,
        vindicated,
        missed,
        vindication_rate: vindicationRate({ vindicated, missed }),
        inconclusive_count: totalOf(gates, 'unjudged'),
      },
      failure_analysis: [
        ...largestFirst(
          wrong.map(({ gate, missed }) => ({ kind: 'missed_silence' as const, gate, count: missed })),
        ),
        ...largestFirst(byName(misses, ({ kind }) => kind).filter(({ count }) => count > 0)),
      ],
    };
  },
  speak: ({ window, signals_emitted, signals_withheld, predictions, silence_correctness, ...pauses }) => {
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
      `over the waking hours of the last ${window}: ${signals_emitted.total} said, ${signals_withheld.total} held back; ${correctness}.`,
      `counted apart: ${pauses.already_speaking_count} quarter hours with a line still live, ${pauses.quiet_hours_count} at night.`,
      `${predictions.total_sealed} forecasts sealed, ${accuracy}.`,
    ].join(' ');
  },
  tool: false,
  rest: { path: '/api/trust' },
});

type ReasonSums = { reason: SilenceReason } & Sums<(typeof silenceSums)[number]>;

/** The sums of all reasons that close the same gate. */
const sumByGate = (reasons: readonly ReasonSums[]) =>
  [...Map.groupBy(reasons, ({ reason }) => gateOf(reason))].map(([gate, rows]) => {
    const sums = zeroSums(silenceSums);
    for (const row of rows) addSums(sums, row, silenceSums);
    return { gate, ...sums };
  });

/** The sort is stable: rows with equal counts stay in the order of their names. */
const largestFirst = <T extends { count: number }>(rows: readonly T[]): T[] =>
  rows.toSorted((a, b) => b.count - a.count);

const byName = <T>(rows: readonly T[], nameOf: (row: T) => string): T[] =>
  rows.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));

type Forecasts = { generator: string } & Sums<'revealed' | 'open' | 'scored' | 'hits'>;

function predictionsOf(forecasts: readonly Forecasts[]) {
  const total_revealed = totalOf(forecasts, 'scored');
  return {
    total_sealed: totalOf(forecasts, 'revealed') + totalOf(forecasts, 'open'),
    total_revealed,
    overall_accuracy: shareOf(totalOf(forecasts, 'hits'), total_revealed),
    by_generator: forecasts.map(({ generator, revealed, open, scored, hits }) => ({
      generator,
      sealed: revealed + open,
      n: scored,
      accuracy: shareOf(hits, scored),
    })),
  };
}
