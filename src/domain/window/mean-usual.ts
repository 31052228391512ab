import { round } from '../stats/unit-scale.ts';
import { SLOT } from '../time/slot.ts';

/**
 * The usual calm of a window: the mean over its quarter hours, the first and the last included, of the usual of the hour
 * of the week that each lies in. Null where one of them is not known.
 */
export function meanUsual(
  slot: number,
  ends_at: number,
  usualAt: (time: number) => number | null,
): number | null {
  let sum = 0;
  let slots = 0;
  for (let at = slot; at <= ends_at; at += SLOT) {
    const usual = usualAt(at);
    if (usual === null) return null;
    sum += usual;
    slots += 1;
  }
  return round(sum / slots);
}
