// Counts what connections hold in this process: answers that their clients have not read, bodies that are not complete,
// and requests that wait for the answer before them. Neither one address nor many together can fill the memory.
import { tooBusy } from '../heavy/queue.ts';
import type { Buffers, Connection } from './connection.ts';

/** An amount in all, and the part of it that one address may have. */
export interface SharedLimit {
  total: number;
  perAddress: number;
}

const MIB = 1024 * 1024;
/** Idle, the process has about 150 MiB. What is counted takes up to twice its bytes: a text and its copy in the socket. */
export const defaultByteLimits: SharedLimit = { total: 64 * MIB, perAddress: 16 * MIB };

/** From this part of a limit on new requests are refused, so that those under way can be completed. */
const REFUSE_FROM = 0.75;

/** A client that reads less than this is disconnected where others would have to wait for it. */
export const leastReading = { bytesPerSecond: 16 * 1024, graceMs: 10_000 };

/** While a limit is reached, what is held is measured again no more often than this. */
const MEASURE_EVERY_MS = 20;

/** The reply to requests that are refused. */
export const tooManyBytes = () =>
  tooBusy(
    'too many bytes are waiting to be read or are being received: try again in a while',
    'read each answer before asking for the next, on fewer connections',
  );

export function createBuffers(
  limits: SharedLimit = defaultByteLimits,
  now: () => number = () => performance.now(),
): Buffers {
  const holders = new Set<Connection>();
  let total = 0;
  let measuredAt = Number.NEGATIVE_INFINITY;

  const hold: Buffers['hold'] = (connection, purpose, bytes) => {
    const { held, address, socket } = connection;
    // What is held after the socket has closed would never be released.
    const change = (socket.destroyed ? 0 : bytes) - held[purpose];
    held[purpose] += change;
    total += change;
    if (address) address.bytes += change;
    if (held.answer + held.body + held.waiting > 0) holders.add(connection);
    else holders.delete(connection);
  };
  const release: Buffers['release'] = (connection) => {
    for (const purpose of ['answer', 'body', 'waiting'] as const) hold(connection, purpose, 0);
  };
  const isOver = ({ address }: Connection, part: number): boolean =>
    total >= part * limits.total || (address !== undefined && address.bytes >= part * limits.perAddress);

  /** Also disconnects clients that read too slowly: they could keep others from being answered for as long as they like. */
  const measure = () => {
    measuredAt = now();
    for (const connection of holders) {
      const { socket, answeredAt } = connection;
      const unread = socket.writableLength;
      hold(connection, 'answer', unread);
      const allowedMs = leastReading.graceMs + (unread / leastReading.bytesPerSecond) * 1000;
      if (unread === 0 || measuredAt - answeredAt <= allowedMs) continue;
      socket.destroy();
      release(connection);
    }
  };
  // Answers are counted when they are written. Whether they have been read since is looked up only when it matters.
  const isStillOver = (connection: Connection, part: number): boolean => {
    if (isOver(connection, part) && now() - measuredAt >= MEASURE_EVERY_MS) measure();
    return isOver(connection, part);
  };
  const isFull = (connection: Connection): boolean => isStillOver(connection, 1);
  /** One answer may be longer than the share of an address that holds nothing else: cut, it would be asked for again. */
  const isAlone = ({ address, held: { answer } }: Connection): boolean =>
    address?.bytes === answer && total - answer < limits.total;

  return {
    hold,
    release,
    isFull,
    refusesRequests: (connection) => isStillOver(connection, REFUSE_FROM),
    recordWrite: (connection, afresh) => {
      const { socket } = connection;
      if (afresh) connection.answeredAt = now();
      hold(connection, 'answer', socket.writableLength);
      // An answer that was begun cannot be refused any more.
      if (isFull(connection) && !(afresh && isAlone(connection))) socket.destroy();
    },
  };
}
