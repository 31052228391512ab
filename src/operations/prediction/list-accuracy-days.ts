import Type from 'typebox';
import { appliedFilter, headlineAccuracy, partsOfEligible } from '../../domain/prediction/accuracy-report.ts';
import { headlineSums } from '../../domain/prediction/forecast-sums.ts';
import { zeroSums } from '../../domain/stats/rollup.ts';
import { slotSpan, splitDays } from '../../domain/time/window.ts';
import { sumsOfEach } from '../../store/rollup/read-rollups.ts';
import { forecastRollup } from '../../store/rollup/tables.ts';
import { count, date, nullable, unit } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { wholeNumber } from '../core/fields.ts';
import { comparedAccuracy, declaredFilter, partsOfDay } from './accuracy-fields.ts';

export const listAccuracyDays = defineOperation({
  name: 'list_accuracy_days',
  title: 'Accuracy day by day',
  description:
    'Lists for each day how often the forecasts sealed on it came true, compared with the naive baseline on the same forecasts. Use it to see whether the service keeps its lead. Returns filter and days, oldest first, by {city} date of sealing: {date, accuracy, baseline_accuracy, count, and apart waking_hours and nights {accuracy, baseline, n}}. The filter is that of the accuracy report; the last day is a part of one, and a day with nothing to average gives null.',
  input: {
    days: wholeNumber(1, 90, 30, 'days to look back, today included'),
  },
  output: Type.Object({
    filter: Type.Object(declaredFilter),
    days: Type.Array(
      Type.Object({
        date,
        accuracy: nullable(unit),
        baseline_accuracy: nullable(unit),
        count,
        ...partsOfDay(comparedAccuracy),
      }),
    ),
  }),
  list: 'days',
  rows: ({ days }) => 4 * days,
  load: async ({ days }, { store, now, zone }) => {
    const window = { after: zone.startOfDay(now, 1 - days) - 1, until: now };
    const spans = splitDays(slotSpan(window), zone.startOfDay);
    const question = { by: [], sums: headlineSums, only: { shadow: 0 } } as const;
    const found = await sumsOfEach(store, forecastRollup, spans, question);
    return spans.map(({ from }, i) => ({ day: from, sums: found[i]?.[0] ?? zeroSums(headlineSums) }));
  },
  shape: (read, _input, zone) => ({
    filter: appliedFilter(),
    days: read.map(({ day, sums }) => {
      const { headline, baseline } = headlineAccuracy(sums);
      return {
        date: zone.localDate(day),
        accuracy: headline.overall_accuracy,
        baseline_accuracy: baseline.baseline_accuracy,
        count: headline.revealed_count,
        ...partsOfEligible(sums),
      };
    }),
  }),
  speak: ({ days }) => {
    const known = days.filter(({ accuracy }) => accuracy !== null);
    const ahead = known.filter(
      ({ accuracy, baseline_accuracy }) => (accuracy ?? 0) > (baseline_accuracy ?? 0),
    );
    return `forecasts were scored on ${known.length} of ${days.length} days; on ${ahead.length} of them they did better than the naive baseline.`;
  },
  rest: { path: '/api/accuracy-days' },
});
