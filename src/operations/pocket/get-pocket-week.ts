import Type from 'typebox';
import { calmBand } from '../../domain/atmosphere/calm-band.ts';
import { usualCalm } from '../../domain/atmosphere/usual-calm.ts';
import { type BandHours, usualExtremes } from '../../domain/atmosphere/usual-week.ts';
import { hourMeans } from '../../domain/stats/day-hours.ts';
import { dayAndHour, dayNames } from '../../domain/time/periods.ts';
import { DAY, iso, SLOT, slotStart } from '../../domain/time/slot.ts';
import { type CalmNorm, readCalmNorms } from '../../store/observation/norms.ts';
import { readingsBetween } from '../../store/observation/readings.ts';
import { date, nullable, timeField, unit, unitField } from '../core/answer-fields.ts';
import { defineOperation, type OperationContext } from '../core/define.ts';
import { pocketId } from '../core/fields.ts';
import { createTable } from '../core/table.ts';

const HOURS_OF_WEEK = Array.from({ length: 168 }, (_, hour) => hour);

const weekday = Type.Enum([...dayNames]);
const hour = Type.Integer({ minimum: 0, maximum: 23 });

export const getPocketWeek = defineOperation({
  name: 'get_pocket_week',
  title: 'The usual week of a pocket, and today on top of it',
  description:
    'Lists the usual calm level of every hour of the week, and the mean of each hour of today so far. Use it to see when a pocket is usually busy. Returns {pocket_id, as_of, usual [{weekday, hour, usual_calm, readings}], today {date, weekday, holiday, hours [{hour, calm, readings}]}}, by {city} clock, Monday first. usual_calm is null with less than two weeks of readings; its readings are at most 32, since older ones lose weight. Hours of today without a reading are left out. A public holiday has its name in holiday, and is compared with its weekday all the same: the usual does not tell holidays apart.',
  input: { pocket_id: pocketId },
  output: Type.Object({
    pocket_id: Type.String(),
    as_of: timeField('the current quarter hour'),
    usual: Type.Array(
      Type.Object({
        weekday,
        hour,
        usual_calm: nullable(unit),
        readings: Type.Integer({
          minimum: 0,
          maximum: 32,
          description: 'that the usual rests on; older ones lose weight',
        }),
      }),
      { description: 'every hour of the week, Monday 00:00 first', minItems: 168, maxItems: 168 },
    ),
    today: Type.Object(
      {
        date,
        weekday,
        holiday: Type.Union([Type.String(), Type.Null()], {
          description: 'name of the public holiday; null on other days',
        }),
        hours: Type.Array(
          Type.Object({
            hour,
            calm: unitField('mean calm level of the hour'),
            readings: Type.Integer({ minimum: 1, description: 'readings of the hour so far' }),
          }),
        ),
      },
      { description: 'what was read today' },
    ),
  }),
  rows: () => HOURS_OF_WEEK.length + DAY / SLOT,
  load: async ({ pocket_id }, context) => {
    const { store, now, zone, registry } = context;
    const today = zone.localDate(now);
    const [usual, readings] = await Promise.all([
      readUsualWeek(pocket_id, context),
      readingsBetween(store, pocket_id, zone.startOfDay(now) - 1, now),
    ]);
    const holiday = registry.holidays.includes(today) ? (registry.holidayNames[today] ?? today) : null;
    return { now, usual, readings, today, holiday };
  },
  shape: ({ now, usual, readings, today, holiday }, { pocket_id }, zone) => ({
    pocket_id,
    as_of: iso(slotStart(now)),
    usual,
    today: {
      date: today,
      weekday: dayNames[zone.weekday(now)] ?? 'monday',
      holiday,
      hours: hourMeans(readings, zone),
    },
  }),
  speak: ({ usual, today, as_of }, { pocket_id }, zone) => {
    const found = usualExtremes(usual.filter(({ weekday }) => weekday === today.weekday));
    const present = Math.floor(zone.hourOfDay(Date.parse(as_of)));
    const read = today.hours.find(({ hour }) => hour === present);
    return [
      found
        ? `${pocket_id} on a ${today.weekday}: usually busiest ${bandText(found.busiest)}, calmest ${bandText(found.calmest)}.`
        : `what is usual in ${pocket_id} on a ${today.weekday} is known after two weeks of readings.`,
      ...(read ? [`this hour so far is ${calmBand(read.calm)} (n ${read.readings}).`] : []),
      ...(today.holiday === null ? [] : ['today is a public holiday, which the usual does not tell apart.']),
    ].join(' ');
  },
  table: (asked, context) =>
    createTable('pocket-week', usualRows(asked, context), {
      weekday: ({ weekday }) => weekday,
      hour: ({ hour }) => hour,
      usual_calm: ({ usual_calm }) => usual_calm,
      readings: ({ readings }) => readings,
    }),
  rest: { path: '/api/pocket-week', names: { pocket_id: 'pocket' } },
});

/** One lookup an hour of the week, by the key of the norms. */
async function readUsualWeek(pocket: string, { store }: OperationContext) {
  const norms = await readCalmNorms(store, HOURS_OF_WEEK, [pocket]);
  const byHour = new Map<number, CalmNorm>(norms.map((norm) => [norm.hour_of_week, norm]));
  return HOURS_OF_WEEK.map((hourOfWeek) => {
    const { day, hour } = dayAndHour(hourOfWeek);
    const norm = byHour.get(hourOfWeek);
    return { weekday: day, hour, usual_calm: usualCalm(norm), readings: norm?.samples ?? 0 };
  });
}

async function* usualRows({ pocket_id }: { pocket_id: string }, context: OperationContext) {
  yield await readUsualWeek(pocket_id, context);
}

/** 'from 12:00 to 14:00 and from 18:00 to 20:00 (busy)' */
const bandText = ({ band, spans }: BandHours): string => {
  const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`;
  return `${spans.map(({ from, to }) => `from ${clock(from)} to ${clock(to)}`).join(' and ')} (${band})`;
};
