/** Sustainability events: what commitments and silences saved or lost (docs/formulas.md, "Sustainability"). */

import type { Category, Outlet } from '../city/city.ts';
import { SMALLEST_COUNT } from '../stats/small-count-suppression.ts';
import { ramp, round } from '../stats/unit-scale.ts';
import { HOUR, MINUTE, SLOT } from '../time/slot.ts';

export const sustainabilityKinds = [
  'waste_avoided',
  'idle_reclaimed',
  'purposeful_trip',
  'attention_saved',
] as const;
export type SustainabilityKind = (typeof sustainabilityKinds)[number];

/**
 * Whether the use of an outlet was counted, and compared with its usual, or a figure was worked out from that: nobody
 * saw a visit made for the quiet hour, a portion that would have been left over, or a glance that was spared.
 */
export const savingBases = ['observed', 'inferred'] as const;
export type SavingBasis = (typeof savingBases)[number];
export const basisOf: Record<SustainabilityKind, SavingBasis> = {
  idle_reclaimed: 'observed',
  waste_avoided: 'inferred',
  purposeful_trip: 'inferred',
  attention_saved: 'inferred',
};

export interface SustainabilityEvent {
  id: string;
  slot: number;
  pocket_id: string;
  /** Never published. */
  outlet_id: string | null;
  kind: SustainabilityKind;
  /** Portions, place-hours, trips or silences, by kind; below 0 where fewer were in use than usual. */
  magnitude: number;
  value_cents: number;
  evidence: Record<string, string | number>;
}

/** Weeks that define what is usual, and how many of them must be known. */
export const USUAL_WEEKS = 4;
const LEAST_WEEKS = 2;
/** A mean rise or fall of a smaller share of the capacity is treated as chance. */
const LEAST_CHANGE = 0.03;
/** Places assumed for an outlet without seats. */
export const PLACES_WITHOUT_SEATS = 6;

/** Price of a minute of attention, from advertising: 10 (SGD, EUR, USD) for a thousand views of fifteen seconds. */
const ATTENTION_CENTS = 4;
/** Value of the wait that a visit in a quiet hour saves: six minutes at 15 (SGD, EUR, USD) an hour. */
const WAIT_CENTS = 150;
/** Within this many hours of closing, a growing share of the stock would have been left over. */
const LEFTOVER_HOURS = 3;

interface Trade {
  /** Hours that a visit occupies a place. */
  stay: number;
  /** Perishable portions per visit; 0 for goods that do not perish. */
  portions: number;
}

const trades: Record<Category, Trade> = {
  cafe: { stay: 0.75, portions: 0.5 },
  bakery: { stay: 0.25, portions: 2 },
  restaurant: { stay: 1, portions: 1 },
  hawker: { stay: 0.5, portions: 1 },
  bar: { stay: 1.5, portions: 0 },
  dessert: { stay: 0.5, portions: 1 },
  bookshop: { stay: 0.5, portions: 0 },
  grocer: { stay: 0.25, portions: 2 },
  florist: { stay: 0.25, portions: 1 },
  gallery: { stay: 0.75, portions: 0 },
  wellness: { stay: 1, portions: 0 },
  boutique: { stay: 0.5, portions: 0 },
};

/** Share of capacity in use at a slot, and at the same slot of the weeks before. */
export interface QuarterUse {
  activity: number;
  before: readonly number[];
}

/** Measured outcome of a commitment. */
export interface Outcome {
  /** Means over the quarter hours that can be compared. */
  activity: number;
  usual: number;
  quarters: number;
  /** Place-hours that are usually idle, and those of them that were used. */
  idle_hours: number;
  reclaimed_hours: number;
  /** Place-hours that are usually in use, and were not. */
  lost_hours: number;
}

type Capacity = Pick<Outlet, 'seats'>;

