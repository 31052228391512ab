import { equilibriumOf } from '../../domain/decision/equilibrium.ts';
import { compositesBefore, writeEquilibria } from '../../store/decision/equilibrium.ts';
import type { JobContext } from '../core/context.ts';
import { recentHours } from './recent-hours.ts';

/** Computes the equilibrium of every pocket, also of one without any rows. */
export async function computeEquilibrium(tick: JobContext): Promise<void> {
  const { tx, registry, slot } = tick;
  const recent = await recentHours(tick);
  const before = await compositesBefore(tx, slot);
  const readings = registry.pockets.map(({ id }) => ({
    pocket_id: id,
    slot,
    ...equilibriumOf(recent(id), before.get(id) ?? null),
  }));
  await writeEquilibria(tx, readings);
}
