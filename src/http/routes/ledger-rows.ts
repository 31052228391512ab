// What the tables beside the log say of its entries, for verifiers: 256 entries at a time, by the paths of bundles.
import type { FastifyInstance } from 'fastify';
import { LedgerError } from '../../ledger/error.ts';
import { parseTilePath } from '../../ledger/tile-path.ts';
import { tileWidth } from '../../ledger/tiles.ts';
import { latestCheckpoint } from '../../store/ledger/ledger-reads.ts';
import { tableEnds, tableRows } from '../../store/ledger/table-rows.ts';
import type { AppContext } from '../core/app-context.ts';
import { HttpError } from '../core/errors.ts';

/** A copy that somebody else keeps would hide what has changed since. */
const UNCACHED = 'no-store';

export function serveLedgerRows(app: FastifyInstance, { store }: AppContext): void {
  app.get('/api/ledger/rows', async (_request, reply) =>
    reply.header('cache-control', UNCACHED).send({ tables: await tableEnds(store) }),
  );

  app.get<{ Params: { '*': string } }>('/api/ledger/rows/*', async (request, reply) => {
    const { index, width } = bundleOf(request.params['*']);
    const { size } = (await latestCheckpoint(store)) ?? { size: 0 };
    if (width > tileWidth(size, 0, index)) throw new HttpError(404, 'no such entries yet');
    return reply.header('cache-control', UNCACHED).send({ tables: await tableRows(store, index, width) });
  });
}

function bundleOf(path: string) {
  try {
    return parseTilePath(`tile/entries/${path}`);
  } catch (error) {
    if (error instanceof LedgerError) throw new HttpError(404, 'no such entries');
    throw error;
  }
}
