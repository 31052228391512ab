// Stores the ledger's entries and the Merkle tree over them: complete tiles are inserted once, the incomplete tile of
// each level is replaced, and the row of ledger_size is the lock that lets one transaction append at a time.
import { signCheckpoint } from '../../ledger/checkpoint.ts';
import { entryLeaf, entryText } from '../../ledger/entry.ts';
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
import type { Transaction } from '../engine/store.ts';
import { claimKey, lockLog } from './ledger-keys.ts';
import type { LedgerEntry } from './ledger-reads.ts';

/** Hex digits of a hash that are indexed: enough to tell the entries of a log apart. */
export const HASH_START = 8;

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
  #state: LogState | undefined;
  #leaves: Hash[] = [];

  constructor(signer: Signer) {
    this.#signer = signer;
  }

  /** Locks the log until the transaction ends; returns its size and the time of its newest entry. */
  async open(tx: Transaction): Promise<{ size: number; writtenAt: number }> {
    const log = await lockLog(tx);
    await claimKey(tx, this.#signer);
    if (this.#state?.size !== log.size) this.#state = restoreLog(log.size, await edges(tx));
    return log;
  }

  async append(tx: Transaction, entries: readonly LedgerEntry[]): Promise<void> {
    const rows = entries.map((entry) => {
      const { type, id, payload, payload_hash } = entry;
      const hash = entryLeaf(entryText(type, id, { canonical: payload, payload_hash }));
      this.#leaves.push(hash);
      return { ...entry, leaf_hash_start: hash.slice(0, HASH_START) };
    });
    await tx.insert('ledger_entries', rows);
  }

  /** Extends the tree by what was appended, and signs a checkpoint of it with the time of its newest entry. */
  async write(
    tx: Transaction,
    { writtenAt, sealedBeforeOutcome, writtenAfterwards }: AppendedCounts,
  ): Promise<void> {
    if (!this.#state || !this.#leaves.length) return;
    const { state, tiles } = appendLeaves(this.#state, this.#leaves);
    await tx.insert('ledger_tiles', tiles.filter(isComplete).map(toRow));
    const replaced = 'on conflict (level) do update set idx = excluded.idx, hashes = excluded.hashes';
    await tx.insert('ledger_edges', tiles.filter((tile) => !isComplete(tile)).map(toRow), replaced);
    await tx.run(
      `update ledger_size set size = ?, written_at = ?,
         sealed_before_outcome = sealed_before_outcome + ?, written_afterwards = written_afterwards + ?
       where id = 1`,
      state.size,
      writtenAt,
      sealedBeforeOutcome,
      writtenAfterwards,
    );
    const note = signCheckpoint(state.size, logRoot(state), this.#signer, writtenAt);
    await tx.insert('ledger_checkpoints', [{ size: state.size, note, signed_at: writtenAt }]);
    this.#state = state;
    this.#leaves = [];
  }

  /** After a failed transaction: the next `open` restores the state from the store. */
  reset(): void {
    this.#leaves = [];
    this.#state = undefined;
  }
}

const toRow = ({ level, index, hashes }: Tile) => ({ level, idx: index, hashes: hashes.toString('base64') });

async function edges(tx: Transaction): Promise<Tile[]> {
  const rows = await tx.all<{ level: number; idx: number; hashes: string }>(
    'select level, idx, hashes from ledger_edges',
  );
  return rows.map(({ level, idx, hashes }) => ({ level, index: idx, hashes: Buffer.from(hashes, 'base64') }));
}
