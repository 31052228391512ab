import type { Signal } from '../../domain/atmosphere/signal.ts';
import { DAY, SLOT } from '../../domain/time/sgt.ts';
import type { Source } from '../../sources/source.ts';
import type { Reader } from '../../store/engine/store.ts';
import { type Agreed, agreedFrom, runningAt } from '../../store/merchant/commitments.ts';

/** The signals of a slot. A made-up city is told which commitments run, since they draw people. */
export const signalsOf = async (source: Source, store: Reader, slot: number): Promise<Signal[]> =>
  source.observe(slot, source.merchants ? runningAt(await agreedFrom(store, slot), slot) : []);

/** Signals that wait for their slot take memory. */
const MOST_AHEAD = DAY / 4;

/** The signals of slot after slot in a time when nobody agrees to anything but the merchants of a made-up city. */
export class SignalPrefetcher {
  readonly #source: Source;
  #agreed: Promise<Agreed[]> | undefined;
  #now = Number.NEGATIVE_INFINITY;
  /** The slots up to here are past or prepared. */
  #ready = Number.NEGATIVE_INFINITY;
  readonly #last: number;

  constructor(source: Source, last: number) {
    this.#source = source;
    this.#last = last;
  }

  /** Prepares one more slot; false when there is none to prepare. */
  prepare(): boolean {
    const next = this.#ready + SLOT;
    if (!this.#source.prepare || !(next <= Math.min(this.#last, this.#now + MOST_AHEAD))) return false;
    this.#source.prepare(next);
    this.#ready = next;
    return true;
  }

  async at(store: Reader, slot: number): Promise<Signal[]> {
    this.#now = slot;
    this.#ready = Math.max(this.#ready, slot);
    if (!this.#source.merchants) return this.#source.observe(slot);
    this.#agreed ??= agreedFrom(store, slot);
    return this.#source.observe(slot, runningAt(await this.#agreed, slot));
  }

  /** Somebody may have agreed to something. */
  forget(): void {
    this.#agreed = undefined;
  }

  /** The same, asked of a thread that answers later: by the next slot it will have. */
  ask(store: Reader, slot: number): void {
    this.#agreed = agreedFrom(store, slot);
  }
}
