import type { Signal } from '../../domain/signals/signal.ts';
import type { Source } from '../../sources/source.ts';
import type { Reader } from '../../store/engine/store.ts';
import { commitmentsRunningAt } from '../../store/merchant/commitments.ts';
import type { District } from './districts.ts';

/** The signals of a slot. A simulated city is given the commitments that run, since they draw people. */
export const observeSlot = async (source: Source, store: Reader, slot: number): Promise<Signal[]> =>
  source.observe(slot, source.merchants ? await commitmentsRunningAt(store, slot) : []);

/** By district; those of places that no district has are under ''. */
export function signalsByDistrict(
  districts: readonly District[],
  signals: readonly Signal[],
): ReadonlyMap<string, readonly Signal[]> {
  const districtOf = new Map(
    districts.flatMap(({ id, registry }) => registry.pockets.map((pocket) => [pocket.id, id] as const)),
  );
  return Map.groupBy(signals, ({ pocket_id }) => districtOf.get(pocket_id) ?? '');
}
