/** The value stack of an experience (docs/formulas.md, "Value stack"). */

import type { Category } from '../city/city.ts';
import { clamp, ramp, round } from '../stats/unit-scale.ts';
import type { ReadinessState } from './readiness.ts';

/** The six levers: what a visit offers beside its price. */
export const levers = ['bundle', 'quiet_seating', 'priority', 'freshness', 'timing', 'comfort'] as const;
export type Lever = (typeof levers)[number];

export interface LeverLevel {
  present: boolean;
  /** 0..1. */
  level: number;
  line: string;
}
export type ValueStack = Record<Lever, LeverLevel>;

export interface StackInput {
  category: Category;
  /** 0 where the outlet has no seats. */
  seats: number;
  state: ReadinessState;
  /** Both 0..1. */
  idle_pressure: number;
  spare_capacity: number;
  calm: number;
  /** The pressure of rain, 0..1. */
  rain: number;
  half_life_minutes: number;
  window_minutes: number;
  /** Share of the opening hours that is over, 0..1. */
  day_gone: number;
}

type Affinity = Record<Exclude<Lever, 'timing'>, number>;

const affinity = (
  bundle: number,
  quiet_seating: number,
  priority: number,
  freshness: number,
  comfort: number,
): Affinity => ({ bundle, quiet_seating, priority, freshness, comfort });

/** How well each category suits each lever: a judgement, not measured. Timing is the same for all, so it is left out. */
const affinities: Record<Category, Affinity> = {
  cafe: affinity(0.9, 1, 0.4, 0.6, 1),
  bakery: affinity(1, 0.5, 0.5, 1, 0.8),
  restaurant: affinity(0.6, 0.8, 0.9, 0.7, 1),
  hawker: affinity(0.7, 0.3, 0.8, 0.9, 0.5),
  bar: affinity(0.7, 0.5, 0.6, 0, 0.9),
  dessert: affinity(0.9, 0.8, 0.5, 0.7, 0.9),
  bookshop: affinity(0.4, 0.6, 0, 0, 1),
  grocer: affinity(0.8, 0, 0.5, 0.9, 0.6),
  florist: affinity(0.6, 0, 0.4, 1, 0.4),
  gallery: affinity(0.2, 0.4, 0.3, 0, 1),
  wellness: affinity(0.5, 0.9, 1, 0, 1),
  boutique: affinity(0.4, 0, 0.3, 0, 0.8),
};

/** The lever that each readiness state favours. */
const favoured: Partial<Record<ReadinessState, Lever>> = {
  READY_FOR_COMFORT: 'comfort',
  READY_FOR_SOCIAL: 'bundle',
  READY_FOR_FOCUS: 'quiet_seating',
  READY_FOR_FAMILIES: 'bundle',
  READY_FOR_TAKEAWAY: 'freshness',
  READY_FOR_SPILLOVER: 'priority',
};
/** Added to the favoured lever. */
const FAVOUR = 0.2;

/** Levels from which a lever is named, and from which it is called strong: a judgement. */
export const PRESENT = 0.25;
const STRONG = 0.6;

/** How far the current conditions support each lever, 0..1. */
const conditions: Record<Lever, (input: StackInput) => number> = {
  bundle: ({ idle_pressure }) => ramp(idle_pressure, 0, 0.6),
  quiet_seating: ({ seats, spare_capacity, calm }) => (seats > 0 ? spare_capacity * calm : 0),
  priority: ({ spare_capacity }) => ramp(spare_capacity, 0.2, 0.8),
  freshness: ({ day_gone }) => 1 - 0.6 * clamp(day_gone),
  timing: ({ half_life_minutes, window_minutes }) => clamp(half_life_minutes / Math.max(1, window_minutes)),
  comfort: ({ rain, calm }) => Math.max(rain, 0.4 * calm),
};

export function valueStack(input: StackInput): ValueStack {
  const leverLevel = (lever: Lever): LeverLevel => {
    const suited = lever === 'timing' ? 1 : affinities[input.category][lever];
    const condition = conditions[lever](input);
    const favour = favoured[input.state] === lever ? FAVOUR : 0;
    // The bonus applies only to a lever that has a level of its own.
    const level = round(suited * condition > 0 ? clamp(suited * condition + favour) : 0, 2);
    const present = level >= PRESENT;
    const [absent, light, strong] = lines[lever];
    return { present, level, line: !present ? absent : level < STRONG ? light : strong };
  };
  return Object.fromEntries(levers.map((lever) => [lever, leverLevel(lever)])) as ValueStack;
}

const lines: Record<Lever, [absent: string, light: string, strong: string]> = {
  bundle: [
    'nothing is put together for the hour.',
    'a few things are put together for the hour.',
    'much is put together for the hour, as little of it is taken.',
  ],
  quiet_seating: ['no quiet seat is part of it.', 'some seats stand quiet.', 'quiet seats are easily had.'],
  priority: [
    'no one is served ahead of others.',
    'waiting is short while there is room.',
    'there is hardly a wait while there is this much room.',
  ],
  freshness: [
    'nothing here turns on freshness.',
    'what was made today is still good.',
    'what is made here is fresh at this hour.',
  ],
  timing: [
    'the calm outside may end well before the window.',
    'the calm outside may last for part of the window.',
    'the calm outside may last as long as the window.',
  ],
  comfort: [
    'inside is much like outside.',
    'inside is a little easier than outside.',
    'inside is much easier than outside.',
  ],
};
