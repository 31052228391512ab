// On which of the last days the service observed every quarter hour, and when it did not: from the slots that its
// observing job ran for. Slots are epoch milliseconds.
import { HOUR, MINUTE, SLOT, slotStart } from '../time/slot.ts';
import type { Zone } from '../time/zone.ts';

/** A job that has not run this long after its slot is late: it needs time to finish. */
export const RUN_GRACE = 10 * MINUTE;
/** The job that observes: without its run a slot has no readings, decisions and forecasts. */
export const OBSERVING = 'atmosphere';
export const UPTIME_DAYS = 90;
/** As long without a reading is an outage; shorter, some readings are missing. */
const OUTAGE = HOUR;

/**
 * `before`: the service had not begun. `backfilled`: the first history, which was written at once and says nothing about
 * the service. `not_due`: no slot was due yet. `amber`: a slot is missing. `red`: an hour or more is, in one piece.
 */
export const dayStates = ['before', 'backfilled', 'not_due', 'green', 'amber', 'red'] as const;
export type DayState = (typeof dayStates)[number];

export interface UptimeInput {
  now: number;
  /** Two runs one after the other with missing slots between them, oldest first. */
  gaps: readonly { after: number; before: number }[];
  /** The first and the last slot of all runs up to now. */
  first: number | null;
  last: number | null;
  /** The last slot of the first history, if there is one. While it is being written nothing is due. */
  history: { until_slot: number; finished: boolean } | null;
}

export interface Incident {
  /** The first slot that is missing. */
  from: number;
  /** The slot of the next run; null while there is none. */
  until: number | null;
  missed_slots: number;
  state: 'amber' | 'red';
}

export interface UptimeDay {
  date: string;
  state: DayState;
  slots_due: number;
  slots_run: number;
}

export interface Uptime {
  /** The first slot that the service itself was due for; null before it. */
  since: number | null;
  /** Oldest first. */
  days: UptimeDay[];
  /** Newest first. */
  incidents: Incident[];
}

/** The start of the first day shown. */
export const uptimeStart = (now: number, zone: Zone): number => zone.startOfDay(now, 1 - UPTIME_DAYS);

export function computeUptime(input: UptimeInput, zone: Zone): Uptime {
  const { now } = input;
  const start = uptimeStart(now, zone);
  const since = dueSince(input);
  const lastDue = slotStart(now - RUN_GRACE);
  const incidents = since === null ? [] : findIncidents(input, since, lastDue);
  const days = Array.from({ length: UPTIME_DAYS }, (_, i): UptimeDay => {
    const from = zone.startOfDay(start, i);
    const end = zone.startOfDay(start, i + 1);
    const due = since === null ? 0 : slotsIn(Math.max(from, since), Math.min(end, lastDue + SLOT));
    const missed = incidents.map((incident) => ({ ...incident, slots: overlap(incident, from, end) }));
    const here = missed.filter(({ slots }) => slots > 0);
    const state = due > 0 ? worstState(here) : stateBeforeDue(input, since, from, end);
    const slots_run = due - here.reduce((sum, { slots }) => sum + slots, 0);
    return { date: zone.localDate(from), state, slots_due: due, slots_run };
  });
  return {
    since: since !== null && since <= lastDue ? since : null,
    days,
    incidents: incidents.toReversed(),
  };
}

function dueSince({ first, history }: UptimeInput): number | null {
  if (history) return history.finished ? history.until_slot + SLOT : null;
  return first;
}

/** Of a day without a slot that was due. */
function stateBeforeDue(input: UptimeInput, since: number | null, from: number, end: number): DayState {
  const { first, history } = input;
  if (first === null || first >= end) return 'before';
  return history && (since === null || from < since) ? 'backfilled' : 'not_due';
}

function findIncidents({ gaps, last }: UptimeInput, since: number, lastDue: number): Incident[] {
  const open = { after: last ?? since - SLOT, before: null };
  return [...gaps, open].flatMap(({ after, before }) => {
    const begin = Math.max(after + SLOT, since);
    const missed_slots = slotsIn(begin, before ?? lastDue + SLOT);
    if (missed_slots === 0) return [];
    const state = missed_slots * SLOT >= OUTAGE ? 'red' : 'amber';
    return [{ from: begin, until: before, missed_slots, state }];
  });
}

/** Rounded down to four decimals: a record with a gap is never whole. Null of nothing. */
export const shareRoundedDown = (part: number, whole: number): number | null =>
  whole ? Math.floor((10_000 * part) / whole) / 10_000 : null;

const slotsIn = (from: number, end: number): number => Math.max(0, Math.round((end - from) / SLOT));

const overlap = ({ from, missed_slots }: Incident, begin: number, end: number): number =>
  slotsIn(Math.max(from, begin), Math.min(from + missed_slots * SLOT, end));

const worstState = (incidents: readonly Incident[]): DayState =>
  incidents.some(({ state }) => state === 'red') ? 'red' : incidents.length ? 'amber' : 'green';
