import { mix, uniform } from './random.ts';

/** How often a kind of episode (outage, event, breakdown) begins and how long it lasts. Times are in quarter hours. */
export interface EpisodeSchedule {
  /** Each stretch of this many quarters begins at most one episode. */
  every: number;
  chance: number;
  /** Episodes are mostly short: lengths are spread evenly over the logarithm. No longer than `every`. */
  shortest: number;
  longest: number;
  /** Range within the stretch in which an episode may begin; default: anywhere. */
  between?: [number, number];
}

export interface Episode {
  start: number;
  length: number;
  /** Seed for further random draws about this episode. */
  key: number;
}

export function episodeAt(seed: number, quarter: number, pattern: EpisodeSchedule): Episode | undefined {
  const stretch = Math.floor(quarter / pattern.every);
  return running(seed, stretch, quarter, pattern) ?? running(seed, stretch - 1, quarter, pattern);
}

function running(
  seed: number,
  stretch: number,
  quarter: number,
  pattern: EpisodeSchedule,
): Episode | undefined {
  const key = mix(seed, stretch);
  if (uniform(key) >= pattern.chance) return undefined;
  const { every, shortest, longest } = pattern;
  const [from, to] = pattern.between ?? [0, every];
  const start = stretch * every + Math.floor(from + uniform(mix(key, 1)) * (to - from));
  const length = Math.round(shortest * (longest / shortest) ** uniform(mix(key, 2)));
  return quarter >= start && quarter < start + length ? { start, length, key } : undefined;
}
