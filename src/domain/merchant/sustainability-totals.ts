import { round } from '../stats/unit-scale.ts';
import { moneyText } from './money.ts';
import type { SustainabilityKind } from './sustainability.ts';

/** Sum of one kind of event in a pocket. */
export interface KindSum {
  pocket_id: string;
  kind: SustainabilityKind;
  events: number;
  magnitude: number;
  value_cents: number;
}

export interface SustainabilityTotals {
  waste_avoided_units: number;
  idle_reclaimed_hours: number;
  purposeful_trips: number;
  attention_saved_count: number;
  /** In the city's currency. */
  amount: number;
}

const fields = {
  waste_avoided: 'waste_avoided_units',
  idle_reclaimed: 'idle_reclaimed_hours',
  purposeful_trip: 'purposeful_trips',
  attention_saved: 'attention_saved_count',
} as const satisfies Record<SustainabilityKind, keyof SustainabilityTotals>;

/** Every event counts once in the figure of its kind and once in the amount. */
export function sustainabilityTotals(
  sums: readonly Omit<KindSum, 'pocket_id' | 'events'>[],
): SustainabilityTotals {
  const totals: SustainabilityTotals = {
    waste_avoided_units: 0,
    idle_reclaimed_hours: 0,
    purposeful_trips: 0,
    attention_saved_count: 0,
    amount: 0,
  };
  let cents = 0;
  for (const { kind, magnitude, value_cents } of sums) {
    // Magnitudes have at most two decimals; rounding keeps floating-point noise out of their sum.
    totals[fields[kind]] = round(totals[fields[kind]] + magnitude, 2);
    cents += value_cents;
  }
  totals.amount = cents / 100;
  return totals;
}

/** The totals as a sentence for merchants, in the units of the trade. */
export function sustainabilityText(totals: SustainabilityTotals, currency: string): string {
  const {
    waste_avoided_units: units,
    idle_reclaimed_hours: hours,
    purposeful_trips: trips,
    attention_saved_count: silences,
  } = totals;
  const parts = [
    hours > 0
      ? `${hours} hours of places that usually stand idle were in use`
      : 'no idle place came into use',
    units > 0
      ? `${units} portions were sold that closing time would have left over`
      : 'no leftovers were avoided',
    trips > 0 ? `${trips} visits were made for the quiet hour` : 'no visits beyond the usual were counted',
    silences > 0
      ? `${silences} lines were held back and found right to be, sparing passers-by attention that is estimated, not measured`
      : 'no line that was held back is known to have spared anyone attention',
  ];
  return `${parts.join('; ')}. in all about ${moneyText(totals.amount, currency)} was kept from being wasted.`;
}
