import { DAY, HOUR, SLOT, slotStart } from './slot.ts';

/** How far back a question looks, under the names that callers use. */
const lengths = {
  '1h': HOUR,
  '6h': 6 * HOUR,
  '24h': DAY,
  '1d': DAY,
  '7d': 7 * DAY,
  '14d': 14 * DAY,
  '30d': 30 * DAY,
  '90d': 90 * DAY,
  all: Number.POSITIVE_INFINITY,
} as const;
export type WindowName = keyof typeof lengths;

/** A window begins after `after` and ends with `until`, both epoch milliseconds. */
export interface Window {
  after: number;
  until: number;
}

/** Slots from `from`, up to but without `to`. */
export interface Span {
  from: number;
  to: number;
}

/** The slots of a window, newest first. */
export const slotsWithin = ({ after, until }: Window): number[] =>
  Array.from({ length: (slotStart(until) - slotStart(after)) / SLOT }, (_, n) => slotStart(until) - n * SLOT);

/** The slots of a window. */
export const slotSpan = ({ after, until }: Window): Span => ({
  from: slotStart(after) + SLOT,
  to: slotStart(until) + SLOT,
});

/** The slots of a span up to `last`, and those after it. */
export function splitAfter({ from, to }: Span, last: number | null): [until: Span, after: Span] {
  const cut = last === null ? from : Math.min(to, Math.max(from, last + SLOT));
  return [
    { from, to: cut },
    { from: cut, to },
  ];
}

/** The days that a span touches, each as far as it lies in the span; `startOfDay` is that of a zone or of UTC. */
export function splitDays(
  { from, to }: Span,
  startOfDay: (time: number, daysLater: number) => number,
): Span[] {
  const days: Span[] = [];
  let day = from;
  while (day < to) {
    const end = Math.min(startOfDay(day, 1), to);
    days.push({ from: day, to: end });
    day = end;
  }
  return days;
}

export const namedWindow = (name: WindowName, now: number): Window => ({
  after: Math.max(0, now - lengths[name]),
  until: now,
});

/** Hours may have a fraction; times are whole milliseconds. */
export const lastHours = (hours: number, now: number): Window => ({
  after: Math.floor(now - hours * HOUR),
  until: now,
});
