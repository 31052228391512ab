/** The daily legitimacy index (docs/formulas.md, "Daily legitimacy index"). */

import { clamp, round } from '../stats/unit-scale.ts';
import { HOUR } from '../time/slot.ts';
import type { Window } from '../time/window.ts';
import type { Zone } from '../time/zone.ts';
import {
  computeLegitimacy,
  dominantFactor,
  environmentalAlignment,
  expectedValue,
  factorCost,
  type LegitimacyBand,
  type LegitimacyFactors,
  legitimacyBandAt,
  merchantPressure,
  scoreCost,
} from './legitimacy.ts';

/** Legitimacy of a pocket for one day, composed at 08:30. */
export interface IndexReading {
  pocket_id: string;
  /** 'YYYY-MM-DD' in the city's time zone. */
  reading_date: string;
  /** 0-100. */
  score: number;
  band: LegitimacyBand;
  /** One line that names the factor which costs the score most. */
  reason: string;
}

/** Means over some moments of a pocket. */
export interface MomentMeans {
  calm_probability: number;
  /** Null where it was not measured. */
  movement_friction: number | null;
  signal_saturation: number;
  /** Of usefulness × user_need. */
  worth: number;
  /** 0 where no outlet is open. */
  spare_capacity: number;
  fatigue: number;
}

/** 08:30 */
const INDEX_HOUR = 8.5;

/** When the index is next composed: 08:30 local time, today or tomorrow. */
export function nextIndexAt(now: number, zone: Zone): number {
  const today = zone.atHour(now, INDEX_HOUR);
  return today > now ? today : zone.atHour(now, INDEX_HOUR, 1);
}

/** The hour up to the index. */
export const morningBefore = (slot: number): Window => ({ after: slot - HOUR, until: slot });

/** 08:30 to 21:30 of the day before, the hours in which awakeness is 1. */
export const wakingDayBefore = (slot: number, zone: Zone): Window => ({
  after: zone.atHour(slot, INDEX_HOUR, -1),
  until: zone.atHour(slot, 21.5, -1),
});

/** Mean of the waking day before and of this morning; the morning alone where the day before was not observed. */
export function indexFactors(day: MomentMeans | null, morning: MomentMeans): LegitimacyFactors {
  const mean = (of: Exclude<keyof MomentMeans, 'movement_friction'>): number =>
    day ? (day[of] + morning[of]) / 2 : morning[of];
  const friction = [day?.movement_friction ?? null, morning.movement_friction].filter((one) => one !== null);
  const mean_friction = friction.length
    ? friction.reduce((sum, one) => sum + one, 0) / friction.length
    : null;
  return {
    environmental_alignment: environmentalAlignment(mean('calm_probability'), mean_friction),
    fatigue: round(mean('fatigue')),
    saturation: round(mean('signal_saturation')),
    merchant_pressure: merchantPressure(mean('spare_capacity')),
    expected_value: expectedValue(mean('worth')),
  };
}

/** The index covers a day, not a moment, so no reason for silence overrides it. */
const noMoment = { should_stay_silent: false, silence_reasons: [] };

/**
 * A mean over a day's moments varies far less than one moment does, so no day would ever reach the lowest band. The
 * distance from an ordinary day is stretched, so that a few bad mornings do.
 */
const ORDINARY_DAY = 67;
const STRETCH = 3;
const ORDINARY_SCORE = 65;

export const indexScore = (factors: LegitimacyFactors): number => {
  const day = computeLegitimacy(factors, noMoment).legitimacy_score;
  return round(clamp(ORDINARY_SCORE + STRETCH * (day - ORDINARY_DAY), 0, 100), 1);
};

export function indexReading(
  pocket_id: string,
  reading_date: string,
  factors: LegitimacyFactors,
): IndexReading {
  const score = indexScore(factors);
  const band = legitimacyBandAt(score);
  const variant = Number(reading_date.slice(-2)) + pocket_id.length;
  return { pocket_id, reading_date, score, band, reason: indexReason(factors, band, variant) };
}

const wordings: Record<LegitimacyBand, readonly string[]> = {
  legitimate: [
    'a line could be justified today',
    'little stands in the way today',
    'the day leaves room to speak',
  ],
  borderline: ['neither for nor against', 'the day could go either way', 'today is undecided'],
  remain_silent: ['a day for silence', 'silence suits the day', 'little justifies a line today'],
};

function indexReason(factors: LegitimacyFactors, band: LegitimacyBand, variant: number): string {
  const factor = dominantFactor(factors);
  const choices = wordings[band];
  const { inWords, text } = factorCost(factors, factor);
  const most = `${choices[variant % choices.length]}; ${factor} costs most`;
  // What costs as little has nothing to explain.
  if (scoreCost(factors, factor) < 1) return `${most}, but less than a point.`;
  return `${most} (${inWords} ${inWords === '1' ? 'point' : 'points'}): ${text}.`;
}
