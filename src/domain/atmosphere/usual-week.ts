/** When a weekday is usually busiest and calmest (docs/formulas.md, "How busy it usually is"). */
import { round } from '../stats/unit-scale.ts';
import { isWakingHour } from '../time/waking-hours.ts';
import { type CalmBand, calmBand, calmBands } from './calm-band.ts';

/** The usual calm level of an hour of the clock; null while it is not known. */
export interface UsualHour {
  hour: number;
  usual_calm: number | null;
}

/** Hours of the clock, from the first up to, but without, the second. */
export interface HourSpan {
  from: number;
  to: number;
}

export interface BandHours {
  band: CalmBand;
  spans: HourSpan[];
}

export interface UsualExtremes {
  busiest: BandHours;
  calmest: BandHours;
}

/** The opposite of the calm level, on the same scale: 0 is very calm, 1 very busy. */
export const busyLevel = (calm_level: number): number => round(1 - calm_level);

/**
 * The waking hours in the busiest band that a day reaches, and those in the calmest; the two are the same where one band
 * holds all day. Null where no waking hour is known. At night every pocket is calm, which says nothing.
 */
export function usualExtremes(hours: readonly UsualHour[]): UsualExtremes | null {
  const waking = hours.flatMap(({ hour, usual_calm }) =>
    usual_calm !== null && isWakingHour(hour) ? [{ hour, band: calmBand(usual_calm) }] : [],
  );
  const reached = calmBands.filter((band) => waking.some((one) => one.band === band));
  const [calmest, busiest] = [reached[0], reached.at(-1)];
  if (!calmest || !busiest) return null;
  const hoursIn = (band: CalmBand): BandHours => ({
    band,
    spans: hourSpans(waking.filter((one) => one.band === band).map(({ hour }) => hour)),
  });
  return { busiest: hoursIn(busiest), calmest: hoursIn(calmest) };
}

/** Hours in a row as one span. */
function hourSpans(hours: readonly number[]): HourSpan[] {
  const spans: HourSpan[] = [];
  for (const hour of hours) {
    const last = spans.at(-1);
    if (last?.to === hour) last.to = hour + 1;
    else spans.push({ from: hour, to: hour + 1 });
  }
  return spans;
}
