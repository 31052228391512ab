// The ledger of a store at the paths at which a service publishes it, for a verifier that has the store itself.
import { parseTilePath } from '../../../ledger/tile-path.ts';
import type { Reader } from '../../../store/engine/store.ts';
import { ArchivedError } from '../../../store/ledger/archived.ts';
import { currentKey } from '../../../store/ledger/ledger-keys.ts';
import { latestCheckpoint, publishedTile } from '../../../store/ledger/ledger-reads.ts';
import { archivedEnds, tableEnds, tableRows } from '../../../store/ledger/table-rows.ts';
import { publishedSubmissionItems } from '../../../store/prediction/submissions.ts';
import { rollupTotals, servedEnds } from '../../../store/rollup/rollup-totals.ts';
import { ArchivedPart, type FetchBytes } from '../../../verify/source.ts';

const DETACHED = 'detached/';
const ROWS = 'rows/';
const TOTALS = 'totals/';

const jsonBytes = (value: object): Buffer => Buffer.from(JSON.stringify(value));

/** The paths under /api/ledger. `now` decides which submissions are published. */
export function storedLedger(store: Reader, now: number): FetchBytes {
  const readTile = publishedTile(store);
  const read: FetchBytes = async (path) => {
    if (path === 'checkpoint') return Buffer.from((await latestCheckpoint(store))?.note ?? '');
    if (path === 'key') return Buffer.from(`${(await currentKey(store))?.verifier_key ?? ''}\n`);
    if (path.startsWith(DETACHED)) {
      const items = await publishedSubmissionItems(store, `sha256:${path.slice(DETACHED.length)}`, now);
      return items === undefined ? undefined : Buffer.from(items);
    }
    if (path === 'rows')
      return jsonBytes({
        tables: await tableEnds(store),
        ...(await servedEnds(store)),
        ...(await archivedEnds(store)),
      });
    if (path.startsWith(TOTALS))
      return jsonBytes({ tables: await rollupTotals(store, Date.parse(path.slice(TOTALS.length))) });
    if (path.startsWith(ROWS)) {
      const { index, width } = parseTilePath(`tile/entries/${path.slice(ROWS.length)}`);
      return jsonBytes(await tableRows(store, index, width));
    }
    return readTile(parseTilePath(path));
  };
  return async (path, limit) => {
    try {
      return await read(path, limit);
    } catch (error) {
      throw error instanceof ArchivedError ? new ArchivedPart(error.details.archived.place) : error;
    }
  };
}
