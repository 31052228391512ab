// Reads all rows of the log and recomputes its tree from them.
import { checkBundle, faultPlace, type Notes, type Part } from './bundle.ts';
import type { TreeHead } from './checkpoint.ts';
import { checkDetached } from './detached.ts';
import { entryId, splitEntries } from './entry.ts';
import { LedgerFault } from './fault.ts';
import { type KnownGenerator, knownGenerators } from './figures/generators.ts';
import type { Tally } from './figures/tally.ts';
import { IdTable } from './ids.ts';
import { inOrder } from './in-order.ts';
import { type KeyChange, readKeyChange } from './key-changes.ts';
import { hashAbove, misplacedFault, notInTree } from './misplaced.ts';
import { OrderCheck } from './order.ts';
import {
  ArchivedPart,
  type FetchBytes,
  fetchBundle,
  fetchRows,
  fetchTile,
  HASH_BYTES,
  TILE_WIDTH,
  unlessArchived,
} from './source.ts';
import { parseSeconds } from './times.ts';
import { rootOver, tower } from './tree.ts';

export interface ReadRows {
  fetch: FetchBytes;
  /** Where the rows that the service has archived are read; without it only their tiles are. */
  archive?: FetchBytes;
  /** What makes the forecasts of the log: a row of any other is a fault. */
  generators: readonly KnownGenerator[];
  /** How many bundles are fetched ahead of the one being checked. */
  ahead?: number;
  /** Whether a forecast, line or silence may be without its outcome however late it is. */
  outcomesMayBeLate?: boolean;
  progress?: (rows: number, size: number) => void;
}

export interface Count {
  /** Rows by type. */
  entries: Record<string, number>;
  /** Of the rows that have an outcome (all but reveals, verdicts and changes of the key), those that were in the log before it, and the others. */
  sealed_before_outcome: number;
  written_afterwards: number;
  /** Detached payloads that are not published yet. */
  withheld: number;
  /** When the key of the log changed, oldest first. */
  key_changes: KeyChange[];
  /** The first rows of the log that the service has archived, where it says that they are, and whether they were read there. */
  archived: { rows: number; place: string | null; read: boolean };
  /** Where snapshots were let go, as the service says: the time from which on they were compared; null if all were. */
  signals_from: string | null;
}

const NO_HASHES = Buffer.alloc(0);

/** The tree to read, with an earlier head of it if one is known. */
export interface Tree {
  origin: string;
  head: TreeHead;
  earlier: TreeHead | undefined;
  /** Whether the tables beside the log are compared with its rows, and the city's zone if it is known. */
  tables?: { zone: string | undefined } | undefined;
}

/**
 * Reads the rows of the tree that `head` describes, compares its tiles and root with those computed from them, and adds
 * up in `tally` what figures are computed from.
 */
