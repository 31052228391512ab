import type { Signal } from '../../domain/signals/signal.ts';
import type { Source } from '../../sources/source.ts';
import type { Reader } from '../../store/engine/store.ts';
import { commitmentsRunningAt } from '../../store/merchant/commitments.ts';
import type { District } from './districts.ts';

/** The signals of a slot. A simulated city is given the commitments that run, since they draw people. */
export const observeSlot = async (source: Source, store: Reader, slot: number): Promise<Signal[]> =>
  source.observe(slot, source.merchants ? await commitmentsRunningAt(store, slot) : []);

/** What a district observes at the slot. */
export type ObserveDistrict = (district: District) => Promise<readonly Signal[]>;

/** A source that can be asked for some pockets is asked for those of a district when it is run; any other for all, once. */
export async function observeByDistrict(
  source: Source,
  store: Reader,
  slot: number,
  districts: readonly District[],
): Promise<ObserveDistrict> {
  if (!districts.length) return async () => [];
  const commitments = source.merchants ? await commitmentsRunningAt(store, slot) : [];
  if (source.part) return async ({ part }) => (await part?.observe(slot, commitments)) ?? [];
  const signals = signalsByDistrict(districts, await source.observe(slot, commitments));
  return async ({ id }) => signals.get(id) ?? [];
}

/** By district; those of places that no district has are under ''. */
function signalsByDistrict(
  districts: readonly District[],
  signals: readonly Signal[],
): ReadonlyMap<string, readonly Signal[]> {
  const districtOf = new Map(
    districts.flatMap(({ id, registry }) => registry.pockets.map((pocket) => [pocket.id, id] as const)),
  );
  return Map.groupBy(signals, ({ pocket_id }) => districtOf.get(pocket_id) ?? '');
}
