import { randomUUID } from 'node:crypto';
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

  /** Workers that would change the memory take turns from here until the transaction ends. */
  async recall(tx: Transaction): Promise<void> {
    const current = await lockMemory(tx);
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

  async write(tx: Transaction): Promise<void> {
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
