import Type from 'typebox';
import { type HourlySignals, hourlySignals } from '../../domain/signals/hourly-signals.ts';
import { hoursOfDay } from '../../domain/stats/day-hours.ts';
import { countText } from '../../domain/text/count-text.ts';
import { DAY, HOUR, iso, SLOT, slotStart } from '../../domain/time/slot.ts';
import type { Span } from '../../domain/time/window.ts';
import type { Zone } from '../../domain/time/zone.ts';
import { measuredSlots } from '../../store/observation/pocket-measurements.ts';
import { signalsKeptFrom } from '../../store/observation/signal-retention.ts';
import { nullable, timestamp } from '../core/answer-fields.ts';
import { defineOperation, type OperationContext } from '../core/define.ts';
import { pocketId } from '../core/fields.ts';
import { createTable } from '../core/table.ts';
import { dayAsked, localDate } from './history-fields.ts';

interface Asked {
  pocket_id: string;
  date?: string;
}

const kinds = ['rain_mm', 'temperature_c', 'traffic_speed_kmh', 'people', 'crowd'] as const;

export const getPocketSignals = defineOperation({
  name: 'get_pocket_signals',
  title: 'Rain, temperature, traffic and people of a pocket',
  description:
    'Lists what was measured in each hour of the last 24, or of a day. Use it to see what lies behind a reading. Returns {pocket_id, from, to, kept_from, measured, hours [{at, rain_mm, temperature_c, traffic_speed_kmh, people, crowd}]}, oldest first. rain_mm is the total of the hour, the others are means. people is people an hour, and null where a quarter hour counted fewer than five; crowd is a share of the usual peak, given only where no people are counted. measured names the signals that have a value. Measurements before kept_from are no longer kept; it is null where that does not touch these hours.',
  input: {
    pocket_id: pocketId,
    date: Type.Optional(
      Type.String({
        ...localDate,
        description: 'day in {city}, such as 2026-11-11; the last 24 hours when omitted',
      }),
    ),
  },
  output: Type.Object({
    pocket_id: Type.String(),
    from: timestamp,
    to: timestamp,
    kept_from: Type.Union([timestamp, Type.Null()], {
      description:
        'where some of these hours are older than what is kept: from when on it is; null where none is',
    }),
    measured: Type.Array(Type.Enum([...kinds])),
    hours: Type.Array(
      Type.Object({
        at: timestamp,
        rain_mm: nullable(Type.Number({ minimum: 0, description: 'mm' })),
        temperature_c: nullable(Type.Number({ description: 'mean temperature in degrees Celsius' })),
        traffic_speed_kmh: nullable(Type.Number({ minimum: 0, description: 'km/h' })),
        people: nullable(Type.Number({ minimum: 5, description: 'people an hour' })),
        crowd: nullable(
          Type.Number({ minimum: 0, description: 'share of the usual peak, which it may exceed' }),
        ),
      }),
    ),
  }),
  rows: () => DAY / SLOT,
  load: readHours,
  shape: ({ span, hours, keptFrom }, { pocket_id }) => ({
    pocket_id,
    from: iso(span.from),
    to: iso(span.to),
    kept_from: keptFrom === null ? null : iso(keptFrom),
    measured: kinds.filter((kind) => hours.some((hour) => hour[kind] !== null)),
    hours: hours.map((hour) => ({ ...hour, at: iso(hour.at) })),
  }),
  speak: ({ measured, hours, from, to, kept_from }, { pocket_id }, zone) =>
    measured.length
      ? `${pocket_id} from ${zone.clockWithZone(Date.parse(from))} to ${zone.clockWithZone(Date.parse(to))}: ${measured.join(', ')} over ${countText(hours.length, 'hour')}.`
      : kept_from === null
        ? `nothing was measured of ${pocket_id} in these hours.`
        : `whatever was measured of ${pocket_id} in these hours is no longer kept.`,
  table: (asked, context) =>
    createTable('signals', hourRows(asked, context), {
      at: ({ at }) => iso(at),
      rain_mm: ({ rain_mm }) => rain_mm,
      temperature_c: ({ temperature_c }) => temperature_c,
      traffic_speed_kmh: ({ traffic_speed_kmh }) => traffic_speed_kmh,
      people: ({ people }) => people,
      crowd: ({ crowd }) => crowd,
    }),
  rest: { path: '/api/pocket-signals', names: { pocket_id: 'pocket' } },
});

/** The hours of the day that was asked for, or the last 24; both end with the current quarter hour at the latest. */
async function readHours(
  { pocket_id, date }: Asked,
  context: OperationContext,
): Promise<{ span: Span; hours: HourlySignals[]; keptFrom: number | null }> {
  const { store, now, zone } = context;
  const end = slotStart(now) + SLOT;
  const all = date === undefined ? lastHours(now, zone) : hoursOfDay(dayAsked(date, context), zone);
  const hours = all.filter(({ from, to }) => from < Math.min(to, end));
  const span = { from: hours[0]?.from ?? end, to: Math.min(end, hours.at(-1)?.to ?? end) };
  const measured = await measuredSlots(store, pocket_id, span);
  const keptFrom = await signalsKeptFrom(store);
  return {
    span,
    hours: hourlySignals(measured, hours),
    keptFrom: keptFrom !== null && span.from < keptFrom ? keptFrom : null,
  };
}

/** The hour of the clock that `now` is in, and the 23 before it. */
function lastHours(now: number, zone: Zone): Span[] {
  const last = zone.atHour(now, Math.floor(zone.hourOfDay(now)));
  return Array.from({ length: DAY / HOUR }, (_, n) => ({
    from: last + (n - 23) * HOUR,
    to: last + (n - 22) * HOUR,
  }));
}

async function* hourRows(asked: Asked, context: OperationContext) {
  yield (await readHours(asked, context)).hours.reverse();
}
