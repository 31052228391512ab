import Type from 'typebox';
import {
  computeUptime,
  dayStates,
  OBSERVING,
  shareRoundedDown,
  UPTIME_DAYS,
  type Uptime,
  uptimeStart,
} from '../../domain/report/uptime.ts';
import { countText } from '../../domain/text/count-text.ts';
import { iso, MINUTE, SLOT } from '../../domain/time/slot.ts';
import { newestSlot } from '../../store/observation/readings.ts';
import { firstRun } from '../../store/runtime/health-queries.ts';
import { backfilledHistory, readHistory } from '../../store/runtime/history.ts';
import { lastRun, runGaps } from '../../store/runtime/job-runs.ts';
import { count, countField, date, nullable, timeField, timestamp, unit } from '../core/answer-fields.ts';
import { defineOperation, type OperationContext } from '../core/define.ts';
import { describeNewestReading, newestReadingFields, readingAgeText } from './get-newest-reading.ts';

const MAX_INCIDENTS = 50;

const day = Type.Object({
  date,
  state: Type.Enum([...dayStates], {
    description:
      'before: the service had not begun; backfilled: a part of the first history, which was written at once; not_due: no quarter hour was due yet; green: none is missing; amber: some are; red: an hour or more is, in one piece',
  }),
  slots_due: count,
  slots_run: count,
  share: nullable(unit),
});

const incident = Type.Object({
  from: timeField('the first quarter hour without readings'),
  until: Type.Union([timestamp, Type.Null()], { description: 'of the next readings; null while it lasts' }),
  minutes: count,
  missed_slots: count,
  missed_readings: countField('with the pockets of today'),
  state: Type.Enum(['amber', 'red']),
});

export const getStatusHistory = defineOperation({
  name: 'get_status_history',
  title: 'The last 90 days of the service',
  description: `Tells on which of the last ${UPTIME_DAYS} days the service observed every quarter hour, and when it did not. Use it with /api/heartbeat, which is about the present, and /api/check-history, which has the days of each check. Returns {as_of, newest_reading_at, reading_age_minutes, readings_late (older than a slot and a half), observing_since (null before the first quarter hour of its own), history_finished (false while the first history is still being written), history_until (the end of it: it was written at once and counts for nothing here), slots_due, slots_run, share, days[] {date, state, slots_due, slots_run, share}, oldest first, incident_count, incidents[] {from, until, minutes, missed_slots, missed_readings, state}, newest first, at most ${MAX_INCIDENTS}}. Days are those of {city}. An incident is a series of quarter hours without readings, decisions and forecasts.`,
  input: {},
  output: Type.Object({
    ...newestReadingFields,
    observing_since: nullable(timestamp),
    history_finished: Type.Boolean(),
    history_until: nullable(timestamp),
    slots_due: count,
    slots_run: count,
    share: nullable(unit),
    days: Type.Array(day),
    incident_count: count,
    incidents: Type.Array(incident),
  }),
  // The age changes every minute.
  cache: false,
  load: async (_input, context) => {
    const { store, now, registry } = context;
    const [{ uptime, history }, { finished }, newest] = await Promise.all([
      loadUptime(context),
      readHistory(store),
      newestSlot(store, now),
    ]);
    return { now, newest, history, finished, uptime, pockets: registry.pockets.length };
  },
  shape: ({ now, newest, history, finished, uptime, pockets }) => {
    const { since, days, incidents } = uptime;
    return {
      ...describeNewestReading(newest, now),
      observing_since: isoOrNull(since),
      history_finished: finished,
      history_until: isoOrNull(history?.until_slot ?? null),
      ...sumSlots(days),
      days: days.map((one) => ({ ...one, share: shareRoundedDown(one.slots_run, one.slots_due) })),
      incident_count: incidents.length,
      incidents: incidents.slice(0, MAX_INCIDENTS).map(({ from, until, missed_slots, state }) => ({
        from: iso(from),
        until: isoOrNull(until),
        minutes: (missed_slots * SLOT) / MINUTE,
        missed_slots,
        missed_readings: missed_slots * pockets,
        state,
      })),
    };
  },
  speak: ({ reading_age_minutes, slots_due, slots_run, incident_count }) =>
    [
      readingAgeText(reading_age_minutes),
      slots_due
        ? `${slots_run} of ${countText(slots_due, 'quarter hour')} ${slots_run === 1 ? 'was' : 'were'} observed in the last ${UPTIME_DAYS} days, ${incident_count === 1 ? 'with one gap' : `with ${incident_count} gaps`}.`
        : 'no quarter hour has been due yet.',
    ].join(' '),
  rest: { path: '/api/status-history' },
});

export async function loadUptime({ store, now, zone }: Pick<OperationContext, 'store' | 'now' | 'zone'>) {
  const [gaps, first, last, history] = await Promise.all([
    runGaps(store, OBSERVING, uptimeStart(now, zone), now),
    firstRun(store, OBSERVING),
    lastRun(store, OBSERVING, now),
    backfilledHistory(store),
  ]);
  return { uptime: computeUptime({ now, gaps, first, last, history }, zone), history };
}

const isoOrNull = (time: number | null): string | null => (time === null ? null : iso(time));

function sumSlots(days: Uptime['days']) {
  const slots_due = days.reduce((sum, day) => sum + day.slots_due, 0);
  const slots_run = days.reduce((sum, day) => sum + day.slots_run, 0);
  return { slots_due, slots_run, share: shareRoundedDown(slots_run, slots_due) };
}
