/**
 * How many windows of one kind held: learned from those of all pockets in waking hours, by their length and their lowest
 * chance of calm. What a day adds counts from the next day on, so that a window is measured by other days.
 */
import { levelWeights } from '../stats/level-weights.ts';
import { round } from '../stats/unit-scale.ts';

interface Sum {
  n: number;
  held: number;
}

/** Stored as JSON, so its field names are part of the saved state. */
export interface WindowRecord {
  /** The local day of `today`. */
  day: string;
  sums: Record<string, Sum>;
  /** What the present day has added so far. */
  today: Record<string, Sum>;
}

export const noWindows: WindowRecord = { day: '', sums: {}, today: {} };

/** The chances at which outcomes are summed; one between two of them counts for both by its distance. */
const CHANCES = [0.5, 0.6, 0.7, 0.8, 0.9, 1] as const;
/** The shares over all pockets of a simulated autumn, from which every city starts, by minutes. */
const PRIORS: Record<number, readonly number[]> = {
  60: [0.5, 0.78, 0.86, 0.92, 0.96, 0.97],
  90: [0.36, 0.69, 0.79, 0.88, 0.94, 0.96],
  120: [0.29, 0.61, 0.73, 0.86, 0.92, 0.95],
  150: [0.24, 0.58, 0.7, 0.83, 0.9, 0.945],
  180: [0.2, 0.54, 0.67, 0.81, 0.89, 0.94],
  240: [0.15, 0.48, 0.62, 0.77, 0.86, 0.925],
};
/** The prior counts as much as this many windows. */
const PRIOR_COUNT = 20;
/** From this many on, older outcomes lose weight, so that the record follows the season. */
const MEMORY = 2_000;

/** The share of windows of this length and lowest chance that held on earlier days. */
export const heldShare = ({ sums }: WindowRecord, minutes: number, chance: number): number =>
  chanceSums(minutes, chance).reduce((share, { key, weight, prior }) => {
    const { n, held } = sums[key] ?? { n: 0, held: 0 };
    return share + weight * ((held + PRIOR_COUNT * prior) / (n + PRIOR_COUNT));
  }, 0);

export interface WindowOutcome {
  minutes: number;
  chance: number;
  held: boolean;
}

/** The record with the outcomes that became known on `day`. */
export function addWindows(
  record: WindowRecord,
  day: string,
  outcomes: readonly WindowOutcome[],
): WindowRecord {
  const turned = record.day === day ? record : nextDay(record, day);
  if (!outcomes.length) return turned;
  const today = { ...turned.today };
  for (const { minutes, chance, held } of outcomes)
    for (const { key, weight } of chanceSums(minutes, chance)) {
      const before = today[key] ?? { n: 0, held: 0 };
      today[key] = { n: round(before.n + weight, 4), held: round(before.held + (held ? weight : 0), 4) };
    }
  return { ...turned, today };
}

/** Older outcomes lose weight once there are many. */
function nextDay({ sums, today }: WindowRecord, day: string): WindowRecord {
  const all = { ...sums };
  for (const [key, { n, held }] of Object.entries(today)) {
    const before = sums[key] ?? { n: 0, held: 0 };
    const kept = Math.min(1, MEMORY / Math.max(1, before.n + n));
    all[key] = { n: round((before.n + n) * kept, 4), held: round((before.held + held) * kept, 4) };
  }
  return { day, sums: all, today: {} };
}

function chanceSums(minutes: number, chance: number): { key: string; weight: number; prior: number }[] {
  return levelWeights(CHANCES, chance).map(({ index, weight }) => ({
    key: `${minutes} ${CHANCES[index]}`,
    weight,
    prior: PRIORS[minutes]?.[index] ?? chance,
  }));
}

/** Held: no two successive readings outside a calm state. */
export const calmHeld = (calm: readonly boolean[]): boolean =>
  calm.every((one, n) => one || n === 0 || (calm[n - 1] ?? true));
