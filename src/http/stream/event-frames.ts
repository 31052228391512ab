// Live events as text/event-stream (HTML Standard, "Server-sent events"): their ids, and the bytes that are sent.
import type { StreamEvent } from '../../domain/narration/stream.ts';
import { iso } from '../../domain/time/slot.ts';
import { publishedEvent } from '../../operations/report/get-stream.ts';

/** A place in the order of all events: after so many events of a run. */
export interface Position {
  /** Number of the run in the store; 0: before the first one. */
  run: number;
  /** When the run was, in epoch milliseconds: another store may have given the same number to another run. */
  ranAt: number;
  /** Infinity: after the whole run. */
  count: number;
}

/** The id of the event that ends at a position. It is made from the store alone, so all processes give the same. */
export const eventId = ({ run, ranAt, count }: Position): string =>
  Number.isFinite(count) ? `${run}.${ranAt}.${count}` : `${run}.${ranAt}`;

/** Undefined for what is not an id of this service: clients may send anything. */
export function parseId(text: string): Position | undefined {
  const [, run, ranAt, count] = /^(\d{1,15})\.(\d{1,15})(?:\.(\d{1,9}))?$/.exec(text) ?? [];
  if (run === undefined) return undefined;
  return {
    run: Number(run),
    ranAt: Number(ranAt),
    count: count === undefined ? Number.POSITIVE_INFINITY : Number(count),
  };
}

/** An event, with the very JSON that /api/stream lists. */
export const eventFrame = (event: StreamEvent, position: Position, currency: string): Buffer =>
  Buffer.from(
    `id: ${eventId(position)}\nevent: ${event.type}\ndata: ${JSON.stringify(publishedEvent(event, currency))}\n\n`,
  );

/** Says from when on events follow, to a client that cannot be given all that it has missed. */
export const gapFrame = (from: number): Buffer =>
  Buffer.from(
    `event: gap\ndata: ${JSON.stringify({
      type: 'gap',
      from: iso(from),
      note: 'what happened before this time is not sent again; /api/stream lists it.',
    })}\n\n`,
  );

const RETRY_MS = 3_000;

/** The first bytes of a stream: when to reconnect after a cut, and where to resume if that comes before the first event. */
export const openingFrame = (position: Position): Buffer =>
  Buffer.from(`retry: ${RETRY_MS}\nid: ${eventId(position)}\n\n`);

/**
 * A comment, which clients ignore. To a client that has been sent everything it also gives the newest id: one that
 * follows a quiet pocket can then resume from there, and not from its last event, which may be days old.
 */
export const heartbeatFrame = (position?: Position): Buffer =>
  Buffer.from(position ? `: heartbeat\nid: ${eventId(position)}\n\n` : ': heartbeat\n\n');
