import type { PrimaryState } from '../../atmosphere/primary-state.ts';
import { percentText } from '../../text/figures.ts';
import type { Zone } from '../../time/zone.ts';
import {
  DailyRatios,
  dailyConfidence,
  LEAST_DAYS,
  type OutletUse,
  type Pattern,
  type PocketQuarter,
} from './pattern.ts';

/** Parts of the day, each with the hour at which it begins. */
const parts = [
  [5, 'a morning place'],
  [11, 'a midday place'],
  [14, 'an afternoon place'],
  [17, 'an evening place'],
  [21, 'a late place'],
] as const;
/** Quarter hours that a part of the day or a state needs: five hours. */
const LEAST = 20;

/** The part of the day and the state of the pocket in which the outlet is fullest. */
export function dnaDescriptor(
  uses: readonly OutletUse[],
  streets: readonly PocketQuarter[],
  zone: Zone,
): Pattern | null {
  const states = new Map(streets.map(({ slot, primary_state }) => [slot, primary_state]));
  const byPart = fullest(uses, ({ slot }) => dayPart(zone.hourOfDay(slot)));
  if (!byPart) return null;
  const byState = fullest(uses, ({ slot }): PrimaryState | null => states.get(slot) ?? null);
  const overall = mean(uses);
  const days = new DailyRatios(zone);
  for (const { slot, activity } of uses)
    if (dayPart(zone.hourOfDay(slot)) === byPart.key) days.add(slot, activity, overall);
  if (days.count < LEAST_DAYS) return null;
  const mood = byState ? `; fullest when the pocket is ${byState.key}` : '';
  return {
    kind: 'dna_descriptor',
    text: `${byPart.key}: ${percentText(byPart.use)} of its room in use then, ${percentText(overall)} overall${mood} (n = ${uses.length}).`,
    confidence: dailyConfidence(days.ratios()),
    basis: `${uses.length} quarter hours in which it was open, ${byPart.n} of them in that part of ${days.count} days${byState ? ` and ${byState.n} in that mood` : ''}`,
  };
}

const dayPart = (hour: number): string => parts.findLast(([from]) => hour >= from)?.[1] ?? 'a late place';

const mean = (uses: readonly OutletUse[]): number =>
  uses.reduce((sum, { activity }) => sum + activity, 0) / uses.length;

/** The group with the highest mean, of those with enough samples. */
function fullest<K extends string>(uses: readonly OutletUse[], keyOf: (use: OutletUse) => K | null) {
  const groups = new Map<K, OutletUse[]>();
  for (const use of uses) {
    const key = keyOf(use);
    if (key === null) continue;
    const group = groups.get(key);
    if (group) group.push(use);
    else groups.set(key, [use]);
  }
  let best: { key: K; n: number; use: number } | null = null;
  for (const [key, group] of groups) {
    const use = mean(group);
    if (group.length >= LEAST && (!best || use > best.use)) best = { key, n: group.length, use };
  }
  return best;
}
