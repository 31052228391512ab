/** Units of time and the quarter hour that the service works in. No time zone is involved. Times are epoch milliseconds. */

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
/** 24 hours. A local day has 23 or 25 of them when clocks change: use `startOfDay(time, 1)` of its zone for the next. */
export const DAY = 24 * HOUR;
/** The step of the service: everything is observed and decided once a slot. */
export const SLOT = 15 * MINUTE;

/**
 * The start of the quarter hour of `time` in UTC. It is a quarter hour of local clocks too: the offset of every zone of
 * the IANA database has been a multiple of 15 minutes since 1972.
 */
export const slotStart = (time: number): number => Math.floor(time / SLOT) * SLOT;

/** More than the slots of a week: an answer about one formats few that were not formatted before. */
const MAX_CACHED = 1000;

/** Caches the last results: many rows have the same slot. */
function cacheResults(format: (time: number) => string): (time: number) => string {
  const cache = new Map<number, string>();
  return (time) => {
    let text = cache.get(time);
    if (text === undefined) {
      text = format(time);
      if (cache.size >= MAX_CACHED) cache.clear();
      cache.set(time, text);
    }
    return text;
  };
}

/** ISO 8601 in UTC with `Z`, as all times are served. */
export const iso = cacheResults((time) => new Date(time).toISOString());

/** The same to the minute without punctuation, as used in ids: `20261115T0145Z`. */
export const compactIso = cacheResults((time) => `${iso(time).slice(0, 16).replaceAll(/[-:]/g, '')}Z`);
