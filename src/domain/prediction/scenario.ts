import type { Snapshot } from '../atmosphere/snapshot.ts';
import { clamp } from '../stats/unit-scale.ts';
import type { Projection } from './projection.ts';

/** What could be otherwise than it was measured, to see how far the outlook hangs on it. */
export const scenarios = [
  'rain_sets_in',
  'rain_clears',
  'crowd_grows',
  'crowd_thins',
  'trains_fill',
  'trains_empty',
] as const;
export type Scenario = (typeof scenarios)[number];

export const modifiers = ['rain', 'footfall', 'transit'] as const;
export type Modifier = (typeof modifiers)[number];

/** The signal that each supposition changes, and how it is said. */
export const supposing: Record<Scenario, { modifier: Modifier; words: string }> = {
  rain_sets_in: { modifier: 'rain', words: 'should rain set in' },
  rain_clears: { modifier: 'rain', words: 'should the rain clear' },
  crowd_grows: { modifier: 'footfall', words: 'should crowds grow' },
  crowd_thins: { modifier: 'footfall', words: 'should crowds thin' },
  trains_fill: { modifier: 'transit', words: 'should trains fill' },
  trains_empty: { modifier: 'transit', words: 'should trains empty' },
};

/** A steady rain, in mm a quarter hour. */
const RAIN_MM = 2;
/** Less than this is hardly noticed. */
const DRIZZLE_MM = 0.4;
const CROWD_SHARE = 0.3;
const TRAIN_SHARE = 0.3;

/** The measurements as they would have been; null where they are unknown or would be the same. */
export function supposed(
  supposition: Scenario,
  values: Snapshot['values'],
  footfallPeak: number,
): Snapshot['values'] | null {
  const { rain_mm, footfall, transit_crowding } = values;
  const crowd = (change: number) => footfall !== null && Math.max(0, footfall + change * footfallPeak);
  const trains = (change: number) => transit_crowding !== null && clamp(transit_crowding + change);
  const changed: Record<Scenario, Partial<Record<keyof Snapshot['values'], number | false>>> = {
    rain_sets_in: { rain_mm: rain_mm !== null && rain_mm < DRIZZLE_MM && RAIN_MM },
    rain_clears: { rain_mm: rain_mm !== null && rain_mm >= DRIZZLE_MM ? 0 : false },
    crowd_grows: { footfall: crowd(CROWD_SHARE) },
    crowd_thins: { footfall: crowd(-CROWD_SHARE) },
    trains_fill: { transit_crowding: trains(TRAIN_SHARE) },
    trains_empty: { transit_crowding: trains(-TRAIN_SHARE) },
  };
  const [[signal, value] = []] = Object.entries(changed[supposition]);
  if (typeof value !== 'number' || values[signal as keyof typeof values] === value) return null;
  return { ...values, [signal as string]: value };
}

/** What would be expected at each horizon under a supposition. */
export interface Shift {
  supposition: Scenario;
  horizons: {
    minutes_ahead: number;
    expected_state: Projection['expected_state'];
    calm_probability: number;
  }[];
}

/** The outlook as it was sealed. */
export interface Outlook {
  minutes_ahead: number;
  projection: Pick<Projection, 'expected_state' | 'calm_probability'>;
}

/** For each supposition that changes the expected state: the first horizon at which it does, and the state it becomes. */
export const turningPoints = (outlook: readonly Outlook[], shifts: readonly Shift[]) =>
  shifts.flatMap(({ supposition, horizons }) => {
    for (const { minutes_ahead, projection } of outlook) {
      const instead = horizons.find((horizon) => horizon.minutes_ahead === minutes_ahead);
      if (!instead || instead.expected_state === projection.expected_state) continue;
      return [{ supposition, minutes_ahead, expected_state: instead.expected_state }];
    }
    return [];
  });

/** A change of calm probability smaller than this is not worth naming. */
const NOTICED = 0.02;

/** The signal whose change moves the calm probability most; null when none moves it noticeably. */
export function topModifier(outlook: Outlook, shifts: readonly Shift[]): Modifier | null {
  let top: Modifier | null = null;
  let most = NOTICED;
  for (const { supposition, horizons } of shifts) {
    const instead = horizons.find(({ minutes_ahead }) => minutes_ahead === outlook.minutes_ahead);
    const moved = instead ? Math.abs(instead.calm_probability - outlook.projection.calm_probability) : 0;
    if (moved < most) continue;
    most = moved;
    top = supposing[supposition].modifier;
  }
  return top;
}
