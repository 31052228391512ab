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
