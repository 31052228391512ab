// Rows of one pocket or outlet within a window, by days: PostgreSQL's index has the day of the slot, and writes one entry
// for all rows of the day. So a window names its days too. The embedded store has the slot itself, and no use for the day.
import { DAY, HOUR } from '../../domain/time/slot.ts';
import type { Window } from '../../domain/time/window.ts';

/** What an index has in place of the slot: so many milliseconds, and the column for it where a view has one. */
interface Spans {
  span: number;
  column: string;
}

export const days: Spans = { span: DAY, column: 'day' };

/** Of forecasts: whether one was sealed at a slot is asked for each pocket of a list, and a day has 120 rows of a pocket. */
export const hours: Spans = { span: HOUR, column: 'hour' };

/** The day of UTC of a slot; written as the indexes have it. */
export const utcDay = (slot: string, { span } = days): string => `${slot} / ${span}`;

/** The condition for slots of a window (after, until]; its parameters are `windowAndDays`. */
export const withinDays = (slot: string, spans = days): string =>
  `${slot} > ? and ${slot} <= ? and ${utcDay(slot, spans)} >= ? and ${utcDay(slot, spans)} <= ?`;

export const windowAndDays = (
  { after, until }: Window,
  { span } = days,
): [number, number, number, number] => [after, until, Math.floor(after / span), Math.floor(until / span)];

/** The condition for slots up to a time; its parameters are `endAndDay`. */
export const untilDay = (slot: string): string => `${slot} <= ? and ${utcDay(slot)} <= ?`;

export const endAndDay = (until: number): [number, number] => [until, Math.floor(until / DAY)];

/**
 * An order of the rows of one pocket that ends after some of them, as for the first or the newest ones. By the column day of
 * their views, hour of those of forecasts, it is the order of the index.
 */
export const byDay = (order: 'asc' | 'desc', x = '', { column } = days): string =>
  `${x}${column} ${order}, ${x}slot ${order}`;
