import { Readable } from 'node:stream';
import { setImmediate as breath } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Cell, csvLine } from '../../domain/text/csv.ts';
import type { Operation, Table } from '../../operations/core/define.ts';
import { HttpError } from '../core/errors.ts';

/** What a table may be asked for as. An operation with a `format` of its own names csv among its choices. */
export const tableFormats = ['json', 'csv'] as const;

/** Whether the rows themselves are asked for, as CSV. */
export function wantsTable({ table, input }: Operation, { format }: { format?: unknown }): boolean {
  if (!table || format === undefined || format === '') return false;
  if (format === 'csv') return true;
  if (format === 'json' || 'format' in input.properties) return false;
  throw new HttpError(400, `format must be one of ${tableFormats.join(', ')}`);
}

/** A table is read for as long as its caller takes: so many are sent at a time, and no more. */
const MOST_AT_ONCE = 4;

export type SendTable = (request: FastifyRequest, reply: FastifyReply, table: Table) => Promise<FastifyReply>;

/** Sends tables batch by batch; a slow reader slows the reading of the store. */
export function tableSender(licence: string, most = MOST_AT_ONCE): SendTable {
  let underWay = 0;
  return async ({ method }, reply, table) => {
    if (underWay >= most) throw new HttpError(503, 'too many tables are being sent: try again in a while');
    reply
      .type('text/csv; charset=utf-8; header=present')
      .header('content-disposition', `attachment; filename="pocketwatch-${table.name}.csv"`)
      .header('link', `<${licence}>; rel="license"`);
    if (method === 'HEAD') return reply.send();
    underWay += 1;
    try {
      const batches = table.batches[Symbol.asyncIterator]();
      // A store that cannot be read is an error while there still can be one.
      const first = await batches.next();
      const lines = Readable.from(linesOf(table.columns, first, batches));
      lines.once('close', () => {
        underWay -= 1;
        batches.return?.();
      });
      return reply.send(lines);
    } catch (error) {
      underWay -= 1;
      throw error;
    }
  };
}

type Rows = readonly (readonly Cell[])[];

async function* linesOf(columns: readonly string[], first: IteratorResult<Rows>, rest: AsyncIterator<Rows>) {
  yield csvLine(columns);
  for (let batch = first; !batch.done; batch = await rest.next()) {
    yield batch.value.map(csvLine).join('');
    // Others are answered between two batches.
    await breath();
  }
}
