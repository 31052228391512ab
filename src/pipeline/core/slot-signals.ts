import type { Signal } from '../../domain/signals/signal.ts';
import type { Source } from '../../sources/source.ts';
import type { Reader } from '../../store/engine/store.ts';
import { commitmentsRunningAt } from '../../store/merchant/commitments.ts';

/** The signals of a slot. A simulated city is given the commitments that run, since they draw people. */
export const observeSlot = async (source: Source, store: Reader, slot: number): Promise<Signal[]> =>
  source.observe(slot, source.merchants ? await commitmentsRunningAt(store, slot) : []);