export async function readRows(
  { fetch, archive, generators, ahead = 8, outcomesMayBeLate = false, progress }: ReadRows,
  { origin, head, earlier, tables }: Tree,
  tally: Tally,
): Promise<Count> {
  const count: Count = {
    entries: {},
    sealed_before_outcome: 0,
    written_afterwards: 0,
    withheld: 0,
    key_changes: [],
    signals_from: null,
    archived: { rows: 0, place: null, read: false },
  };
  const known = knownGenerators(generators);
  const order = new OrderCheck(tally);
  const ids = new IdTable();
  const now = parseSeconds(head.written_at);
  const tiles = tower((level, index, hashes) => compareTile(fetch, level, index, hashes));
  const above = hashAbove(fetch, head.size);
  /** When the last row was written, in seconds. */
  let newest = 0;
  let rowFault: Notes['rowFault'];
  let signalsFrom = 0;
  /** The leaf hashes after the last complete tile. */
  let edge: Buffer = NO_HASHES;

  const bundleWidth = (index: number): number => Math.min(TILE_WIDTH, head.size - index * TILE_WIDTH);
  /** From the archive, if there is one, where the service says that it has none; that it says so is returned too. */
  const readBundle = async (index: number) => {
    const width = bundleWidth(index);
    const found = await unlessArchived(fetchBundle(fetch, index, width));
    if (!(found instanceof ArchivedPart)) return { bundle: found };
    return { archived: found, bundle: archive && (await fetchBundle(archive, index, width)) };
  };
  /** Read again, since only the hash of each id is kept. */
  const idAt = async (leaf: number): Promise<string | undefined> => {
    const index = Math.floor(leaf / TILE_WIDTH);
    const { bundle } = await readBundle(index);
    const bytes = bundle && [...splitEntries(bundle, index, bundleWidth(index))][leaf % TILE_WIDTH];
    return bytes && entryId(bytes);
  };
  const load = async (index: number) => {
    const width = bundleWidth(index);
    const [{ archived, bundle }, tile, rows] = await Promise.all([
      readBundle(index),
      fetchTile(fetch, 0, index, width),
      tables && unlessArchived(fetchRows(fetch, index, width)),
    ]);
    const isWithoutRows = rows instanceof ArchivedPart;
    // Rows beside the log leave with its own, never alone.
    if (isWithoutRows && !archived) throw archivedMeanwhile(index * TILE_WIDTH);
    const served = tables &&
      rows &&
      !isWithoutRows && { tables: { bytes: rows, size: head.size, zone: tables.zone } };
    const part = bundle && { index, width, bundle, tile, ...served };
    const root = width === TILE_WIDTH ? rootOver(tile) : undefined;
    const isMisplaced = root !== undefined && !root.equals(await above(index));
    const checked = part && !isMisplaced && { part, notes: checkBundle(part, known) };
    return { index, tile, root, archived, checked, misplaced: isMisplaced && { part } };
  };
  const misplacedPart = (index: number, part: Part | undefined): LedgerFault =>
    misplacedFault(index, () => {
      const notes = part && checkBundle(part, known);
      if (notes && !notes.rowFault) withId(part, () => order.add(notes));
      return notes;
    });
  const addRows = async (part: Part, notes: Notes): Promise<void> => {
    const first = part.index * TILE_WIDTH;
    withId(part, () => order.add(notes));
    for (let row = 0; row < part.width; row++)
      for (const before of ids.add(notes.ids[row] as number, first + row))
        await refuseSameId(idAt, first + row, before);
    tally.submissions.push(...notes.submissions);
    for (const [type, rows] of Object.entries(notes.entries)) {
      count.entries[type] = (count.entries[type] ?? 0) + rows;
    }
    count.sealed_before_outcome += notes.sealed_before_outcome;
    count.written_afterwards += notes.written_afterwards;
    for (const entry of notes.keys)
      count.key_changes.push(readKeyChange(entry, origin, count.key_changes.at(-1)));
    newest = notes.writtenAt.at(-1) ?? newest;
    rowFault ??= notes.rowFault;
    signalsFrom = Math.max(signalsFrom, notes.signalsFrom);
    for (const sealed of notes.detached) {
      if ((await checkDetached(fetch, sealed, now)) === 'withheld') count.withheld++;
    }
  };
  if (earlier?.size === 0) checkEarlier(tiles.root(NO_HASHES), earlier);
  for await (const { index, tile, root, archived, checked, misplaced } of inOrder(
    Math.ceil(head.size / TILE_WIDTH),
    ahead,
    load,
  )) {
    const [first, width] = [index * TILE_WIDTH, bundleWidth(index)];
    if (misplaced) throw misplacedPart(index, misplaced.part);
    if (archived) {
      // Only the beginning of a log is ever archived.
      if (count.archived.rows !== first) throw archivedMeanwhile(first);
      count.archived = { rows: first + width, place: archived.place, read: archive !== undefined };
    }
    if (checked) await addRows(checked.part, checked.notes);
    else order.skip(width);
    if (earlier && first < earlier.size && earlier.size <= first + width) {
      checkEarlier(tiles.root(tile.subarray(0, (earlier.size - first) * HASH_BYTES)), earlier);
    }
    if (root) await tiles.add(root);
    else edge = tile;
    progress?.(first + width, head.size);
  }

  for (const { level, index, hashes } of tiles.edges()) await compareTile(fetch, level, index, hashes);
  if (tiles.root(edge).toString('base64') !== head.root) {
    throw new LedgerFault('wrong_root', 'the signed root does not follow from the rows');
  }
  if (newest > now)
    throw new LedgerFault('out_of_order', 'written after the checkpoint was signed', { leaf: head.size - 1 });
  const missing = outcomesMayBeLate ? undefined : order.firstMissing(now);
  if (missing) {
    const { leaf, code, message } = missing;
    throw new LedgerFault(code, message, {
      leaf,
      ...(await idAt(leaf).then((id) => id !== undefined && { id })),
    });
  }
  if (rowFault) throw new LedgerFault('wrong_row', rowFault.message, rowFault.place);
  if (signalsFrom > 0) count.signals_from = new Date(signalsFrom).toISOString();
  return count;
}

/** A service may say of rows that they are archived, but not of single ones. */
const archivedMeanwhile = (leaf: number): LedgerFault =>
  new LedgerFault('unavailable', 'rows were archived while the log was read: verify it again', { leaf });

async function refuseSameId(
  idAt: (leaf: number) => Promise<string | undefined>,
  leaf: number,
  before: number,
): Promise<void> {
  const id = await idAt(leaf);
  if (id === undefined || id !== (await idAt(before))) return;
  throw new LedgerFault('duplicate_id', `row ${before} has the same id`, { leaf, id });
}

/** Adds the row's id to a fault that has only its leaf. */
function withId({ index, width, bundle }: Part, check: () => void): void {
  try {
    check();
  } catch (fault) {
    if (!(fault instanceof LedgerFault) || fault.place.leaf === undefined) throw fault;
    const bytes = [...splitEntries(bundle, index, width)][fault.place.leaf - index * TILE_WIDTH] as Buffer;
    throw new LedgerFault(fault.code, fault.message, faultPlace(bytes, fault.place.leaf));
  }
}

async function compareTile(fetch: FetchBytes, level: number, index: number, hashes: Buffer): Promise<void> {
  const served = await fetchTile(fetch, level, index, hashes.length / HASH_BYTES);
  if (served.equals(hashes)) return;
  const place = Math.floor(hashes.findIndex((byte, i) => byte !== served[i]) / HASH_BYTES);
  const rows = TILE_WIDTH ** level;
  throw notInTree(level, index, (index * TILE_WIDTH + place) * rows, rows);
}

function checkEarlier(root: Buffer, earlier: TreeHead): void {
  if (root.toString('base64') === earlier.root) return;
  throw new LedgerFault(
    'rewritten',
    `the first ${earlier.size} rows are not those of the earlier checkpoint`,
  );
}
