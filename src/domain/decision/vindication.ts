/** Vindication: the verdict on a silence an hour later (docs/formulas.md, "Vindication"). */

import { round } from '../stats/unit-scale.ts';
import { awakeness } from './moment-quality.ts';

/** What was observed in a pocket in the hour after a silence. */
export interface Aftermath {
  /** When the silence was sealed. */
  slot: number;
  /** Calm as it was then. */
  calm: number;
  readings: number;
  /** How many of the readings were as calm as at the silence, within 0.1. */
  held: number;
  mean_calm: number | null;
  mean_stress: number | null;
  /** Mean footfall, people an hour. */
  footfall: number | null;
  footfall_peak: number;
  /** The service spoke here before the hour was over. */
  spoke: boolean;
}

/** Sums up the readings of the hour after a silence that was sealed at `calm`. */
export const summarizeAftermath = (
  calm: number,
  since: readonly { calm: number; stress: number; footfall: number | null }[],
): Pick<Aftermath, 'calm' | 'readings' | 'held' | 'mean_calm' | 'mean_stress' | 'footfall'> => ({
  calm,
  readings: since.length,
  held: since.filter((reading) => reading.calm >= calm - AS_CALM).length,
  mean_calm: mean(since.map((reading) => reading.calm)),
  mean_stress: mean(since.map(({ stress }) => stress)),
  footfall: mean(since.flatMap(({ footfall }) => footfall ?? [])),
});

const mean = (values: readonly number[]): number | null =>
  values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : null;

export interface Verdict {
  /** True: staying silent was right. Null: nothing to judge by. */
  vindicated: boolean | null;
  attention_minutes_preserved: number;
  reason: string;
}

/** A reading at most this much less calm than at the silence still counts as calm. */
const AS_CALM = 0.1;
const LEAST_READINGS = 2;
/** Share of readings that must stay calm for the calm to have held. */
const HELD = 0.75;
const CALM = 0.6;
const TENSE = 0.35;
/** Footfall, as a share of the peak, from which enough people were there. */
const ABOUT = 0.2;
/** Assumes that one in twenty-five passers-by would have looked, for fifteen seconds each. */
const MINUTES_FOR_EACH_PERSON = 0.25 / 25;

/**
 * A silence was wrong when the line would have stayed true through the hour, the hour was calm and awake, and enough
 * people were there. Otherwise it is vindicated.
 */
export function judgeSilence(after: Aftermath): Verdict {
  if (after.readings < LEAST_READINGS || after.mean_calm === null || after.mean_stress === null) {
    return { vindicated: null, attention_minutes_preserved: 0, reason: 'too little was observed to judge' };
  }
  const reason = whyRight(after);
  if (reason === null) {
    const missed = 'the calm held and people were about: a line would have served';
    return { vindicated: false, attention_minutes_preserved: 0, reason: missed };
  }
  return {
    vindicated: true,
    attention_minutes_preserved: round((after.footfall ?? 0) * MINUTES_FOR_EACH_PERSON, 1),
    reason,
  };
}

function whyRight(after: Aftermath): string | null {
  const { slot, readings, held, mean_calm, mean_stress, footfall, footfall_peak, spoke } = after;
  if (spoke) return 'a better moment came within the hour';
  if (awakeness(slot) < 1) return 'it was no hour to speak';
  if (held / readings < HELD) return 'the calm did not hold';
  if ((mean_stress ?? 1) > TENSE) return 'the pocket was strained';
  if ((mean_calm ?? 0) < CALM) return 'the hour was not calm';
  if (footfall === null || footfall / footfall_peak < ABOUT) return 'few were about';
  return null;
}
