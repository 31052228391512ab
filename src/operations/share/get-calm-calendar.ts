import Type, { type Static } from 'typebox';
import { usualCalm } from '../../domain/atmosphere/usual-calm.ts';
import {
  type ForecastWindow,
  forecastWindows,
  HALF_WINDOW,
  type UsualWindow,
  usualWindows,
  wakingHoursFrom,
} from '../../domain/prediction/calm-calendar.ts';
import type { ForecastCalm } from '../../domain/prediction/calm-window.ts';
import { iso, slotOf } from '../../domain/time/slot.ts';
import { readCalmNorms } from '../../store/observation/norms.ts';
import { currentProjections } from '../../store/prediction/projections.ts';
import { defineOperation } from '../core/define.ts';
import { pocketId } from '../core/fields.ts';

const time = (description: string) => Type.String({ format: 'date-time', description });
const level = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

const span = { start: time('when the window begins'), end: time('when the window ends') };

const forecastWindow = Type.Object({
  basis: Type.Literal('forecast', { description: 'from forecasts that are sealed in the ledger' }),
  ...span,
  best_at: time('when a calm state is most likely'),
  calm_probability: level('of a calm state at best_at, the highest in the window'),
  prediction_id: Type.String({ description: 'the forecast for best_at, in the ledger' }),
  sealed_at: time('when the forecast was sealed'),
});

const usualWindow = Type.Object({
  basis: Type.Literal('usual', {
    description: 'from what is usual for these hours of the week: no forecast',
  }),
  ...span,
  usual_calm_low: level('the least usual calm level of its hours'),
  usual_calm_high: level('the greatest usual calm level of its hours'),
});

interface SealedCalm extends ForecastCalm {
  prediction_id: string;
  sealed_at: string;
}

export const getCalmCalendar = defineOperation({
  name: 'get_calm_calendar',
  title: 'Calm windows of a pocket over a week',
  description:
    'Lists when a pocket is likely or usually calm. Use it to plan a visit days ahead. Returns {pocket_id, as_of, forecast_until, windows [{basis, start, end, …}]} in order of time. basis forecast: sealed forecasts of the next three hours with a probability of calm of at least 0.5 (best_at, calm_probability, prediction_id, sealed_at). basis usual: full waking hours of the next seven days after them whose usual calm level is that of a calm state (usual_calm_low, usual_calm_high); it is what is usual, not a forecast. Also as an iCalendar feed at /pocket/:pocket_id/calm.ics.',
  input: { pocket_id: pocketId },
  output: Type.Object({
    pocket_id: Type.String({ description: 'the pocket asked for' }),
    as_of: time('when the forecasts were sealed; without any, the start of the quarter hour'),
    forecast_until: Type.Union([time('up to when the sealed forecasts reach'), Type.Null()], {
      description: 'up to when the sealed forecasts reach; null without any',
    }),
    windows: Type.Array(Type.Union([forecastWindow, usualWindow]), {
      description: 'in order of time; forecasts first, then what is usual',
    }),
  }),
  effect: 'read',
  tool: false,
  // The norms of one pocket are read by index in about a millisecond: not work for the queue.
  rows: () => 0,
  load: async ({ pocket_id }, { store, now, zone }) => {
    const sealed = await currentProjections(store, pocket_id, now);
    const last = sealed.at(-1);
    const forecastUntil = last ? Date.parse(last.reveal_at) + HALF_WINDOW : null;
    const hours = wakingHoursFrom(forecastUntil ?? now, zone);
    const norms = await readCalmNorms(store, [...new Set(hours.map(zone.hourOfWeek))], [pocket_id]);
    return { sealed, forecastUntil, hours, norms, now };
  },
  shape: ({ sealed, forecastUntil, hours, norms, now }, { pocket_id }, zone) => {
    const usual = new Map(norms.map((norm) => [norm.hour_of_week, usualCalm(norm)]));
    const ahead = sealed.map(({ id, sealed_at, reveal_at, forecast }) => ({
      at: Date.parse(reveal_at),
      calm_probability: forecast.calm_probability,
      prediction_id: id,
      sealed_at,
    }));
    const usualHours = hours.map((at) => ({ at, usual_calm: usual.get(zone.hourOfWeek(at)) ?? null }));
    return {
      pocket_id,
      as_of: sealed[0]?.sealed_at ?? iso(slotOf(now)),
      forecast_until: forecastUntil === null ? null : iso(forecastUntil),
      windows: [...forecastWindows(ahead).map(servedForecast), ...usualWindows(usualHours).map(servedUsual)],
    };
  },
  speak: ({ windows }, { pocket_id }, zone) => {
    const [first] = windows;
    if (!first) return `no calm window of ${pocket_id} is likely or usual in the next week.`;
    const [start, end] = [Date.parse(first.start), Date.parse(first.end)];
    const when = `${zone.dateOf(start)} from ${zone.clockOf(start)} to ${zone.clockWithZone(end)}`;
    return first.basis === 'forecast'
      ? `${pocket_id} is likely calm on ${when}, calm probability ${first.calm_probability}.`
      : `${pocket_id} is usually calm on ${when}; this is no forecast.`;
  },
  rest: { path: '/api/calm-calendar', names: { pocket_id: 'pocket' } },
});

const servedForecast = ({
  basis,
  start,
  end,
  best,
}: ForecastWindow<SealedCalm>): Static<typeof forecastWindow> => ({
  ...{ basis, start: iso(start), end: iso(end), best_at: iso(best.at) },
  calm_probability: best.calm_probability,
  prediction_id: best.prediction_id,
  sealed_at: best.sealed_at,
});

const servedUsual = ({ basis, start, end, low, high }: UsualWindow): Static<typeof usualWindow> => ({
  ...{ basis, start: iso(start), end: iso(end) },
  usual_calm_low: low,
  usual_calm_high: high,
});
