// The rows behind an answer as a CSV download, streamed from the store.
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Cell, csvLine } from '../../domain/text/csv.ts';
import type { Operation, Table } from '../../operations/core/define.ts';
import { HttpError } from '../core/errors.ts';

/** Values of the `format` parameter. An operation with a `format` argument of its own lists csv among its choices. */
export const tableFormats = ['json', 'csv'] as const;

/** Whether the request asks for the rows as CSV. */
export function wantsTable({ table, input }: Operation, { format }: { format?: unknown }): boolean {
  if (!table || format === undefined || format === '') return false;
  if (format === 'csv') return true;
  if (format === 'json' || 'format' in input.properties) return false;
  throw new HttpError(400, `format must be one of ${tableFormats.join(', ')}`);
}

/** A slow client holds its table's store reader open, so the number of concurrent tables is limited. */
const MAX_CONCURRENT = 4;

type SendTable = (request: FastifyRequest, reply: FastifyReply, table: Table) => Promise<FastifyReply>;

/** Sends tables batch by batch, with backpressure: a slow client slows down the reading of the store. */
export function tableSender(licence: string, maxConcurrent = MAX_CONCURRENT): SendTable {
  let active = 0;
  return async ({ method }, reply, table) => {
    if (active >= maxConcurrent)
      throw new HttpError(503, 'too many tables are being sent: try again in a while');
    reply
      .type('text/csv; charset=utf-8; header=present')
      .header('content-disposition', `attachment; filename="pocketwatch-${table.name}.csv"`)
      .header('link', `<${licence}>; rel="license"`);
    if (method === 'HEAD') return reply.send();
    active += 1;
    try {
      const batches = table.batches[Symbol.asyncIterator]();
      // The first batch is read before the headers are sent: a store that cannot be read is then still a 503.
      const first = await batches.next();
      const lines = Readable.from(linesOf(table.columns, first, batches));
      lines.once('close', () => {
        active -= 1;
        batches.return?.();
      });
      return reply.send(lines);
    } catch (error) {
      active -= 1;
      throw error;
    }
  };
}

type Rows = readonly (readonly Cell[])[];

async function* linesOf(columns: readonly string[], first: IteratorResult<Rows>, rest: AsyncIterator<Rows>) {
  yield csvLine(columns);
  for (let batch = first; !batch.done; batch = await rest.next()) {
    yield batch.value.map(csvLine).join('');
    // Lets other requests be answered between two batches.
    await nextTurn();
  }
}
