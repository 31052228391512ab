// The state that the jobs of a district carry from slot to slot: a cache over the table pipeline_state, with a bound on its memory.
import { randomUUID } from 'node:crypto';
import { WHOLE_CITY } from '../../domain/city/districts.ts';
import type { Transaction } from '../../store/engine/store.ts';
import {
  type Entries,
  lockState,
  readEntries,
  readState,
  writeEntries,
  writeVersion,
} from '../../store/runtime/pipeline-state.ts';

export interface Limits {
  /** The most entries held in memory. A city that needs more loads them in batches. */
  entries: number;
  /** Pockets in a batch. What is computed for them is written, and their entries evicted, before the next batch. */
  batch: number;
}

const defaults: Limits = { entries: 4_000, batch: 200 };

/**
 * What jobs carry from slot to slot, by key. Cached in this process, written in the transaction of the slot, and read
 * again whenever another worker has written since or a transaction has failed.
 */
export class PipelineState {
  readonly #limits: Limits;
  readonly #district: string;
  #version = 'unread';
  #entries: Entries = new Map();
  #changed = new Set<string>();
  /** All entries are in memory. */
  #complete = true;
  /** This transaction has written entries, so the version must change with it. */
  #written = false;

  constructor(overrides: Partial<Limits> = {}, district = WHOLE_CITY) {
    this.#limits = { ...defaults, ...overrides };
    this.#district = district;
  }

  /** Locks the state until the transaction ends, and reads it if another worker has written since. */
  async begin(tx: Transaction): Promise<void> {
    const current = await lockState(tx, this.#district);
    if (current === this.#version) return;
    const all = await readState(tx, this.#district, this.#limits.entries);
    this.#entries = all ?? new Map();
    this.#complete = all !== null;
    this.#changed.clear();
    this.#written = false;
    this.#version = current;
  }

  /**
   * Loads the entries of these keys and may evict all others, so a job loads a key before it gets or sets it. Does
   * nothing while all entries fit in memory.
   */
  async load(tx: Transaction, keys: readonly string[]): Promise<void> {
    if (this.#complete && this.#entries.size <= this.#limits.entries) return;
    await this.#evict(tx);
    const found = await readEntries(tx, keys, this.#district);
    for (const key of keys) this.#entries.set(key, found.get(key));
  }

  get batchSize(): number {
    return this.#limits.batch;
  }

  /** The items in batches, each with the entries of its keys loaded. */
  async *inBatches<T>(
    tx: Transaction,
    items: readonly T[],
    keysOf: (item: T) => readonly string[] = () => [],
  ): AsyncGenerator<readonly T[]> {
    for (let at = 0; at < items.length; at += this.#limits.batch) {
      const batch = items.slice(at, at + this.#limits.batch);
      await this.load(tx, batch.flatMap(keysOf));
      yield batch;
    }
  }

  get<T>(key: string): T | undefined {
    if (!this.#complete && !this.#entries.has(key)) throw new Error(`state entry '${key}' was not loaded`);
    return this.#entries.get(key) as T | undefined;
  }

  set(key: string, value: unknown): void {
    this.#entries.set(key, value);
    this.#changed.add(key);
  }

  /** Writes what has changed, under a new version so that other workers read it. */
  async write(tx: Transaction): Promise<void> {
    if (this.#complete) await this.#writeChanged(tx);
    else await this.#evict(tx);
    if (!this.#written) return;
    this.#version = randomUUID();
    await writeVersion(tx, this.#version, this.#district);
    this.#written = false;
  }

  /** After a failed transaction: the next one reads everything again. */
  reset(): void {
    this.#version = 'unread';
  }

  async #evict(tx: Transaction): Promise<void> {
    await this.#writeChanged(tx);
    this.#entries.clear();
    this.#complete = false;
  }

  async #writeChanged(tx: Transaction): Promise<void> {
    if (!this.#changed.size) return;
    await writeEntries(
      tx,
      [...this.#changed].map((key) => [key, this.#entries.get(key)]),
      this.#district,
    );
    this.#changed.clear();
    this.#written = true;
  }
}
