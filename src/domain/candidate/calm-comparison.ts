/** How calm a pocket is, held against what its reader knows: its usual at the hour, and the other pockets now. */
import { CALM_STATE_LEVEL } from '../atmosphere/atmosphere.ts';
import { MUCH, NOTICEABLE } from '../atmosphere/usual-calm.ts';
import { round } from '../stats/unit-scale.ts';
import { partOfDay } from '../text/spoken-clock.ts';
import { dayNames } from '../time/periods.ts';
import type { Zone } from '../time/zone.ts';

export interface ComparedCalm {
  now: number;
  zone: Zone;
  calm: number;
  /** Its mean calm in this hour of the week; null while too little was seen. */
  usual_calm: number | null;
  /** Mean calm of all pockets in the slot. */
  network_calm: number | null;
}

/** From here on a difference is a little: about where the gate why_this_place opens by the usual and by the city (gates.ts). */
const A_LITTLE = 0.015;
const A_LITTLE_IN_CITY = 0.035;

/** Three decimals, as both are stored. */
const above = (calm: number, reference: number | null): number | null =>
  reference === null ? null : round(calm - reference);

export const isUnlikeUsual = ({ calm, usual_calm }: Pick<ComparedCalm, 'calm' | 'usual_calm'>): boolean =>
  Math.abs(above(calm, usual_calm) ?? 0) >= NOTICEABLE;

/**
 * The comparison in words, what is good about it first; the same with fewer words after it, for a line that has no room.
 * The last has at most three words. They complete the sentence "it is …".
 */
export function calmComparisons(input: ComparedCalm): [full: string, ...shorter: string[]] {
  const usual = above(input.calm, input.usual_calm);
  const network = above(input.calm, input.network_calm);
  const isMore = (by: number | null, least: number): boolean => by !== null && by >= least;
  const isLess = (by: number | null): boolean => by !== null && by <= -NOTICEABLE;
  const hour = `${dayNames[input.zone.weekday(input.now)]} ${partOfDay(input.now, input.zone)}`;
  if (isMore(usual, MUCH))
    return [`much calmer than a usual ${hour}`, 'much calmer than usual', 'calmer than usual'];
  if (isMore(usual, NOTICEABLE)) return [`calmer than a usual ${hour}`, 'calmer than usual'];
  if (isMore(network, MUCH))
    return ['much calmer than the rest of the city', 'much calmer than elsewhere', 'calmer than elsewhere'];
  if (isMore(network, NOTICEABLE)) return ['calmer than the rest of the city', 'calmer than elsewhere'];
  if (isMore(usual, A_LITTLE))
    return [`a little calmer than a usual ${hour}`, 'a little calmer than usual', 'calmer than usual'];
  if (isMore(network, A_LITTLE_IN_CITY))
    return [
      'a little calmer than the rest of the city',
      'a little calmer than elsewhere',
      'calmer than elsewhere',
    ];
  if (isLess(usual))
    return input.calm >= CALM_STATE_LEVEL
      ? [`calm, but less so than a usual ${hour}`, 'calm, but less than usual', 'rather less calm']
      : [`less calm than a usual ${hour}`, 'less calm than usual', 'rather less calm'];
  if (usual !== null) return [`about as calm as a usual ${hour}`, 'about as calm as usual', 'calm as usual'];
  if (isLess(network))
    return ['less calm than the rest of the city', 'less calm than elsewhere', 'rather less calm'];
  if (network !== null)
    return ['about as calm as the rest of the city', 'about as calm as elsewhere', 'calm as elsewhere'];
  return ['not to be compared yet', 'not compared yet'];
}
