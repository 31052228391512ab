import type { Signal } from '../domain/signal.ts';
import { committedAt } from '../store/commitments.ts';
import type { Reader } from '../store/store.ts';
import type { Works } from './tick.ts';

/** The signals of a slot. A made-up city is told which commitments run, since they draw people. */
export const signalsOf = async (
  { source }: Pick<Works, 'source'>,
  store: Reader,
  slot: number,
): Promise<Signal[]> => source.observe(slot, source.merchants ? await committedAt(store, slot) : []);
