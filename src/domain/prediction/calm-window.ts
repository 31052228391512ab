/** When to go: the best of the forecasts ahead, and what follows for a visitor (docs/formulas.md, "Calm windows"). */
import { CALM_STATE_LEVEL } from '../atmosphere/atmosphere.ts';
import { MINUTE } from '../time/slot.ts';
import { isWakingHour } from '../time/waking-hours.ts';
import type { Zone } from '../time/zone.ts';

/** From this probability on a calm state is more likely than not. */
export const LIKELY_CALM = 0.5;
/** How far beyond the last forecast a usually calm hour is looked for. */
const LOOK_AHEAD_HOURS = 18;
/** A forecast stands for an hour that begins up to this long before or after its time. */
const NEAR = 30 * MINUTE;

export interface ForecastCalm {
  /** Epoch milliseconds. */
  at: number;
  calm_probability: number;
}

/** The forecast with the highest probability of calm; of equal ones the nearest. Null without any. */
export function bestWindow<F extends ForecastCalm>(ahead: readonly F[]): F | null {
  return ahead.reduce<F | null>(
    (best, one) =>
      !best ||
      one.calm_probability > best.calm_probability ||
      (one.calm_probability === best.calm_probability && one.at < best.at)
        ? one
        : best,
    null,
  );
}

export const visitAdvices = ['now', 'later', 'not_soon', 'unknown'] as const;
export type VisitAdvice = (typeof visitAdvices)[number];

/**
 * now: a calm state is likely through the next half hour. later: it is not, but likely at the best forecast ahead.
 * not_soon: neither. unknown: nothing is known of the present.
 */
export function visitAdvice(calm_probability: number | null, best: ForecastCalm | null): VisitAdvice {
  if (calm_probability === null) return 'unknown';
  if (calm_probability >= LIKELY_CALM) return 'now';
  return best && best.calm_probability >= LIKELY_CALM ? 'later' : 'not_soon';
}

/** The full hours of waking time after `after`, in which a pocket may usually be calm. */
export function laterHours(after: number, zone: Zone): number[] {
  const first = Math.floor(zone.hourOfDay(after)) + 1;
  return Array.from({ length: LOOK_AHEAD_HOURS }, (_, n) => zone.atHour(after, first + n)).filter((at) =>
    isWakingHour(zone.hourOfDay(at)),
  );
}

/** The first of these hours whose usual calm level is that of a calm state; null where none is. */
export const firstUsuallyCalm = <H extends { calm_level: number }>(hours: readonly H[]): H | null =>
  hours.find(({ calm_level }) => calm_level >= CALM_STATE_LEVEL) ?? null;

/** The next time at which the city's clock shows this full hour. */
export function nextHour(now: number, hour: number, zone: Zone): number {
  const today = zone.atHour(now, hour);
  return today > now ? today : zone.atHour(now, hour, 1);
}

/** The forecast that stands for an hour, the nearest to it; null where none is within half an hour. */
export function forecastFor<F extends ForecastCalm>(ahead: readonly F[], hour: number): F | null {
  const near = ahead.filter(({ at }) => Math.abs(at - hour) <= NEAR);
  return near.toSorted((a, b) => Math.abs(a.at - hour) - Math.abs(b.at - hour))[0] ?? null;
}
