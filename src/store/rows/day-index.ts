// Rows of one pocket or outlet within a window, by days: PostgreSQL's index has the day of the slot, and writes one entry
// for all rows of the day. So a window names its days too. The embedded store has the slot itself, and no use for the day.
import { DAY } from '../../domain/time/slot.ts';
import type { Window } from '../../domain/time/window.ts';

/** The day of UTC of a slot; written as the indexes have it. */
export const utcDay = (slot: string): string => `${slot} / ${DAY}`;

/** The condition for slots of a window (after, until]; its parameters are `windowAndDays`. */
export const withinDays = (slot: string): string =>
  `${slot} > ? and ${slot} <= ? and ${utcDay(slot)} >= ? and ${utcDay(slot)} <= ?`;

export const windowAndDays = ({ after, until }: Window): [number, number, number, number] => [
  after,
  until,
  Math.floor(after / DAY),
  Math.floor(until / DAY),
];

/** The condition for slots up to a time; its parameters are `endAndDay`. */
export const untilDay = (slot: string): string => `${slot} <= ? and ${utcDay(slot)} <= ?`;

export const endAndDay = (until: number): [number, number] => [until, Math.floor(until / DAY)];

/**
 * An order of readings or snapshots that ends after a row, for the first or the newest one. The column day of their views is
 * what the index has.
 */
export const byDay = (order: 'asc' | 'desc', x = ''): string => `${x}day ${order}, ${x}slot ${order}`;
