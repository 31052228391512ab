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

/** Held so that what was sealed lately need not be read and parsed again when it is judged. */
const MOST_RECENT = 8192;

export interface Recent extends Pick<Seal, 'payload_hash'> {
  payload: object;
}

export interface Sealed extends Pick<Seal, 'payload_hash'> {
  id: string;
  leaf: number;
}

/**
 * Appends sealed rows to the log in the caller's transaction, with `write` after the last and `forget` when it failed.
 * The state of the tree is kept here as long as no other process has appended.
 */
export class LedgerLog {
  readonly #signer: Signer;
  #state: LogState | undefined;
  #isOpen = false;
  #leaves: Hash[] = [];
  readonly #recent = new Map<number, Recent>();

  constructor(signer: Signer) {
    this.#signer = signer;
  }

  /** From the first row on, whoever else appends waits until the transaction ends. */
  async #open(tx: Transaction): Promise<LogState> {
    const row = await tx.get<{ size: number }>(
      'update ledger_size set size = size where id = ? returning size',
      1,
    );
    const size = row?.size ?? 0;
    if (this.#state?.size !== size) this.#state = restoreLog(size, await edges(tx));
    this.#isOpen = true;
    return this.#state;
  }

  async append(
    tx: Transaction,
    type: EntryType,
    rows: readonly { id: string; payload: object }[],
  ): Promise<Sealed[]> {
    if (!rows.length) return [];
    const state = this.#isOpen && this.#state ? this.#state : await this.#open(tx);
    const first = state.size + this.#leaves.length;
    const entries = rows.map(({ id, payload }, i) => {
      const seal = sealOf(payload);
      this.#recent.set(first + i, { payload, payload_hash: seal.payload_hash });
      this.#leaves.push(entryLeaf(entryText(type, id, seal)));
      return { leaf: first + i, type, id, payload: seal.canonical, payload_hash: seal.payload_hash };
    });
    await tx.insert('ledger_entries', entries);
    for (const leaf of this.#recent.keys()) {
      if (this.#recent.size <= MOST_RECENT) break;
      this.#recent.delete(leaf);
    }
    return entries;
  }

  /** What was sealed as these leaves; undefined unless all of them are recent. */
  recent(leaves: readonly number[]): Recent[] | undefined {
    const found = leaves.flatMap((leaf) => this.#recent.get(leaf) ?? []);
    return found.length === leaves.length ? found : undefined;
  }

  /** The tree grows by what was appended, and commits itself to it. */
  async write(tx: Transaction, now: number): Promise<void> {
    this.#isOpen = false;
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
    this.#isOpen = false;
    this.#leaves = [];
    this.#recent.clear();
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
