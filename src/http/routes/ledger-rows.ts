// What the tables beside the log say of its entries, for verifiers: 256 entries at a time, by the paths of bundles, and
// the rollups of a day. They are sent at the speed of the address, as tiles are (heavy/byte-share.ts).
import type { FastifyInstance, FastifyReply } from 'fastify';
import { LedgerError } from '../../ledger/error.ts';
import { parseTilePath } from '../../ledger/tile-path.ts';
import { tileWidth } from '../../ledger/tiles.ts';
import type { Reader } from '../../store/engine/store.ts';
import { latestCheckpoint } from '../../store/ledger/ledger-reads.ts';
import { archivedEnds, tableEnds, tableRows } from '../../store/ledger/table-rows.ts';
import { rollupTotals, servedEnds } from '../../store/rollup/rollup-totals.ts';
import type { AppContext } from '../answers/app-context.ts';
import { HttpError } from '../core/errors.ts';
import { orFromPrimary } from '../core/from-primary.ts';
import { ENTRY_BYTES, type PacedRead, REQUEST_BYTES } from '../heavy/byte-share.ts';

export function serveLedgerRows(app: FastifyInstance, { store }: AppContext, paced: PacedRead): void {
  app.get('/api/ledger/rows', async ({ ip }, reply) =>
    sendJson(
      reply,
      await paced(ip, REQUEST_BYTES, async () =>
        jsonBytes({
          tables: await tableEnds(store),
          ...(await servedEnds(store)),
          ...(await archivedEnds(store)),
        }),
      ),
    ),
  );

  app.get<{ Params: { '*': string } }>('/api/ledger/rows/*', async ({ ip, params }, reply) => {
    const { index, width } = parseBundlePath(params['*']);
    // The rows take the thread at least as long as the entries that they are about, and count as much as those.
    const length = width * ENTRY_BYTES;
    const read = async (from: Reader) => {
      const { size } = (await latestCheckpoint(from)) ?? { size: 0 };
      if (width > tileWidth(size, 0, index)) throw new HttpError(404, 'no such entries yet');
      return { length, json: jsonBytes(await tableRows(from, index, width)) };
    };
    const { json } = await paced(ip, length, () => orFromPrimary(store, read));
    return sendJson(reply, json);
  });

  app.get<{ Params: { date: string } }>('/api/ledger/totals/:date', async ({ ip, params }, reply) => {
    const day = parseUtcDay(params.date);
    if (day === undefined) throw new HttpError(404, 'a day is written as 2026-11-16');
    const json = await paced(ip, REQUEST_BYTES, async () =>
      jsonBytes({ tables: await rollupTotals(store, day) }),
    );
    return sendJson(reply, json);
  });
}

const jsonBytes = (value: object): Buffer => Buffer.from(JSON.stringify(value));

/** A copy that somebody else keeps would hide what has changed since. */
const sendJson = (reply: FastifyReply, json: Buffer) =>
  reply.type('application/json').header('cache-control', 'no-store').send(json);

/** The beginning of a day of UTC. */
function parseUtcDay(text: string): number | undefined {
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(day) ? undefined : day;
}

function parseBundlePath(path: string) {
  try {
    return parseTilePath(`tile/entries/${path}`);
  } catch (error) {
    if (error instanceof LedgerError) throw new HttpError(404, 'no such entries');
    throw error;
  }
}
