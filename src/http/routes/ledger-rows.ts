// What the tables beside the log say of its entries, for verifiers: 256 entries at a time, by the paths of bundles, and
// the rollups of a day.
import type { FastifyInstance } from 'fastify';
import { LedgerError } from '../../ledger/error.ts';
import { parseTilePath } from '../../ledger/tile-path.ts';
import { tileWidth } from '../../ledger/tiles.ts';
import { latestCheckpoint } from '../../store/ledger/ledger-reads.ts';
import { tableEnds, tableRows } from '../../store/ledger/table-rows.ts';
import { rollupEnds, rollupTotals } from '../../store/rollup/rollup-totals.ts';
import type { AppContext } from '../core/app-context.ts';
import { HttpError } from '../core/errors.ts';

/** A copy that somebody else keeps would hide what has changed since. */
const UNCACHED = 'no-store';

export function serveLedgerRows(app: FastifyInstance, { store }: AppContext): void {
  app.get('/api/ledger/rows', async (_request, reply) =>
    reply
      .header('cache-control', UNCACHED)
      .send({ tables: await tableEnds(store), rollups: await rollupEnds(store) }),
  );

  app.get<{ Params: { date: string } }>('/api/ledger/totals/:date', async (request, reply) => {
    const day = dayOf(request.params.date);
    if (day === undefined) throw new HttpError(404, 'a day is written as 2026-11-16');
    return reply.header('cache-control', UNCACHED).send({ tables: await rollupTotals(store, day) });
  });

  app.get<{ Params: { '*': string } }>('/api/ledger/rows/*', async (request, reply) => {
    const { index, width } = bundleOf(request.params['*']);
    const { size } = (await latestCheckpoint(store)) ?? { size: 0 };
    if (width > tileWidth(size, 0, index)) throw new HttpError(404, 'no such entries yet');
    return reply.header('cache-control', UNCACHED).send({ tables: await tableRows(store, index, width) });
  });
}

/** The beginning of a day of UTC. */
function dayOf(text: string): number | undefined {
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(day) ? undefined : day;
}

function bundleOf(path: string) {
  try {
    return parseTilePath(`tile/entries/${path}`);
  } catch (error) {
    if (error instanceof LedgerError) throw new HttpError(404, 'no such entries');
    throw error;
  }
}
