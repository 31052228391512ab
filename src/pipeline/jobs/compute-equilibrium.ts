import { scoreEquilibrium } from '../../domain/decision/equilibrium.ts';
import { compositesBefore, writeEquilibria } from '../../store/decision/equilibrium.ts';
import type { Reader } from '../../store/engine/store.ts';
import type { JobContext } from '../core/context.ts';
import { equilibriumInputs, equilibriumSums } from './equilibrium-inputs.ts';

/**
 * Reads what is added up for every pocket, and returns what computes the equilibrium of those of a district, also of one
 * without any rows.
 */
export async function prepareEquilibrium(
  store: Reader,
  slot: number,
): Promise<(context: JobContext) => Promise<void>> {
  const sums = await equilibriumSums(store, slot);
  return async (context) => {
    const { tx, registry, district } = context;
    const inputs = await equilibriumInputs(context, sums);
    const before = await compositesBefore(tx, slot, district);
    const readings = registry.pockets.map(({ id }) => ({
      pocket_id: id,
      slot,
      ...scoreEquilibrium(inputs(id), before.get(id) ?? null),
    }));
    await writeEquilibria(tx, readings);
  };
}
