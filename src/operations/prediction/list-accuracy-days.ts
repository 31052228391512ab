import Type from 'typebox';
import { accuracyReport, appliedFilter } from '../../domain/prediction/accuracy-report.ts';
import { DAY, dateOf, SLOT, startOfDay } from '../../domain/time/sgt.ts';
import { tallyReveals } from '../../store/report/reveal-sums.ts';
import { count, date, nullable, unit } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { declaredFilter } from './get-accuracy-report.ts';

const filter = { prediction_type: undefined, include_shadow: false };

export const listAccuracyDays = defineOperation({
  name: 'list_accuracy_days',
  title: 'Accuracy day by day',
  description:
    'Lists for each day how often the forecasts sealed on it came true, beside the naive baseline on the same forecasts. Use it to see whether the service keeps its lead. Returns filter and days, oldest first, by Singapore date of sealing: {date, accuracy, baseline_accuracy, count}. The filter is that of the accuracy report; the last day is a part of one, and a day with nothing to average gives null.',
  input: {
    days: Type.Integer({
      minimum: 1,
      maximum: 90,
      default: 30,
      description: 'days to look back, today included',
    }),
  },
  output: Type.Object({
    filter: Type.Object(declaredFilter),
    days: Type.Array(
      Type.Object({ date, accuracy: nullable(unit), baseline_accuracy: nullable(unit), count }),
    ),
  }),
  effect: 'read',
  tool: false,
  load: async ({ days }, { store, now }) => {
    const today = startOfDay(now);
    const starts = Array.from({ length: days }, (_, ago) => today - (days - 1 - ago) * DAY);
    // A whole day is summed up in one short row for each pocket, so each day is read by itself.
    const read = async (start: number) => {
      const until = Math.min(start + DAY - SLOT, now);
      return { start, tally: await tallyReveals(store, { after: start - SLOT, until }, undefined) };
    };
    return Promise.all(starts.map(read));
  },
  shape: (read) => ({
    filter: appliedFilter(filter),
    days: read.map(({ start, tally }) => {
      const { headline, baseline } = accuracyReport(tally.sums, tally.misses, filter);
      return {
        date: dateOf(start),
        accuracy: headline.overall_accuracy,
        baseline_accuracy: baseline.baseline_accuracy,
        count: headline.revealed_count,
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
