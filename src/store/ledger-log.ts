import { signCheckpoint } from '../ledger/checkpoint.ts';
import { type EntryType, entryLeaf, entryText } from '../ledger/entry.ts';
import type { Signer } from '../ledger/key.ts';
import {
  appendLeaves,
  isComplete,
  type LogState,
  restoreLog,
  rootOf,
  type Tile,
} from '../ledger/log-writer.ts';
import type { Hash } from '../ledger/merkle.ts';
import { type Seal, sealOf } from '../ledger/seal.ts';
import type { Transaction } from './store.ts';

export interface Sealed extends Pick<Seal, 'payload_hash'> {
  id: string;
  leaf: number;
}

/**
 * Appends sealed rows to the log in the caller's transaction: `open` before the first, `write` after the last,
 * `forget` when it failed. The state of the tree is kept here as long as no other process has appended.
 */
export class LedgerLog {
  readonly #signer: Signer;
  #state: LogState | undefined;
  #leaves: Hash[] = [];

  constructor(signer: Signer) {
    this.#signer = signer;
  }

  /** Whoever appends next waits until the transaction ends. */
  async open(tx: Transaction): Promise<void> {
    const row = await tx.get<{ size: number }>(
      'update ledger_size set size = size where id = ? returning size',
      1,
    );
    const size = row?.size ?? 0;
    if (this.#state?.size !== size) this.#state = restoreLog(size, await edges(tx));
    this.#leaves = [];
  }

  async append(
    tx: Transaction,
    type: EntryType,
    rows: readonly { id: string; payload: object }[],
  ): Promise<Sealed[]> {
    if (!this.#state) throw new Error('the log is not open');
    const first = this.#state.size + this.#leaves.length;
    const entries = rows.map(({ id, payload }, i) => {
      const seal = sealOf(payload);
      this.#leaves.push(entryLeaf(entryText(type, id, seal)));
      return { leaf: first + i, type, id, payload: seal.canonical, payload_hash: seal.payload_hash };
    });
    await tx.insert('ledger_entries', entries);
    return entries;
  }

  /** The tree grows by what was appended, and commits itself to it. */
  async write(tx: Transaction, now: number): Promise<void> {
    if (!this.#state || !this.#leaves.length) return;
    const { state, tiles } = appendLeaves(this.#state, this.#leaves);
    await tx.insert('ledger_tiles', tiles.filter(isComplete).map(toRow));
    const replaced = 'on conflict (level) do update set idx = excluded.idx, hashes = excluded.hashes';
    await tx.insert('ledger_edges', tiles.filter((tile) => !isComplete(tile)).map(toRow), replaced);
    await tx.run('update ledger_size set size = ? where id = 1', state.size);
    const note = signCheckpoint(state.size, rootOf(state), this.#signer);
    await tx.insert('ledger_checkpoints', [{ size: state.size, note, signed_at: now }]);
    this.#state = state;
    this.#leaves = [];
  }

  forget(): void {
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
