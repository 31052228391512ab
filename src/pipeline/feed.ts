import type { Signal } from '../domain/signal.ts';
import type { Source } from '../sources/source.ts';
import { type Agreed, agreedFrom, runningAt } from '../store/commitments.ts';
import type { Reader } from '../store/store.ts';

/** The signals of a slot. A made-up city is told which commitments run, since they draw people. */
export const signalsOf = async (source: Source, store: Reader, slot: number): Promise<Signal[]> =>
  source.observe(slot, source.merchants ? runningAt(await agreedFrom(store, slot), slot) : []);

/** The signals of slot after slot in a time when nobody agrees to anything but the merchants of a made-up city. */
export class Feed {
  readonly #source: Source;
  #agreed: Promise<Agreed[]> | undefined;

  constructor(source: Source) {
    this.#source = source;
  }

  async at(store: Reader, slot: number): Promise<Signal[]> {
    if (!this.#source.merchants) return this.#source.observe(slot);
    this.#agreed ??= agreedFrom(store, slot);
    return this.#source.observe(slot, runningAt(await this.#agreed, slot));
  }

  /** Merchants have answered: asked now, needed at the next slot. */
  renew(store: Reader, slot: number): void {
    this.#agreed = agreedFrom(store, slot);
  }
}
