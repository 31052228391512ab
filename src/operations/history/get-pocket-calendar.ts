import Type from 'typebox';
import { type CalmSums, hoursOfDay } from '../../domain/stats/day-hours.ts';
import { meanFromSum } from '../../domain/stats/rollup.ts';
import { wakingSums, wakingTime } from '../../domain/stats/waking-time.ts';
import { countText } from '../../domain/text/count-text.ts';
import { dayNames } from '../../domain/time/periods.ts';
import { namedWindow, slotSpan } from '../../domain/time/window.ts';
import { calmOfHours } from '../../store/rollup/hourly-calm.ts';
import { readTotals } from '../../store/rollup/read-rollups.ts';
import { pocketRollup } from '../../store/rollup/tables.ts';
import { countField, date, nullable, unit } from '../core/answer-fields.ts';
import { defineOperation, type OperationContext } from '../core/define.ts';
import { pocketId, wholeNumber } from '../core/fields.ts';
import { createTable } from '../core/table.ts';
import { pauseCounts, wakingTimeField } from '../decision/decision-fields.ts';

interface CalendarDay {
  date: string;
  weekday: number;
  hours: CalmSums[];
}

interface Asked {
  pocket_id: string;
  weeks: number;
}

export const getPocketCalendar = defineOperation({
  name: 'get_pocket_calendar',
  title: 'The last weeks of a pocket, hour by hour',
  description:
    'Lists the mean calm level of every hour of the last weeks. Use it to draw a heat map or to see which hours are calm. Returns {pocket_id, weeks, days [{date, weekday, calm[24]}], last_week {silence_count, already_speaking_count, quiet_hours_count, waking_time}}, oldest day first, by {city} date and clock; calm is null where nothing was read in the hour. last_week counts the silences of the last 7 days, and apart from them the quarter hours in which nothing was decided; its waking_time {minutes_said, minutes_silent, share_said} tells how much of waking time a line was live.',
  input: {
    pocket_id: pocketId,
    weeks: wholeNumber(1, 8, 4, 'weeks to look back'),
  },
  output: Type.Object({
    pocket_id: Type.String(),
    weeks: Type.Integer({ minimum: 1, maximum: 8 }),
    days: Type.Array(
      Type.Object({
        date,
        weekday: Type.Enum([...dayNames]),
        calm: Type.Array(nullable(unit), { minItems: 24, maxItems: 24 }),
      }),
    ),
    last_week: Type.Object(
      {
        silence_count: countField('silences, which fall in waking hours'),
        ...pauseCounts,
        waking_time: wakingTimeField,
      },
      { description: 'decisions of the last 7 days up to now' },
    ),
  }),
  // A total is read for each hour, not its readings.
  rows: ({ weeks }) => weeks * 7,
  load: async (asked, context) => ({
    days: await readDays(asked, context),
    week: await readTotals(context.store, pocketRollup, slotSpan(namedWindow('7d', context.now)), {
      sums: [...wakingSums, 'quiet_hours'],
      only: { pocket_id: asked.pocket_id },
    }),
  }),
  shape: ({ days, week }, { pocket_id, weeks }) => ({
    pocket_id,
    weeks,
    days: days.map((day) => ({
      date: day.date,
      weekday: dayNames[day.weekday] ?? 'monday',
      calm: day.hours.map(({ calm, readings }) => meanFromSum(calm, readings)),
    })),
    last_week: {
      silence_count: week.silences,
      already_speaking_count: week.already_speaking,
      quiet_hours_count: week.quiet_hours,
      waking_time: wakingTime(week),
    },
  }),
  speak: ({ days }, { pocket_id }) => {
    const read = days.flatMap(({ calm }) => calm.filter((level) => level !== null));
    return `${pocket_id}: ${countText(days.length, 'day')}, of which ${countText(read.length, 'hour')} ${read.length === 1 ? 'was' : 'were'} read.`;
  },
  table: (asked, context) =>
    createTable('calendar', hourRows(asked, context), {
      date: ({ date }) => date,
      hour: ({ hour }) => hour,
      calm: ({ calm, readings }) => meanFromSum(calm, readings),
      readings: ({ readings }) => readings,
    }),
  rest: { path: '/api/pocket-calendar', names: { pocket_id: 'pocket' } },
});

async function readDays(
  { pocket_id, weeks }: Asked,
  { store, now, zone }: OperationContext,
): Promise<CalendarDay[]> {
  const days = Array.from({ length: 7 * weeks }, (_, n) => zone.startOfDay(now, n + 1 - 7 * weeks));
  const hours = days.flatMap((day) => hoursOfDay(day, zone));
  const sums = await calmOfHours(store, pocket_id, hours, now);
  return days.map((day, n) => ({
    date: zone.localDate(day),
    weekday: zone.weekday(day),
    hours: sums.slice(24 * n, 24 * (n + 1)),
  }));
}

async function* hourRows(asked: Asked, context: OperationContext) {
  for (const { date, hours } of (await readDays(asked, context)).reverse())
    yield hours.map((sums, hour) => ({ date, hour, ...sums })).reverse();
}
