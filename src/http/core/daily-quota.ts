// How much each address may write in a day, held in the memory of this process. A row is for good, so it is counted for
// longer than a request.
import { HttpError } from './errors.ts';
import { evictOldest, secondsUntil } from './rate-limit.ts';

export interface Amount {
  rows: number;
  bytes: number;
}

export interface DailyQuota {
  /** Throws a 429 if the address has too little left. The result gives the amount back, if nothing was written. */
  charge(address: string, now: number, amount: Amount): () => void;
}

const DAY_SECONDS = 86_400;
const DAY_MS = DAY_SECONDS * 1000;
/** Only addresses that write take memory here, and each has to pass the rate limit; past it, the oldest is evicted. */
const MAX_ADDRESSES = 200_000;

interface Day extends Amount {
  openedAt: number;
}

const units = ['rows', 'bytes'] as const;

/** Limits of 0 are off. A day begins with the first write of an address. */
export function createDailyQuota(limits: Amount): DailyQuota {
  const days = new Map<string, Day>();
  return {
    charge: (address, now, amount) => {
      forgetEnded(days, now);
      // A clock that was set back must not block an address for longer than a day.
      const open = days.get(address);
      const day = open && isOpen(open, now) ? open : { openedAt: now, rows: 0, bytes: 0 };
      for (const unit of units)
        if (limits[unit] && day[unit] + amount[unit] > limits[unit])
          throw quotaExceeded(unit, limits[unit], secondsUntil(day.openedAt + DAY_MS, now));
      for (const unit of units) day[unit] += amount[unit];
      if (day !== open) {
        days.delete(address);
        days.set(address, day);
        if (days.size > MAX_ADDRESSES) evictOldest(days);
      }
      return () => {
        for (const unit of units) day[unit] -= amount[unit];
      };
    },
  };
}

const isOpen = ({ openedAt }: Day, now: number): boolean => now >= openedAt && now < openedAt + DAY_MS;

/** The map is in the order in which days began. No address is held in memory for longer than its day and the next write. */
function forgetEnded(days: Map<string, Day>, now: number): void {
  for (const [address, day] of days) {
    if (isOpen(day, now)) break;
    days.delete(address);
  }
}

const quotaExceeded = (unit: keyof Amount, limit: number, retryInSeconds: number): HttpError =>
  new HttpError(429, `quota exceeded: at most ${limit} ${unit} of submissions from an address in a day`, {
    limit,
    window_seconds: DAY_SECONDS,
    retry_in_seconds: retryInSeconds,
  });
