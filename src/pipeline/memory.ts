import { randomUUID } from 'node:crypto';
import { addReveals, type Revealed } from '../store/reveal-sums.ts';
import type { Transaction } from '../store/store.ts';
import { lockMemory, readMemory, writeMemory } from '../store/working-memory.ts';

/**
 * What steps carry from slot to slot. Kept in this process, written in the transaction of the slot, and read again
 * whenever another worker has written since or a transaction failed.
 */
export class Memory {
  #version = 'unread';
  #entries = new Map<string, unknown>();
  #changed = new Set<string>();
  #uncounted: Revealed[] = [];

  /** Workers that would change the memory take turns from here until the transaction ends. */
  async recall(tx: Transaction): Promise<void> {
    const current = await lockMemory(tx);
    this.#uncounted = [];
    if (current === this.#version) return;
    this.#entries = await readMemory(tx);
    this.#changed.clear();
    this.#version = current;
  }

  get<T>(key: string): T | undefined {
    return this.#entries.get(key) as T | undefined;
  }

  set(key: string, value: unknown): void {
    this.#entries.set(key, value);
    this.#changed.add(key);
  }

  /** Reveals are added up when the transaction ends: a day of history then costs hardly more than a slot. */
  count(reveals: readonly Revealed[]): void {
    this.#uncounted.push(...reveals);
  }

  async write(tx: Transaction): Promise<void> {
    if (this.#uncounted.length) await addReveals(tx, this.#uncounted);
    this.#uncounted = [];
    if (!this.#changed.size) return;
    this.#version = randomUUID();
    const changed = [...this.#changed].map((key) => [key, this.#entries.get(key)] as const);
    await writeMemory(tx, this.#version, changed);
    this.#changed.clear();
  }

  forget(): void {
    this.#version = 'unread';
  }
}
