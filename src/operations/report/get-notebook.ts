import Type from 'typebox';
import { savedText } from '../../domain/merchant/money.ts';
import { meanFromSum } from '../../domain/stats/rollup.ts';
import { countText } from '../../domain/text/count-text.ts';
import { monthNamed } from '../../domain/time/periods.ts';
import { slotSpan } from '../../domain/time/window.ts';
import { sustainabilitySums } from '../../store/merchant/sustainability.ts';
import { observedMonths } from '../../store/report/report-reads.ts';
import { readTotals } from '../../store/rollup/read-rollups.ts';
import { forecastRollup, pocketRollup } from '../../store/rollup/tables.ts';
import { count, currency, netAmount, nullable, unit } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { MONTH_PATTERN, pocketId } from '../core/fields.ts';
import { month } from './report-fields.ts';

export const getNotebook = defineOperation({
  name: 'get_notebook',
  title: 'A month in figures',
  description:
    'Adds up a month in {city}, of all pockets or of one. Use it to see how much stands behind a month: readings, forecasts and what was kept from being wasted. Returns month, pocket_id, atmosphere {total_readings, anomalies}, predictions {total_sealed, revealed (scored so far, of those sealed in the month), inconclusive_count, mean_accuracy} and sustainability {total_events, dollar_value_total, currency: that of dollar_value_total}. Forecasts on trial are left out. A month that is not over is counted so far; nothing to average gives null.',
  input: {
    month: Type.String({
      pattern: MONTH_PATTERN,
      description: 'month in {city}, such as 2026-10',
    }),
    pocket_id: Type.Optional(pocketId),
  },
  output: Type.Object({
    month,
    pocket_id: nullable(Type.String({ description: 'null: all pockets' })),
    atmosphere: Type.Object({ total_readings: count, anomalies: count }),
    predictions: Type.Object({
      total_sealed: count,
      revealed: count,
      inconclusive_count: count,
      mean_accuracy: nullable(unit),
    }),
    sustainability: Type.Object({ total_events: count, dollar_value_total: netAmount, currency }),
  }),
  load: async ({ month, pocket_id: pocket }, { store, registry, now, zone }) => {
    const { from, to } = monthNamed(month, zone);
    const window = { after: from - 1, until: Math.min(to - 1, now) };
    const span = slotSpan(window);
    return {
      read: await readTotals(store, pocketRollup, span, {
        sums: ['readings', 'anomalies'],
        only: { pocket_id: pocket },
      }),
      forecasts: await readTotals(store, forecastRollup, span, {
        sums: ['revealed', 'open', 'scored', 'score'],
        only: { pocket_id: pocket, shadow: 0 },
      }),
      saved: await sustainabilitySums(store, { ...window, pocket }),
      currency: registry.city.currency,
    };
  },
  reportedPeriods: (_input, { store, now, zone }) => observedMonths(store, now, zone),
  shape: ({ read, forecasts, saved, currency }, { month, pocket_id }) => ({
    month,
    pocket_id: pocket_id ?? null,
    atmosphere: { total_readings: read.readings, anomalies: read.anomalies },
    predictions: {
      total_sealed: forecasts.revealed + forecasts.open,
      revealed: forecasts.scored,
      inconclusive_count: forecasts.revealed - forecasts.scored,
      mean_accuracy: meanFromSum(forecasts.score, forecasts.scored),
    },
    sustainability: {
      total_events: saved.reduce((sum, { events }) => sum + events, 0),
      dollar_value_total: saved.reduce((sum, { value_cents }) => sum + value_cents, 0) / 100,
      currency,
    },
  }),
  speak: ({ month, atmosphere, predictions, sustainability }) =>
    [
      `${month}: ${countText(atmosphere.total_readings, 'reading')}, ${atmosphere.anomalies} of them unusual;`,
      `${countText(predictions.total_sealed, 'forecast')} sealed, ${predictions.revealed} scored,`,
      predictions.mean_accuracy === null ? 'no accuracy yet;' : `mean accuracy ${predictions.mean_accuracy};`,
      `over ${countText(sustainability.total_events, 'event')} about ${savedText(sustainability.dollar_value_total, sustainability.currency)}, as inferred.`,
    ].join(' '),
  rest: { path: '/api/notebook', names: { pocket_id: 'pocket' } },
});
