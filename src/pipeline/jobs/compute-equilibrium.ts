import { scoreEquilibrium } from '../../domain/decision/equilibrium.ts';
import { compositesBefore, writeEquilibria } from '../../store/decision/equilibrium.ts';
import type { JobContext } from '../core/context.ts';
import { equilibriumInputs } from './equilibrium-inputs.ts';

/** Computes the equilibrium of every pocket, also of one without any rows. */
export async function computeEquilibrium(context: JobContext): Promise<void> {
  const { tx, registry, slot } = context;
  const inputs = await equilibriumInputs(context);
  const before = await compositesBefore(tx, slot);
  const readings = registry.pockets.map(({ id }) => ({
    pocket_id: id,
    slot,
    ...scoreEquilibrium(inputs(id), before.get(id) ?? null),
  }));
  await writeEquilibria(tx, readings);
}
