import { equilibriumOf } from '../../domain/decision/equilibrium.ts';
import { compositesBefore, writeEquilibria } from '../../store/decision/equilibrium.ts';
import type { JobContext } from '../core/context.ts';
import { latelyOf } from './lately.ts';

/** Reads the equilibrium of every pocket, also of one that nothing is known of. */
export async function computeEquilibrium(tick: JobContext): Promise<void> {
  const { tx, registry, slot } = tick;
  const lately = await latelyOf(tick);
  const before = await compositesBefore(tx, slot);
  const readings = registry.pockets.map(({ id }) => ({
    pocket_id: id,
    slot,
    ...equilibriumOf(lately(id), before.get(id) ?? null),
  }));
  await writeEquilibria(tx, readings);
}
