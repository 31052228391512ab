// The rows behind an answer as a CSV download, streamed from the store.
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from '../../operations/core/define.ts';
import { leastReading } from '../connections/buffered-bytes.ts';
import { HttpError } from '../core/errors.ts';
import type { OpenTable, TableBatch } from '../heavy/jobs.ts';
import { tooBusy } from '../heavy/queue.ts';
import { prefersCsv, tableFormats } from '../negotiation/accept.ts';

/** Whether the request asks for the rows as CSV: by its parameter or, without that, by its Accept header. */
export function wantsTable(
  { table, input }: Operation,
  { format }: { format?: unknown },
  accept: string | undefined,
): boolean {
  if (!table) return false;
  if (format === undefined || format === '') return prefersCsv(accept);
  if (format === 'csv') return true;
  if (format === 'json' || 'format' in input.properties) return false;
  throw new HttpError(400, `format must be one of ${tableFormats.join(', ')}`);
}

export interface TableLimits {
  /** Tables that are being sent at once, in all and to one client. */
  total: number;
  perClient: number;
  /** A client that reads more slowly than this is disconnected. */
  bytesPerSecond: number;
  /** How far a client may fall behind that speed. */
  graceMs: number;
}

const defaultLimits: TableLimits = { total: 64, perClient: 4, ...leastReading };

/** `client` is its address, as limits count it. */
type SendTable = (
  request: FastifyRequest,
  reply: FastifyReply,
  client: string,
  open: () => Promise<OpenTable>,
) => Promise<FastifyReply>;

/** Sends tables batch by batch, with backpressure: a slow client slows down the reading of the store. */
export function tableSender(licence: string, limits: TableLimits = defaultLimits): SendTable {
  const active = new Map<string, number>();
  const total = () => active.values().reduce((sum, count) => sum + count, 0);
  const count = (client: string, change: 1 | -1) => {
    const left = (active.get(client) ?? 0) + change;
    if (left) active.set(client, left);
    else active.delete(client);
  };
  return async ({ method }, reply, client, open) => {
    if (total() >= limits.total || (active.get(client) ?? 0) >= limits.perClient)
      throw tooBusy('too many tables are being sent: try again in a while', tableHint);
    count(client, 1);
    let table: OpenTable | undefined;
    const end = () => {
      count(client, -1);
      table?.close();
    };
    try {
      table = await open();
      reply
        .type('text/csv; charset=utf-8; header=present')
        .header('content-disposition', `attachment; filename="pocketwatch-${table.name}.csv"`)
        .header('vary', 'accept')
        .header('link', `<${licence}>; rel="license"`);
      if (method === 'HEAD') {
        end();
        // A stream, as for a GET: of nothing, Fastify would state the length 0.
        return reply.send(Readable.from([]));
      }
      // The first batch is read before the headers are sent: a store that cannot be read is then still a 503.
      const first = await table.next();
      const pace = leastSpeed(limits, () => reply.raw.destroy());
      const lines = Readable.from(streamTable(table, first, pace));
      lines.once('close', () => {
        pace.stop();
        end();
      });
      return reply.send(lines);
    } catch (error) {
      end();
      throw error;
    }
  };
}

const tableHint = 'read one table after another, or a smaller since, hours or window';

async function* streamTable(table: OpenTable, first: TableBatch | undefined, pace: Pace) {
  yield table.header;
  for (let batch = first; batch; batch = await table.next()) {
    pace.begin(batch.bytes.length);
    yield batch.bytes;
    pace.stop();
    // Lets other requests be answered between two batches.
    await nextTurn();
  }
}

interface Pace {
  /** The client is given this many bytes. */
  begin(bytes: number): void;
  /** The client wants more: from here until the next `begin` it waits for the server. */
  stop(): void;
}

/** Calls `cut` when the client has fallen behind the least speed by more than the grace. */
export function leastSpeed(
  { bytesPerSecond, graceMs }: Pick<TableLimits, 'bytesPerSecond' | 'graceMs'>,
  cut: () => void,
): Pace {
  let left = graceMs;
  let begunAt = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    begin: (bytes) => {
      // A client that was fast does not earn the right to be slow later.
      left = Math.min(left, graceMs) + (bytes / bytesPerSecond) * 1000;
      begunAt = performance.now();
      timer = setTimeout(cut, left);
    },
    stop: () => {
      clearTimeout(timer);
      left -= performance.now() - begunAt;
    },
  };
}
