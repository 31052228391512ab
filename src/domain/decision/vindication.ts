/** Vindication: the verdict on a silence an hour later (docs/formulas.md, "Vindication"). */

import { round } from '../stats/unit-scale.ts';
import { HOUR, SLOT } from '../time/slot.ts';

/** What was observed in a pocket in the hour after a silence. */
export interface Aftermath {
  /** Calm as it was then. */
  calm: number;
  readings: number;
  /** How many of the readings were as calm as at the silence, within 0.1. */
  held: number;
  mean_calm: number | null;
  mean_stress: number | null;
  /** Mean footfall, people an hour. */
  footfall: number | null;
  /** Mean crowd, as a share of the pocket's usual peak. */
  crowd: number | null;
  /** The service spoke here before the hour was over. */
  spoke: boolean;
}

/** Sums up the readings of the hour after a silence that was sealed at `calm`. */
export const summarizeAftermath = (
  calm: number,
  since: readonly { calm: number; stress: number; footfall: number | null; crowd: number | null }[],
): Pick<Aftermath, 'calm' | 'readings' | 'held' | 'mean_calm' | 'mean_stress' | 'footfall' | 'crowd'> => ({
  calm,
  readings: since.length,
  held: since.filter((reading) => reading.calm >= calm - AS_CALM).length,
  mean_calm: mean(since.map((reading) => reading.calm)),
  mean_stress: mean(since.map(({ stress }) => stress)),
  footfall: mean(since.flatMap(({ footfall }) => footfall ?? [])),
  crowd: mean(since.flatMap(({ crowd }) => crowd ?? [])),
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
/** Crowd from which enough people were there. */
const ABOUT = 0.2;
/** An assumption, not a measurement: of the passers-by one in twenty-five would have looked, for fifteen seconds each. */
const LOOKING_SHARE = 1 / 25;
const MINUTES_FOR_EACH_LOOK = 0.25;

/**
 * Minutes that a line would have taken from the people who pass in its quarter hour, at `footfall` people an hour; null
 * where nobody was counted, which sums leave out.
 */
export const attentionMinutes = (footfall: number | null): number | null =>
  footfall === null ? null : round(footfall * (SLOT / HOUR) * LOOKING_SHARE * MINUTES_FOR_EACH_LOOK, 2);

/**
 * A silence was wrong when the line would have stayed true through the hour, the hour was calm, and enough people were
 * there. Otherwise it is vindicated. Every silence is of waking hours, so the clock decides nothing here.
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
    attention_minutes_preserved: attentionMinutes(after.footfall) ?? 0,
    reason,
  };
}

function whyRight(after: Aftermath): string | null {
  const { readings, held, mean_calm, mean_stress, crowd, spoke } = after;
  if (spoke) return 'a better moment came within the hour';
  if (held / readings < HELD) return 'the calm did not hold';
  if ((mean_stress ?? 1) > TENSE) return 'the pocket was strained';
  if ((mean_calm ?? 0) < CALM) return 'the hour was not calm';
  if (crowd === null || crowd < ABOUT) return 'few were about';
  return null;
}
