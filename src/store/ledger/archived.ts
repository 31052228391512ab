// Which entries have left the store for an archive of files, and what is said of them: a question about one is answered
// with where it is, never as if it had not been sealed.
import { readDecisionId } from '../../domain/decision/silence.ts';
import { iso } from '../../domain/time/slot.ts';
import type { Window } from '../../domain/time/window.ts';
import { TILE_WIDTH } from '../../ledger/tiles.ts';
import type { Reader } from '../engine/store.ts';

export interface Archive {
  /** The bundles before this one have left the store, or are about to. */
  bundles: number;
  /** The slot from which on the rows of sealed entries are all there. */
  rows_from: number;
  /** The address at which the archive can be read; null where the operator has named none. */
  place: string | null;
}

/** Undefined while nothing was archived. Ask for it after what was not found: rows go only once it says so. */
export const readArchive = (store: Reader): Promise<Archive | undefined> =>
  store.get<Archive>('select bundles, rows_from, place from archived_bundles order by number desc limit 1');

/** As answers tell of an archive. */
export interface ToldArchive {
  /** How many entries of the log are in it, from the first one on. */
  entries: number;
  kept_from: string;
  place: string | null;
}

export const tellArchive = ({ bundles, rows_from, place }: Archive): ToldArchive => ({
  entries: bundles * TILE_WIDTH,
  kept_from: iso(rows_from),
  place,
});

/** After "is", "are" or "was". */
export const placeText = ({ place }: Pick<Archive, 'place'>): string =>
  place === null ? 'archived by the operator' : `archived at ${place}`;

/** What was asked for is in an archive. `details` are fields for programs. */
export class ArchivedError extends Error {
  override name = 'ArchivedError';
  readonly details: { archived: ToldArchive; leaf_index?: number };
  constructor(message: string, details: ArchivedError['details']) {
    super(message);
    this.details = details;
  }
}

const archivedError = (archive: Archive, leaf?: number): ArchivedError => {
  const told = tellArchive(archive);
  const what = leaf === undefined ? 'what was sealed then' : `leaf ${leaf}`;
  return new ArchivedError(
    `${what} is ${placeText(told)}, with all entries of the ledger before leaf ${told.entries}; rows are kept from ${told.kept_from} on`,
    { archived: told, ...(leaf !== undefined && { leaf_index: leaf }) },
  );
};

/** What is wrong with a leaf that was not found: it is archived, or the log never had it. */
export async function missingLeafError(store: Reader): Promise<(leaf: number) => Error> {
  const archive = await readArchive(store);
  return (leaf) =>
    archive && leaf < archive.bundles * TILE_WIDTH
      ? archivedError(archive, leaf)
      : new Error(`the ledger has no entry at leaf ${leaf}`);
}

/** For a bundle that was not found: throws if it is archived. */
export async function refuseArchivedBundle(store: Reader, idx: number): Promise<void> {
  const archive = await readArchive(store);
  if (archive && idx < archive.bundles) throw archivedError(archive, idx * TILE_WIDTH);
}

/** For an id that was not found: throws if what was sealed under it may be archived. Ids of other forms keep their rows. */
export async function refuseArchivedId(store: Reader, id: string): Promise<void> {
  const name = readDecisionId(id);
  if (name) await refuseArchivedSlot(store, name.pocket_id, name.slot);
}

/** For a row of a pocket that was not found: throws if those of its slot are archived. */
export async function refuseArchivedSlot(store: Reader, pocket: string, slot: number): Promise<void> {
  const archive = await readArchive(store);
  if (!archive || slot >= archive.rows_from) return;
  // Readings stay, and whatever is sealed of a pocket and a slot was made from one.
  const sql = 'select 1 from atmosphere_readings where slot = ? and pocket_id = ?';
  if (await store.get(sql, slot, pocket)) throw archivedError(archive);
}

/** The first leaf whose entry does not leave the store. */
export const firstKeptLeaf = async (store: Reader): Promise<number> =>
  ((await readArchive(store))?.bundles ?? 0) * TILE_WIDTH;

/** The slot from which on the rows of sealed entries are kept; 0 while all are. */
export const rowsKeptFrom = async (store: Reader): Promise<number> =>
  (await readArchive(store))?.rows_from ?? 0;

export interface KeptWindow<W> {
  window: W;
  /** Undefined where no row of the window has left the store. */
  archived: ToldArchive | undefined;
}

/**
 * The part of a window of which the rows are kept. Only one over all time can be longer than that: what leaves is older
 * than every other window is long (src/domain/signals/retention.ts).
 */
export async function keptWindow<W extends Window>(store: Reader, window: W): Promise<KeptWindow<W>> {
  const archive = window.after > 0 ? undefined : await readArchive(store);
  return archive
    ? { window: { ...window, after: archive.rows_from - 1 }, archived: tellArchive(archive) }
    : { window, archived: undefined };
}
