/** Singapore time: UTC+8 all year, so plain arithmetic is exact. Times are epoch milliseconds. */

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** The step of the service: everything is observed and decided once a slot. */
export const SLOT = 15 * MINUTE;
const OFFSET = 8 * HOUR;

/** The start of the quarter hour of `time`. */
export const slotOf = (time: number): number => Math.floor(time / SLOT) * SLOT;

/** Hours since midnight in Singapore, with the fraction: 08:30 is 8.5. */
export const hourOfDay = (time: number): number => ((time + OFFSET) % DAY) / HOUR;

/** 0 is Monday. Day 0 of the epoch was a Thursday. */
export const weekday = (time: number): number => (Math.floor((time + OFFSET) / DAY) + 3) % 7;

/** 0..167, Monday 00:00–00:59 being 0. */
export const hourOfWeek = (time: number): number => weekday(time) * 24 + Math.floor(hourOfDay(time));

const local = (time: number): string => new Date(time + OFFSET).toISOString();

/** 'YYYY-MM-DD' in Singapore. */
export const dateOf = (time: number): string => local(time).slice(0, 10);

/** 'YYYY-MM' in Singapore. */
export const monthOf = (time: number): string => local(time).slice(0, 7);

/** 'HH:MM' in Singapore. */
export const clockOf = (time: number): string => local(time).slice(11, 16);

/** Midnight in Singapore at the start of the day of `time`. */
export const startOfDay = (time: number): number => Math.floor((time + OFFSET) / DAY) * DAY - OFFSET;

/** Midnight of the first day of the month `offset` months from that of `time`, in Singapore. */
export function startOfMonth(time: number, offset = 0): number {
  const at = new Date(time + OFFSET);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + offset, 1) - OFFSET;
}

const MAX_CACHED = 16;

/** Caches the last few results: many consecutive rows have the same slot. */
function cached(format: (time: number) => string): (time: number) => string {
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
export const iso = cached((time) => new Date(time).toISOString());

/** The same to the minute without punctuation, as used in ids: `20261115T0145Z`. */
export const compactIso = cached((time) => `${iso(time).slice(0, 16).replaceAll(/[-:]/g, '')}Z`);
