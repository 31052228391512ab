import { round } from '../stats/unit-scale.ts';
import { savedText } from './money.ts';
import { basisOf, type SustainabilityKind, sustainabilityKinds } from './sustainability.ts';

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

/** Every event counts once in the figure of its kind and once in the amount; losses are below 0, so totals are net. */
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

/** Which of the totals were worked out and not counted. */
export const inferredTotals = [
  ...sustainabilityKinds.filter((kind) => basisOf[kind] === 'inferred').map((kind) => fields[kind]),
  'amount' as const,
];

/** The totals as a sentence for merchants, in the units of the trade: what was counted first, then what was inferred. */
export function sustainabilityText(totals: SustainabilityTotals, currency: string): string {
  const {
    waste_avoided_units: units,
    idle_reclaimed_hours: hours,
    purposeful_trips: trips,
    attention_saved_count: silences,
    amount,
  } = totals;
  const counted =
    hours > 0
      ? `${hours} hours of places that usually stand idle were in use, less those that stood idle instead`
      : hours < 0
        ? `places stood idle for ${-hours} hours more than usual, less those that came into use`
        : 'no idle place came into use';
  const inferred = [
    units > 0
      ? `${units} portions sold that closing time would have left over`
      : units < 0
        ? `${-units} portions left over at closing time`
        : 'no leftovers avoided',
    trips > 0
      ? `${trips} visits beyond the usual`
      : trips < 0
        ? `${-trips} visits short of the usual`
        : 'no visits beyond the usual',
    silences > 0
      ? `${silences} lines held back that would have cost attention`
      : 'no line held back that would have cost attention',
  ];
  return `${counted}. inferred from that, not observed: ${inferred.join('; ')}. in all about ${savedText(amount, currency)}, as inferred.`;
}
