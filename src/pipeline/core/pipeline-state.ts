import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../store/engine/store.ts';
import {
  type Entries,
  lockState,
  readEntries,
  readState,
  writeEntries,
  writeVersion,
} from '../../store/runtime/pipeline-state.ts';
import { Trail } from '../trail.ts';

export interface Limits {
  /** As many entries are kept in this process; a city that needs more has only some at hand, by turns. */
  entries: number;
  /** So many pockets have their turn at once. What is made of them is written and let go before the next. */
  turn: number;
}

const limits: Limits = { entries: 4_000, turn: 200 };

/**
 * What steps carry from slot to slot. Kept in this process, written in the transaction of the slot, and read again
 * whenever another worker has written since or a transaction failed.
 */
export class PipelineState {
  readonly #limits: Limits;
  #version = 'unread';
  #entries: Entries = new Map();
  #changed = new Set<string>();
  /** Everything is at hand. */
  #whole = true;
  /** Some of what this transaction changed is in the store already, under the version that was. */
  #written = false;
  /** A job has run in this transaction: whoever comes next must know that the store is not as it was. */
  #hasRun = false;
  readonly trail = new Trail();

  constructor(own: Partial<Limits> = {}) {
    this.#limits = { ...limits, ...own };
  }

  /** Workers that would change the state take turns from here until the transaction ends. */
  async recall(tx: Transaction): Promise<void> {
    const current = await lockState(tx);
    this.#hasRun = false;
    if (current === this.#version) return;
    const all = await readState(tx, this.#limits.entries);
    this.#entries = all ?? new Map();
    this.#whole = all !== null;
    this.#changed.clear();
    this.#written = false;
    this.#version = current;
    this.trail.begin(this.#whole);
  }

  /** A job runs. */
  run(): void {
    this.#hasRun = true;
  }

  /**
   * Has what is kept under these keys at hand, and may let go of everything else: what a step gets or sets, it brings
   * first. Where everything is at hand this costs nothing.
   */
  async load(tx: Transaction, keys: readonly string[]): Promise<void> {
    if (this.#whole && this.#entries.size <= this.#limits.entries) return;
    await this.#letGo(tx);
    const found = await readEntries(tx, keys);
    for (const key of keys) this.#entries.set(key, found.get(key));
  }

  /** How many pockets have their turn at once. */
  get batchSize(): number {
    return this.#limits.turn;
  }

  /** So many items at a time, with what is remembered of them at hand. */
  async *inBatches<T>(
    tx: Transaction,
    items: readonly T[],
    keysOf: (item: T) => readonly string[] = () => [],
  ): AsyncGenerator<readonly T[]> {
    for (let at = 0; at < items.length; at += this.#limits.turn) {
      const some = items.slice(at, at + this.#limits.turn);
      await this.load(tx, some.flatMap(keysOf));
      yield some;
    }
  }

  get<T>(key: string): T | undefined {
    if (!this.#whole && !this.#entries.has(key)) throw new Error(`'${key}' was not brought to mind`);
    return this.#entries.get(key) as T | undefined;
  }

  set(key: string, value: unknown): void {
    this.#entries.set(key, value);
    this.#changed.add(key);
  }

  /** Writes what has changed, for somebody else who will write the version. */
  async keep(tx: Transaction): Promise<void> {
    if (!this.#whole) await this.#letGo(tx);
    await this.#writeChanged(tx);
  }

  /** Takes what somebody else has written meanwhile, under other keys, for known. */
  async follow(tx: Transaction): Promise<void> {
    this.#version = await lockState(tx);
    this.#written = false;
  }

  async write(tx: Transaction): Promise<void> {
    await this.keep(tx);
    if (!this.#written && !this.#hasRun) return;
    this.#version = randomUUID();
    await writeVersion(tx, this.#version);
    this.#written = false;
  }

  forget(): void {
    this.#version = 'unread';
  }

  async #letGo(tx: Transaction): Promise<void> {
    await this.#writeChanged(tx);
    this.#entries.clear();
    this.#whole = false;
    this.trail.begin(false);
  }

  async #writeChanged(tx: Transaction): Promise<void> {
    if (!this.#changed.size) return;
    await writeEntries(
      tx,
      [...this.#changed].map((key) => [key, this.#entries.get(key)]),
    );
    this.#changed.clear();
    this.#written = true;
  }
}
