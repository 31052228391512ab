/** Computes what one outlet is ready for; readiness.ts says what each cause means (docs/formulas.md, "Merchant readiness"). */

import { bump } from '../atmosphere/atmosphere.ts';
import { isCalmState } from '../atmosphere/primary-state.ts';
import type { Reading } from '../atmosphere/reading.ts';
import type { Category, Outlet } from '../city/city.ts';
import type { NeighbourActivity, OutletActivity } from '../city/neighbours.ts';
import { FRAGILE, isSleepHour, type Moment, SATURATION_LIMIT } from '../decision/moment.ts';
import { rainPressure } from '../signals/scales.ts';
import { MIN_SAMPLES } from '../stats/norm.ts';
import { SMALLEST_COUNT } from '../stats/small-count-suppression.ts';
import { clamp, round } from '../stats/unit-scale.ts';
import { MINUTE } from '../time/slot.ts';
import type { Cause, ReadinessRecord } from './readiness.ts';

/** What one outlet's readiness is computed from. */
export interface ReadinessInput extends OutletActivity {
  outlet: Outlet;
  slot: number;
  /** The hour of the local clock, with the fraction. */
  hour: number;
  /** A weekend or public holiday. */
  rest: boolean;
  /** Its pocket; null when that could not be read. */
  pocket: ReadinessPocket | null;
  around: NeighbourActivity;
}

export interface ReadinessPocket {
  reading: Pick<Reading, 'calm' | 'social_energy' | 'productive' | 'primary_state' | 'completeness'>;
  rain_mm: number | null;
  /** Null where too little is known to compose one. */
  moment: Pick<Moment, 'fragility' | 'signal_saturation'> | null;
}

export function computeReadiness(input: ReadinessInput): ReadinessRecord {
  const { outlet, slot } = input;
  const idle = idlePressure(input);
  const cause = readinessCause(input, idle);
  return {
    slot,
    outlet_id: outlet.id,
    pocket_id: outlet.pocket_id,
    cause,
    confidence: cause === 'closed' || cause === 'closing' ? 1 : coverage(input),
    idle_pressure: idle === null ? null : round(idle),
  };
}

/** How far use is under the outlet's usual for the hour; null while it is closed, not counted, or little is learned. */
function idlePressure({ open_for, activity, usual }: ReadinessInput): number | null {
  if (!open_for || activity === null || usual.samples < MIN_SAMPLES) return null;
  return usual.mean > 0 ? clamp(1 - activity / usual.mean) : 0;
}

/** Share of the inputs that were observed: the outlet's own use, its pocket, and its usual level. */
const coverage = ({ activity, pocket, usual }: ReadinessInput): number =>
  round(
    (activity === null ? 0 : 0.4) +
      0.4 * (pocket?.reading.completeness ?? 0) +
      0.2 * Math.min(1, usual.samples / MIN_SAMPLES),
  );

/** Guests who come later could not stay. */
const CLOSING = 30 * MINUTE;
/** Share of capacity in use from which nothing is offered. */
const FULL = 0.8;
/** Idle pressure below this is an ordinary hour. */
const IDLE = 0.1;
/** Below it the best of what an outlet offers hardly suits the hour. */
const LEAST_FIT = 0.2;

function readinessCause(input: ReadinessInput, idle: number | null): Cause {
  const { hour, open_for, activity, pocket, around } = input;
  if (open_for === 0) return 'closed';
  if (open_for <= CLOSING) return 'closing';
  if (activity === null || !pocket?.moment) return 'unobserved';
  // Nobody inside: it may be empty, or not have opened today. In doubt it is not offered to anyone.
  if (activity <= 0) return 'shut';
  if (activity >= FULL) return 'full';
  const { reading, moment } = pocket;
  if (reading.primary_state === 'tense-crowded') return 'tense';
  if (isSleepHour(hour)) return 'night';
  if (moment.fragility > FRAGILE) return 'fragile';
  if (moment.signal_saturation > SATURATION_LIMIT) return 'heard';
  const spilled = activity <= ROOMY ? spillover(around) : null;
  if (spilled) return spilled;
  if (idle !== null && idle < IDLE) return isCalmState(reading.primary_state) ? 'settled' : 'usual';
  return bestFit(input, pocket);
}

