// Which pockets a visitor asked for, and in which order.
import type { Intent, Pocket } from '../../domain/city/city.ts';
import { alignmentOf } from '../../domain/city/intent.ts';
import { type Lookup, normalise } from '../../domain/city/lookup.ts';
import { knownRainPressure } from '../../domain/scales/scales.ts';
import { round } from '../../domain/stats/unit-scale.ts';
import { printable } from '../../domain/text/printable.ts';
import type { CurrentConditions } from '../../store/observation/current-conditions.ts';
import { NotFound, Refused } from '../core/define.ts';
import type { networkAnswer } from '../pocket/get-network-now.ts';

export type NetworkRow = ReturnType<typeof networkAnswer>['pockets'][number];

export function intentNamed(slug: string | undefined, intents: readonly Intent[]): Intent | undefined {
  const intent = intents.find((one) => one.slug === slug);
  if (slug !== undefined && !intent) throw new Refused(`unknown intent slug: ${printable(slug)}`);
  return intent;
}

/** The ids that were asked for by id or by name, best match first; undefined where all are wanted. */
export function pocketsNamed(
  { pockets, q }: { pockets?: readonly string[]; q: string },
  all: readonly Pocket[],
  lookup: Lookup,
): string[] | undefined {
  if (pockets) {
    const known = new Set(all.map(({ id }) => id));
    const unknown = pockets.find((id) => !known.has(id));
    if (unknown !== undefined) throw new NotFound(`unknown pocket: ${printable(unknown)}`);
    return [...new Set(pockets)];
  }
  if (!q.trim()) return undefined;
  const part = normalise(q);
  const hasPart = ({ name, region, aliases }: Pocket) =>
    part !== '' && [name, region, ...aliases].some((label) => normalise(label).includes(part));
  const similar = lookup.find(q).map(({ pocket_id }) => pocket_id);
  return [...new Set([...similar, ...all.filter(hasPart).map(({ id }) => id)])];
}

/**
 * How far the present of each pocket suits an intent, as get_intent computes it; at another hour where one is asked
 * for. A pocket without a moment is left out.
 */
export function alignmentsOf(
  intent: Intent,
  rows: readonly NetworkRow[],
  conditions: ReadonlyMap<string, CurrentConditions>,
  hourAt: (slot: number) => number,
): Map<string, number> {
  return new Map(
    rows.flatMap(({ pocket_id, primary_state }): [string, number][] => {
      const present = conditions.get(pocket_id);
      if (!present || primary_state === null) return [];
      const rain = knownRainPressure(present.rain_mm);
      return [[pocket_id, round(alignmentOf(intent, present, rain, hourAt(present.slot)))]];
    }),
  );
}

/** By a calm level; those without one come last. Equal ones keep their order, which is by name. */
export const calmestFirst = (
  rows: readonly NetworkRow[],
  levelOf: (row: NetworkRow) => number | null | undefined,
): NetworkRow[] => rows.toSorted((a, b) => (levelOf(b) ?? -1) - (levelOf(a) ?? -1));
