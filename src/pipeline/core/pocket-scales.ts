// The scales of each pocket: fixed, or learned from what was measured there and kept in the pipeline's state.
import { fixedScales, learnedScales, type PocketRanges, type Scales } from '../../domain/signals/scales.ts';
import type { JobContext } from './context.ts';

export const rangesKey = (pocket: string): string => `ranges ${pocket}`;

/** The state entries of a sensor, and of all sensors of a pocket. */
export const PAST_PREFIX = 'sensor ';
export const pastKey = (sensor: string): string => `${PAST_PREFIX}${sensor}`;
export const knownKey = (pocket: string): string => `sensors ${pocket}`;

/** The scales of one pocket, whose state entry `rangesKey` is loaded. */
export function pocketScales(
  { registry, state }: Pick<JobContext, 'registry' | 'state'>,
  pocket: string,
): Scales {
  const { scales, priors } = registry.city;
  if (scales === 'fixed') return fixedScales;
  return learnedScales(state.get<PocketRanges>(rangesKey(pocket)) ?? {}, priors);
}

/** The scales of all pockets at once, for reports. */
export async function loadScales(context: JobContext): Promise<(pocket: string) => Scales> {
  const { tx, registry, state } = context;
  if (registry.city.scales === 'fixed') return () => fixedScales;
  await state.load(
    tx,
    registry.pockets.map(({ id }) => rangesKey(id)),
  );
  const all = new Map(registry.pockets.map(({ id }) => [id, pocketScales(context, id)]));
  return (pocket) => all.get(pocket) ?? fixedScales;
}