/** Share of capacity in use up to which an outlet can take others' spillover. */
const ROOMY = 0.65;
/** Use of the neighbouring outlets, relative to their usual, that counts as overflow. */
const FULLER = 1.15;
/** Footfall of a neighbouring pocket, as a share of its ordinary peak, that counts as crowded. */
const CROWDED = 1.1;

/** Fewer than five outlets are never published, so they decide no state either. */
function spillover({ outlets, use, usual_use, crowd }: NeighbourActivity): 'overflow' | 'crowd' | null {
  if (outlets >= SMALLEST_COUNT && use >= FULLER * usual_use) return 'overflow';
  return crowd !== null && crowd >= CROWDED ? 'crowd' : null;
}

type Offer = 'comfort' | 'social' | 'focus' | 'families' | 'takeaway';

/** How far each category can offer each of these, 0..1: a judgement, not measured. */
const offers: Record<Category, Record<Offer, number>> = {
  cafe: { comfort: 0.7, social: 0.6, focus: 1, families: 0.3, takeaway: 0.5 },
  bakery: { comfort: 0.4, social: 0.2, focus: 0.3, families: 0.6, takeaway: 1 },
  restaurant: { comfort: 0.5, social: 0.9, focus: 0.1, families: 0.9, takeaway: 0.4 },
  hawker: { comfort: 0.4, social: 0.6, focus: 0.1, families: 0.8, takeaway: 0.9 },
  bar: { comfort: 0.3, social: 1, focus: 0.1, families: 0, takeaway: 0 },
  dessert: { comfort: 0.6, social: 0.7, focus: 0.2, families: 1, takeaway: 0.6 },
  bookshop: { comfort: 0.8, social: 0.1, focus: 0.9, families: 0.7, takeaway: 0.1 },
  grocer: { comfort: 0.2, social: 0, focus: 0, families: 0.4, takeaway: 1 },
  florist: { comfort: 0.4, social: 0.1, focus: 0, families: 0.3, takeaway: 0.9 },
  gallery: { comfort: 0.7, social: 0.4, focus: 0.5, families: 0.7, takeaway: 0 },
  wellness: { comfort: 1, social: 0.1, focus: 0.4, families: 0.1, takeaway: 0 },
  boutique: { comfort: 0.4, social: 0.6, focus: 0, families: 0.5, takeaway: 0.3 },
};

function bestFit({ outlet, hour, rest }: ReadinessInput, { reading, rain_mm }: ReadinessPocket): Cause {
  const { calm, social_energy, productive } = reading;
  // Rain that was not measured drives nobody in and keeps nobody away.
  const rain = rain_mm === null ? 0 : rainPressure(rain_mm);
  const offer = offers[outlet.category];
  const fits: [Cause, number][] = [
    ['rain', offer.comfort * rain],
    ['ease', offer.comfort * 0.6 * calm],
    ['social', offer.social * social_energy],
    ['focus', offer.focus * productive],
    ['families', offer.families * familyHour(hour, rest) * (1 - 0.5 * rain)],
    ['takeaway', offer.takeaway * passingHour(hour, rest) * (1 - 0.5 * rain)],
  ];
  const [cause, fit] = fits.reduce((best, one) => (one[1] > best[1] ? one : best));
  return fit >= LEAST_FIT ? cause : 'unsuited';
}

/** Late morning to early evening on a rest day; the hours after school on others. */
const familyHour = (hour: number, rest: boolean): number =>
  rest ? bump(hour, 10, 19, 1) : 0.5 * bump(hour, 16, 19, 1);

/** Hours in which people pass by: the way to work, lunch, the way home. */
const passingHour = (hour: number, rest: boolean): number =>
  (rest ? 0.5 : 0.8) *
  Math.max(bump(hour, 7.5, 9, 0.75), bump(hour, 12, 13.25, 0.5), bump(hour, 17.75, 19, 0.75));
