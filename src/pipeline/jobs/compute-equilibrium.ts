import { scoreEquilibrium } from '../../domain/decision/equilibrium.ts';
import { compositesBefore, writeEquilibria } from '../../store/decision/equilibrium.ts';
import { groupByDistrict } from '../../store/runtime/districts.ts';
import type { JobContext } from '../core/context.ts';
import { equilibriumInputs } from './equilibrium-inputs.ts';

/**
 * Computes the equilibrium of every pocket, also of one without any rows: the pockets of a district at once, since what a
 * large city was told in a day does not fit into memory.
 */
export async function computeEquilibrium(context: JobContext): Promise<void> {
  const { tx, registry, slot } = context;
  const inputsOf = await equilibriumInputs(context);
  const before = await compositesBefore(tx, slot);
  for (const [district, pockets] of await groupByDistrict(tx, registry.pockets)) {
    const inputs = await inputsOf(district);
    const readings = pockets.map(({ id }) => ({
      pocket_id: id,
      slot,
      ...scoreEquilibrium(inputs(id), before.get(id) ?? null),
    }));
    await writeEquilibria(tx, readings);
  }
}