/** Null when less than half of the window can be compared with the usual. */
export function commitmentOutcome(
  { seats }: Capacity,
  window: { window_start: number; window_end: number },
  quarters: readonly QuarterUse[],
): Outcome | null {
  const known = quarters.filter(({ before }) => before.length >= LEAST_WEEKS);
  const whole = (window.window_end - window.window_start) / SLOT;
  if (!known.length || known.length < whole / 2) return null;
  const activity = mean(known.map((quarter) => quarter.activity));
  const usual = mean(known.map(({ before }) => mean(before)));
  const hours = ((seats || PLACES_WITHOUT_SEATS) * known.length * SLOT) / HOUR;
  const rise = round(activity - usual, 6);
  return {
    activity: round(activity),
    usual: round(usual),
    quarters: known.length,
    idle_hours: round(Math.max(0, 1 - usual) * hours, 2),
    reclaimed_hours: rise >= LEAST_CHANGE ? round(rise * hours, 2) : 0,
    lost_hours: rise <= -LEAST_CHANGE ? round(-rise * hours, 2) : 0,
  };
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

export interface SettledCommitment {
  slot: number;
  brief_id: string;
  outlet: Pick<Outlet, 'id' | 'pocket_id' | 'category' | 'typical_spend' | 'margin'>;
  outcome: Outcome;
  /** From the end of the window to closing. */
  closes_in: number;
}

/** The events of a settled commitment, which count against the others where use fell; none when it did neither. */
export function commitmentEvents(settled: SettledCommitment): SustainabilityEvent[] {
  const { outlet, outcome, closes_in } = settled;
  const { stay, portions } = trades[outlet.category];
  const { typical_spend, margin } = outlet;
  const hours = outcome.reclaimed_hours - outcome.lost_hours;
  if (hours === 0) return [];
  const visits = hours / stay;
  const trips = Math.trunc(visits);
  const left_over = ramp(closes_in, LEFTOVER_HOURS * HOUR, 0);
  const units = round(visits * portions * left_over, 1);
  const event = (kind: SustainabilityKind, magnitude: number, cents: number, more = {}) =>
    sustainabilityEvent(settled, kind, magnitude, cents, more);
  return [
    event('idle_reclaimed', hours, visits * typical_spend * margin * 100),
    // Fewer than five people make no event, so that no total or list can show so few.
    ...(Math.abs(trips) >= SMALLEST_COUNT ? [event('purposeful_trip', trips, trips * WAIT_CENTS)] : []),
    ...(units !== 0
      ? [
          event('waste_avoided', units, (units / portions) * typical_spend * (1 - margin) * 100, {
            closes_in_minutes: round(closes_in / MINUTE, 0),
          }),
        ]
      : []),
  ];
}

function sustainabilityEvent(
  { slot, brief_id, outlet, outcome }: SettledCommitment,
  kind: SustainabilityKind,
  magnitude: number,
  cents: number,
  more: Record<string, number>,
): SustainabilityEvent {
  const { activity, usual, quarters } = outcome;
  return {
    id: `${brief_id}.${kind}`,
    slot,
    pocket_id: outlet.pocket_id,
    outlet_id: outlet.id,
    kind,
    magnitude,
    value_cents: Math.round(cents),
    evidence: { brief_id, activity, usual, quarters, ...more },
  };
}

/** Verdicts on the silences of a pocket on one day. */
export interface VindicatedDay {
  pocket_id: string;
  /** 'YYYY-MM-DD' in the city's zone. */
  date: string;
  judged: number;
  vindicated: number;
  minutes: number;
}

/** One event a day; a row for each silence would outnumber all other events. */
export function attentionEvent(
  slot: number,
  { pocket_id, date, judged, vindicated, minutes }: VindicatedDay,
): SustainabilityEvent | null {
  if (vindicated === 0) return null;
  return {
    id: `${pocket_id}-${date}.attention_saved`,
    slot,
    pocket_id,
    outlet_id: null,
    kind: 'attention_saved',
    magnitude: vindicated,
    value_cents: Math.round(minutes * ATTENTION_CENTS),
    evidence: { date, judged, vindicated, minutes: round(minutes, 1) },
  };
}
