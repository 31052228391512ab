import Type from 'typebox';
import { iso, slotStart } from '../../domain/time/slot.ts';
import { expectedWindows, forecastReach } from '../../domain/window/pocket-outlook.ts';
import { defineOperation } from '../core/define.ts';
import { pocketId } from '../core/fields.ts';
import { loadOutlooks, pocketOutlook, windowRecords } from '../visit/load-outlooks.ts';
import { expectedWindow } from '../visit/visit-fields.ts';
import { servedWindow } from '../visit/visit-rows.ts';

const time = (description: string) => Type.String({ format: 'date-time', description });

export const getCalmCalendar = defineOperation({
  name: 'get_calm_calendar',
  title: 'Calm windows of a pocket over a week',
  description:
    'Lists when a pocket is likely or usually calm. Use it to plan a visit days ahead. Returns {pocket_id, as_of, forecast_until, windows [{basis, starts_at, ends_at, at_least, calm_probability, held_share}]} in order of time. basis forecast: from the sealed forecasts of the next three hours; basis usual: from how often these hours of the week were calm, not a forecast. Also as an iCalendar feed at /pocket/:pocket_id/calm.ics.',
  input: { pocket_id: pocketId },
  output: Type.Object({
    pocket_id: Type.String({ description: 'the pocket asked for' }),
    as_of: time('when the forecasts were sealed; without any, the start of the quarter hour'),
    forecast_until: Type.Union([time('up to when the sealed forecasts reach'), Type.Null()], {
      description: 'up to when the sealed forecasts reach; null without any',
    }),
    windows: Type.Array(expectedWindow, {
      description: 'in order of time; forecasts first, then what is usual',
    }),
  }),
  // The norms of one pocket are read by index in about a millisecond: not work for the queue.
  rows: () => 0,
  load: ({ pocket_id }, context) => loadOutlooks(context, [pocket_id]),
  shape: (outlooks, { pocket_id }) => {
    const { now, calendar, projections } = outlooks;
    const outlook = pocketOutlook(outlooks, pocket_id);
    const reach = forecastReach(outlook);
    return {
      pocket_id,
      as_of: projections.get(pocket_id)?.[0]?.sealed_at ?? iso(slotStart(now)),
      forecast_until: reach === null ? null : iso(reach),
      windows: Array.from(
        expectedWindows(outlook, now, windowRecords(outlooks, pocket_id), calendar),
        (window) => servedWindow(outlook, window),
      ),
    };
  },
  speak: ({ windows }, { pocket_id }, zone) => {
    const [first] = windows;
    if (!first) return `no calm window of ${pocket_id} is likely or usual in the next week.`;
    const [start, end] = [Date.parse(first.starts_at), Date.parse(first.ends_at)];
    const when = `${zone.localDate(start)} from ${zone.localClock(start)} to ${first.at_least ? 'at least ' : ''}${zone.clockWithZone(end)}`;
    return first.basis === 'forecast'
      ? `${pocket_id} is likely calm on ${when}, calm probability ${first.calm_probability}.`
      : `${pocket_id} is usually calm on ${when}; this is not a forecast.`;
  },
  rest: { path: '/api/calm-calendar', names: { pocket_id: 'pocket' } },
});
