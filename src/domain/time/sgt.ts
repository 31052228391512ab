/** Singapore time: UTC+8 the year round, so plain arithmetic is exact. Times are epoch milliseconds. */

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const SLOT = 15 * MINUTE;
const OFFSET = 8 * HOUR;

/** The quarter hour that `time` lies in. */
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

/** The midnight that begins the day of `time` in Singapore. */
export const startOfDay = (time: number): number => Math.floor((time + OFFSET) / DAY) * DAY - OFFSET;

/** Midnight of the first day of the month `offset` months from that of `time`, in Singapore. */
export function startOfMonth(time: number, offset = 0): number {
  const at = new Date(time + OFFSET);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + offset, 1) - OFFSET;
}

const MOST_NAMED = 16;

/** A slot is named by many rows in a row: the last few names are kept. */
function naming(name: (time: number) => string): (time: number) => string {
  const named = new Map<number, string>();
  return (time) => {
    let known = named.get(time);
    if (known === undefined) {
      known = name(time);
      if (named.size >= MOST_NAMED) named.clear();
      named.set(time, known);
    }
    return known;
  };
}

/** ISO 8601 in UTC with `Z`, as everything is sent. */
export const iso = naming((time) => new Date(time).toISOString());

/** The same to the minute and without signs, as it stands in ids: `20261115T0145Z`. */
export const compactIso = naming((time) => `${iso(time).slice(0, 16).replaceAll(/[-:]/g, '')}Z`);
