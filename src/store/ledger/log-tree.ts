// Stores the ledger's entries and the Merkle tree over them: complete bundles, and complete tiles above level 0, are inserted
// once, the entries after the last bundle are rows, the incomplete tile of each level is replaced, and the row of
// ledger_size is the lock that lets one transaction append at a time.
import { signCheckpoint } from '../../ledger/checkpoint.ts';
import type { Signer } from '../../ledger/key.ts';
import {
  appendLeaves,
  isComplete,
  type LogState,
  logRoot,
  restoreLog,
  type Tile,
} from '../../ledger/log-writer.ts';
import type { Hash } from '../../ledger/merkle.ts';
import { TILE_WIDTH } from '../../ledger/tiles.ts';
import { StoreError, type Transaction } from '../engine/store.ts';
import { type HashedEntry, storeBundles, withLeafHash } from './bundles.ts';
import { bundleOfLeaf, type LedgerEntry, readLoose, sealedEntry, setUnstored } from './entries.ts';
import { claimKey, currentKey, lockLog, refuseOtherKey } from './ledger-keys.ts';
import { growsFrom, type KnownTree, ledgerSize } from './ledger-reads.ts';

/** What a transaction appended: when, and how many of the entries stood in the log before their outcome. */
export interface AppendedCounts {
  writtenAt: number;
  sealedBeforeOutcome: number;
  writtenAfterwards: number;
}

/**
 * Stores sealed entries and the tree over them, in the caller's transaction: `open` before the first, `write` after the
 * last. The tree's state stays in memory as long as no other process has appended.
 */
export class LogTree {
  readonly #signer: Signer;
  readonly #known: () => KnownTree | undefined;
  /** What was signed last here, and what is known to be committed of it. */
  #signed: KnownTree | undefined;
  #committed: KnownTree | undefined;
  #state: LogState | undefined;
  #leaves: Hash[] = [];
  /** What this transaction appended after the last complete bundle: rows once it ends. */
  #loose: HashedEntry[] = [];

  /** `known`: the newest tree that this machine knows to be published. */
  constructor(signer: Signer, known: () => KnownTree | undefined = () => undefined) {
    this.#signer = signer;
    this.#known = known;
  }

  /** Locks the log until the transaction ends; returns its size and the time of its newest entry. */
  async open(tx: Transaction): Promise<{ size: number; writtenAt: number }> {
    const log = await lockLog(tx);
    await claimKey(tx, this.#signer);
    // A transaction that failed would have been followed by `reset`.
    this.#committed = this.#signed ?? this.#committed;
    for (const tree of [this.#committed, this.#known()]) await refuseLoss(tx, log.size, tree);
    if (this.#state?.size !== log.size) this.#state = restoreLog(log.size, await edges(tx));
    return log;
  }

  async append(tx: Transaction, entries: readonly LedgerEntry[]): Promise<void> {
    for (const entry of entries) {
      const hashed = withLeafHash(entry);
      this.#leaves.push(hashed.leafHash);
      this.#loose.push(hashed);
      if ((entry.leaf + 1) % TILE_WIDTH === 0) await this.#storeBundle(tx);
    }
    setUnstored(tx, this.#loose);
  }

  async #storeBundle(tx: Transaction): Promise<void> {
    const appended = this.#loose;
    this.#loose = [];
    const [{ leaf } = { leaf: 0 }] = appended;
    const idx = bundleOfLeaf(leaf);
    const earlier = await this.#looseBefore(tx, idx, leaf);
    await storeBundles(tx, [...earlier, ...appended], earlier.length > 0);
  }

  /** The entries of the bundle that earlier transactions appended. */
  async #looseBefore(tx: Transaction, idx: number, leaf: number): Promise<HashedEntry[]> {
    const first = idx * TILE_WIDTH;
    const rows = leaf === first ? [] : await readLoose(tx, first, leaf);
    return rows.map((row) => withLeafHash(sealedEntry(row.leaf, row)));
  }

  /** Extends the tree by what was appended, and signs a checkpoint of it with the time of its newest entry. */
  async write(
    tx: Transaction,
    { writtenAt, sealedBeforeOutcome, writtenAfterwards }: AppendedCounts,
  ): Promise<void> {
    if (!this.#state || !this.#leaves.length) return;
    const { state, tiles } = appendLeaves(this.#state, this.#leaves);
    await tx.insert(
      'ledger_entries',
      this.#loose.map(({ leaf, type, id, payload }) => ({ leaf, type, id, payload })),
    );
    await tx.insert(
      'ledger_tiles',
      // Those of level 0 follow from the bundles.
      tiles
        .filter((tile) => tile.level > 0 && isComplete(tile))
        .map(({ level, index, hashes }) => ({ level, idx: index, hashes })),
    );
    const replaced = 'on conflict (level) do update set idx = excluded.idx, hashes = excluded.hashes';
    await tx.insert('ledger_edges', tiles.filter((tile) => !isComplete(tile)).map(toEdge), replaced);
    await tx.run(
      `update ledger_size set size = ?, written_at = ?,
         sealed_before_outcome = sealed_before_outcome + ?, written_afterwards = written_afterwards + ?
       where id = 1`,
      state.size,
      writtenAt,
      sealedBeforeOutcome,
      writtenAfterwards,
    );
    const signed = { size: state.size, root: logRoot(state) };
    const note = signCheckpoint(signed.size, signed.root, this.#signer, writtenAt);
    await tx.insert('ledger_checkpoints', [{ size: state.size, note, signed_at: writtenAt }]);
    setUnstored(tx, []);
    this.#state = state;
    this.#signed = signed;
    this.#leaves = [];
    this.#loose = [];
  }

  /** After a failed transaction: the next `open` restores the state from the store. */
  reset(): void {
    this.#leaves = [];
    this.#loose = [];
    this.#state = undefined;
    this.#signed = undefined;
  }
}

/**
 * Throws where a process that signs with `signer` must append nothing, whoever has the log now: then it should accept nothing
 * that is to be appended either.
 */
export async function refuseToAppend(tx: Transaction, signer: Signer, known?: KnownTree): Promise<void> {
  refuseOtherKey(await currentKey(tx), signer);
  await refuseLoss(tx, (await ledgerSize(tx)) ?? 0, known);
}

/** A server that was promoted may lack what its predecessor had committed: other entries would take their places. */
async function refuseLoss(tx: Transaction, size: number, known: KnownTree | undefined): Promise<void> {
  if (known && !(await growsFrom(tx, known))) throw lostEntries(size, known);
}

const lostEntries = (size: number, tree: KnownTree): StoreError =>
  new StoreError('lost_entries', {
    cause: new Error(
      `the store holds a log of ${size} entries that does not go on from the one of ${tree.size} entries that was signed: nothing is sealed; bring back the server that has them, restore a newer backup, or go on without them with pocketwatch restore --accept-loss`,
    ),
  });

const toEdge = ({ level, index, hashes }: Tile) => ({ level, idx: index, hashes: hashes.toString('base64') });

async function edges(tx: Transaction): Promise<Tile[]> {
  const rows = await tx.all<{ level: number; idx: number; hashes: string }>(
    'select level, idx, hashes from ledger_edges',
  );
  return rows.map(({ level, idx, hashes }) => ({ level, index: idx, hashes: Buffer.from(hashes, 'base64') }));
}
