import { readDecisionId } from '../../domain/decision/silence.ts';
import { isRevealId } from '../../domain/prediction/prediction.ts';
import { isVerdictId } from '../../domain/verdict/verdict.ts';
import { type EntryType, entryText } from '../../ledger/entry.ts';
import { isKeyChangeId } from '../../ledger/key-change.ts';
import { HASH_BYTES } from '../../ledger/merkle.ts';
import type { ReadTile } from '../../ledger/proof.ts';
import { TILE_WIDTH } from '../../ledger/tiles.ts';
import type { Reader } from '../engine/store.ts';

export interface LedgerEntry {
  leaf: number;
  type: EntryType;
  id: string;
  /** The canonical text that was hashed: serve it as it is, or parse it; never serialise it again. */
  payload: string;
  payload_hash: `sha256:${string}`;
}

/** The largest number that a leaf can have: PostgreSQL refuses to compare it with a larger one. */
export const MAX_LEAF = 2 ** 31 - 1;

const columns = 'leaf, type, id, payload, payload_hash';
const entryColumns = 'e.leaf, e.type, e.id, e.payload, e.payload_hash';

const tables = {
  prediction: 'predictions',
  line: 'packages',
  silence: 'silences',
  verdict: 'verdicts',
  submission: 'submissions',
  reveal: 'reveals',
  key: 'ledger_keys',
} as const;
export type ListedType = Exclude<EntryType, 'reveal'>;

/** Found through the table of the type that the id names, since `ledger_entries` is indexed by leaf alone. */
export async function entryById(store: Reader, id: string): Promise<LedgerEntry | undefined> {
  const decision = readDecisionId(id);
  const from = (type: EntryType) =>
    `select ${entryColumns} from ${tables[type]} t join ledger_entries e on e.leaf = t.leaf`;
  if (isKeyChangeId(id)) return store.get<LedgerEntry>(`${from('key')} where e.id = ?`, id);
  if (!decision) return store.get<LedgerEntry>(`${from('submission')} where t.id = ?`, id);
  const { pocket_id, slot, rest } = decision;
  const of = (type: EntryType) =>
    store.get<LedgerEntry>(
      `${from(type)} where t.pocket_id = ? and t.slot = ? and e.id = ?`,
      pocket_id,
      slot,
      id,
    );
  if (rest === '') return (await of('silence')) ?? of('line');
  return of(isVerdictId(id) ? 'verdict' : isRevealId(id) ? 'reveal' : 'prediction');
}

/** The last entries of a type, newest first; those before the leaf `before`, if it is given. */
export const newestEntries = (
  store: Reader,
  type: ListedType,
  limit: number,
  before = MAX_LEAF,
): Promise<LedgerEntry[]> =>
  store.all<LedgerEntry>(
    `select ${entryColumns} from ${tables[type]} t
     join ledger_entries e on e.leaf = t.leaf where t.leaf < ? order by t.leaf desc limit ?`,
    before,
    limit,
  );

/** The entries under a tile of level 0, built from the stored rows, so that a verifier notices an edited row. */
export async function entriesOfTile(store: Reader, tile: number, width: number): Promise<string[]> {
  const first = tile * TILE_WIDTH;
  const rows = await store.all<LedgerEntry>(
    `select ${columns} from ledger_entries where leaf >= ? and leaf < ? order by leaf`,
    first,
    first + width,
  );
  return rows.map(({ type, id, payload, payload_hash }) =>
    entryText(type, id, { canonical: payload, payload_hash }),
  );
}

/** How many entries the log has; undefined before it is begun. */
export const ledgerSize = async (store: Reader): Promise<number | undefined> =>
  (await store.get<{ size: number }>('select size from ledger_size'))?.size;

/** The newest checkpoint. */
export async function latestCheckpoint(store: Reader): Promise<{ size: number; note: string } | undefined> {
  return store.get('select size, note from ledger_checkpoints order by size desc limit 1');
}

/** The signed note of the checkpoint of that size, if the log has published one. */
export const checkpointOfSize = async (store: Reader, size: number): Promise<string | undefined> =>
  (await store.get<{ note: string }>('select note from ledger_checkpoints where size = ?', size))?.note;

/** Reads a complete tile, or the first `width` hashes of the incomplete one at the right edge of the tree. */
export const tileReader =
  (store: Reader): ReadTile =>
  async ({ level, index, width }) => {
    const row =
      (await store.get<{ hashes: string }>(
        'select hashes from ledger_tiles where level = ? and idx = ?',
        level,
        index,
      )) ??
      (await store.get<{ hashes: string }>(
        'select hashes from ledger_edges where level = ? and idx = ?',
        level,
        index,
      ));
    return Buffer.from(row?.hashes ?? '', 'base64').subarray(0, width * HASH_BYTES);
  };
