import Type from 'typebox';
import { appliedFilter, periodAccuracy } from '../../domain/prediction/accuracy-report.ts';
import { overviewSums } from '../../domain/prediction/forecast-sums.ts';
import { lastPeriods, type PeriodName, periodNames } from '../../domain/time/periods.ts';
import { iso, SLOT, slotStart } from '../../domain/time/slot.ts';
import { sumsOfEach } from '../../store/rollup/read-rollups.ts';
import { forecastRollup } from '../../store/rollup/tables.ts';
import { nullable, timestamp, unitField } from '../core/answer-fields.ts';
import { defineOperation, type OperationContext } from '../core/define.ts';
import { pocketId, wholeNumber } from '../core/fields.ts';
import { rowsAndColumnsOfAll } from '../core/rows-of-all.ts';
import { createTable } from '../core/table.ts';
import { brierScore, comparedAccuracy, declaredFilter, partsOfDay } from '../prediction/accuracy-fields.ts';

/** Schema of the argument for the length of a period. */
export const accuracyPeriod = Type.Enum([...periodNames], {
  default: 'week',
  description: 'length of a period, by the calendar of the city; a week begins on Monday',
});

export const listAccuracyPeriods = defineOperation({
  name: 'list_accuracy_periods',
  title: 'Accuracy by day, week or month',
  description:
    'Compares the accuracy of forecasts over time, of all pockets or of one. Use it to see whether the service keeps its lead over simple forecasts. Returns filter, period, pocket_id and periods, oldest first, by the time of sealing: {name, from, to, state_forecasts {accuracy, baseline, n, brier_score, same_hour_last_week}, confident_forecasts {accuracy, baseline, n}}, each with waking_hours and nights apart beside it. state_forecasts are all of them, whatever their confidence; confident_forecasts are of every kind and pass the filter. The last period is a part of one, and a period with nothing scored gives null.',
  input: {
    period: accuracyPeriod,
    count: wholeNumber(1, 90, 12, 'periods, the present one included'),
    pocket_id: Type.Optional(pocketId),
  },
  output: Type.Object({
    filter: Type.Object(declaredFilter),
    period: Type.Enum([...periodNames]),
    pocket_id: nullable(Type.String()),
    periods: Type.Array(
      Type.Object({
        name: Type.String({ description: 'a date, an ISO week or a month' }),
        from: timestamp,
        to: timestamp,
        state_forecasts: Type.Object({
          ...comparedAccuracy,
          brier_score: brierScore,
          same_hour_last_week: nullable(
            unitField('of what was observed seven days before; null where that is not known'),
          ),
          ...partsOfDay(comparedAccuracy),
        }),
        confident_forecasts: Type.Object({ ...comparedAccuracy, ...partsOfDay(comparedAccuracy) }),
      }),
    ),
  }),
  rows: ({ count }, registry) => rowsAndColumnsOfAll(4 * count, registry),
  load,
  shape: (read, { period, pocket_id }) => ({
    filter: appliedFilter(),
    period,
    pocket_id: pocket_id ?? null,
    periods: read.map(({ span: { name, from, to }, rows }) => ({
      name,
      from: iso(from),
      to: iso(to),
      ...periodAccuracy(rows),
    })),
  }),
  speak: ({ periods, period }) => {
    const known = periods.filter(({ state_forecasts: { accuracy } }) => accuracy !== null);
    const countAhead = (other: 'same_hour_last_week' | 'baseline') =>
      known.filter(({ state_forecasts: { accuracy, ...others } }) => (accuracy ?? 0) > (others[other] ?? 1))
        .length;
    return `state forecasts were scored in ${known.length} of ${periods.length} ${period}s; in ${countAhead('same_hour_last_week')} of them they did better than the same hour last week, in ${countAhead('baseline')} better than the naive baseline.`;
  },
  table: (input, context) =>
    createTable('accuracy', newestFirst(input, context), {
      period: ({ span }) => span.name,
      from: ({ span }) => iso(span.from),
      to: ({ span }) => iso(span.to),
      pocket_id: () => input.pocket_id ?? null,
      state_accuracy: ({ figures }) => figures.state_forecasts.accuracy,
      state_baseline: ({ figures }) => figures.state_forecasts.baseline,
      state_same_hour_last_week: ({ figures }) => figures.state_forecasts.same_hour_last_week,
      state_n: ({ figures }) => figures.state_forecasts.n,
      state_waking_accuracy: ({ figures }) => figures.state_forecasts.waking_hours.accuracy,
      state_waking_n: ({ figures }) => figures.state_forecasts.waking_hours.n,
      state_night_accuracy: ({ figures }) => figures.state_forecasts.nights.accuracy,
      state_night_n: ({ figures }) => figures.state_forecasts.nights.n,
      state_brier_score: ({ figures }) => figures.state_forecasts.brier_score,
      confident_accuracy: ({ figures }) => figures.confident_forecasts.accuracy,
      confident_baseline: ({ figures }) => figures.confident_forecasts.baseline,
      confident_n: ({ figures }) => figures.confident_forecasts.n,
    }),
  rest: { path: '/api/accuracy-periods', names: { pocket_id: 'pocket' } },
});

interface Asked {
  period: PeriodName;
  count: number;
  pocket_id?: string | undefined;
}

async function load({ period, count, pocket_id }: Asked, { store, now, zone }: OperationContext) {
  // The slot of `now` belongs to the last period.
  const spans = lastPeriods(period, count, slotStart(now) + SLOT, zone);
  const found = await sumsOfEach(store, forecastRollup, spans, {
    by: ['prediction_type'],
    sums: overviewSums,
    only: { shadow: 0, pocket_id },
  });
  return spans.map((span, i) => ({ span, rows: found[i] ?? [] }));
}

async function* newestFirst(asked: Asked, context: OperationContext) {
  const read = await load(asked, context);
  yield read.toReversed().map(({ span, rows }) => ({ span, figures: periodAccuracy(rows) }));
}
