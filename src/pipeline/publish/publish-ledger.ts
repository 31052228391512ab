// Copies the ledger to where it is published, in steps that each end with a checkpoint: what a published checkpoint
// covers is there before it, so a reader finds a whole log at any moment, and a publisher goes on from that checkpoint.
import { OperatorError } from '../../domain/text/operator-error.ts';
import { type Checkpoint, readNote } from '../../ledger/checkpoint.ts';
import { entryBundle } from '../../ledger/entry.ts';
import { HASH_BYTES, leafHash } from '../../ledger/merkle.ts';
import { parseNote } from '../../ledger/note.ts';
import { addedTiles, type TilePath, tilePath } from '../../ledger/tile-path.ts';
import { TILE_WIDTH } from '../../ledger/tiles.ts';
import type { Reader } from '../../store/engine/store.ts';
import { verifierKeyOf } from '../../store/ledger/ledger-keys.ts';
import {
  checkpointOfSize,
  entriesOfTile,
  isInTree,
  latestCheckpoint,
  nextCheckpoint,
  tileReader,
} from '../../store/ledger/ledger-reads.ts';
import { newlyPublishedItems, publishedSubmissionItems } from '../../store/prediction/submissions.ts';
import { type LedgerStorage, StorageError, type StoredFile } from '../../store/storage/ledger-storage.ts';

/** What a step covers, unless one checkpoint covers more: so much is repeated at most after a kill. */
const STEP_ENTRIES = 64 * TILE_WIDTH;
/** Files that are sent side by side. */
const AT_ONCE = 8;

export interface PublishContext {
  store: Reader;
  storage: LedgerStorage;
  signal: AbortSignal;
  /** The size of the checkpoint to stop at; by default the newest one. */
  until?: number;
}

/** How often in a row another publisher may be first: each time it has got further. */
const LOST_STEPS = 10;

/** Publishes up to the newest checkpoint, or up to `until`; `onStep` gets the size that is published then. */
export async function publishLedger(
  context: PublishContext,
  onStep: (size: number) => void = () => undefined,
): Promise<void> {
  for (let lost = 0; ; ) {
    try {
      const { size, isLast } = await publishStep(context);
      lost = 0;
      onStep(size);
      if (isLast) return;
    } catch (error) {
      // Another publisher of the same log: the next step goes on from its checkpoint, or refuses it.
      if (!(error instanceof StorageError && error.code === 'replaced') || ++lost > LOST_STEPS) throw error;
    }
  }
}

async function publishStep(context: PublishContext): Promise<{ size: number; isLast: boolean }> {
  const { store, storage, until = Number.POSITIVE_INFINITY } = context;
  const found = await storage.get('checkpoint');
  const earlier = found && (await readPublished(context, found));
  const from = { size: earlier?.size ?? 0, time: earlier?.writtenAt ?? 0 };
  const most = Math.min(STEP_ENTRIES, until - from.size);
  const next = most > 0 ? await nextCheckpoint(store, from.size, most) : undefined;
  if (!next) {
    // A slower publisher may have put back the key of an older checkpoint.
    if (found) await publishKey(context, found.bytes.toString());
    return { size: from.size, isLast: true };
  }
  const time = readNote(next.note).writtenAt ?? 0;
  const read = checkedTiles(store);
  await forEach(addedTiles(from.size, next.size), context, async (tile) =>
    storage.putOnce(tilePath(tile), await read(tile)),
  );
  const items = await newlyPublishedItems(store, from, { size: next.size, time });
  await forEach(items, context, async (hash) => {
    const text = await publishedSubmissionItems(store, hash, time);
    if (text !== undefined)
      await storage.putOnce(`detached/${hash.slice('sha256:'.length)}`, Buffer.from(text));
  });
  await publishKey(context, next.note);
  await storage.replace('checkpoint', Buffer.from(next.note), found);
  return { size: next.size, isLast: false };
}

/** Refuses a checkpoint that this log has not signed: over it, other entries would be published at the same places. */
async function readPublished({ store, storage }: PublishContext, { bytes }: StoredFile): Promise<Checkpoint> {
  const foreign = (what: string) =>
    new StorageError('foreign', `${storage.location} ${what}: publish into an empty place`);
  let published: Checkpoint;
  try {
    published = readNote(bytes.toString());
  } catch {
    throw foreign('has a checkpoint that is none');
  }
  const { size, root, origin } = published;
  const own = await checkpointOfSize(store, size);
  if (own !== undefined) {
    const stored = readNote(own);
    if (stored.root === root && stored.origin === origin) return published;
  }
  const newest = (await latestCheckpoint(store))?.size ?? 0;
  throw size > newest
    ? foreign(`has ${size} entries of a log, but the database has ${newest}`)
    : foreign(`has a different log from the database, of ${origin} with ${size} entries`);
}

/** Reads the tiles of a step. What is published cannot be taken back, so a row that was lost or edited is noticed before. */
function checkedTiles(store: Reader): (tile: TilePath) => Promise<Buffer> {
  const read = tileReader(store);
  /** Of the bundles that were read, whose tiles follow. */
  const leaves = new Map<number, Buffer>();
  const missing = (tile: TilePath) => new OperatorError(`the database has no ${tilePath(tile)}`);

  const readBundle = async ({ index, width }: TilePath) => {
    const bundle = { level: 'entries' as const, index, width };
    // All of it: only as a whole it is in the tree above.
    const entries = await entriesOfTile(store, index, TILE_WIDTH);
    if (entries.length < width) throw missing(bundle);
    const hashes = Buffer.from(entries.map((entry) => leafHash(entry)).join(''), 'hex');
    const own = hashes.subarray(0, width * HASH_BYTES);
    const isSealed =
      entries.length === TILE_WIDTH
        ? await isInTree(store, index, hashes)
        : own.equals(await read({ level: 0, index, width }));
    if (!isSealed)
      throw new OperatorError(
        `the entries of ${tilePath(bundle)} in the database do not hash to their leaves`,
      );
    return { entries: entries.slice(0, width), hashes: own };
  };
  return async (tile) => {
    const { level, index, width } = tile;
    if (level === 'entries') {
      const { entries, hashes } = await readBundle(tile);
      leaves.set(index, hashes);
      return entryBundle(entries);
    }
    if (level === 0) {
      const known = leaves.get(index);
      leaves.delete(index);
      return known ?? (await readBundle(tile)).hashes;
    }
    const hashes = await read({ level, index, width });
    if (hashes.length !== width * HASH_BYTES) throw missing(tile);
    return hashes;
  };
}

/** The key that signs the checkpoint, for verifiers that have none; it comes first, since they ask again if both differ. */
async function publishKey({ store, storage }: PublishContext, note: string): Promise<void> {
  const [signature] = parseNote(note).signatures;
  const key = await verifierKeyOf(store, signature?.keyId ?? '');
  if (key === undefined) throw new Error('the key of a checkpoint is not among those of the log');
  const bytes = Buffer.from(`${key}\n`);
  const found = await storage.get('key');
  if (!found?.bytes.equals(bytes)) await storage.replace('key', bytes, found);
}

/** Side by side; ends with the first failure, when those under way have ended. */
async function forEach<T>(
  items: Iterable<T>,
  { signal }: PublishContext,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = Iterator.from(items);
  const ended = await Promise.allSettled(
    Array.from({ length: AT_ONCE }, async () => {
      // A loop that throws closes the iterator for the others.
      for (const item of left) {
        signal.throwIfAborted();
        await work(item);
      }
    }),
  );
  for (const result of ended) if (result.status === 'rejected') throw result.reason;
}
