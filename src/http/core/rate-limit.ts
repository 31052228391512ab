// Fixed-window rate limits, held in the memory of this process.

/** At most `limit` requests for each key (a client's address) in a window that begins with its first one. 0: no limit. */
export interface Limiter {
  limit: number;
  /** 0 if the request may pass, otherwise the seconds after which it may be tried again. */
  take(key: string, now: number, cost?: number): number;
}

/** Operations and addresses that share a limit are counted by the same limiter. */
export type Limiters = Record<'mcp' | 'legitimacy' | 'submit', Limiter>;

export const WINDOW_SECONDS = 60;
const WINDOW_MS = WINDOW_SECONDS * 1000;
/** Bounds the memory that requests from many addresses can use; past it, the oldest window with requests left is evicted. */
const MAX_KEYS = 50_000;
/** Addresses that have used up their limit are kept apart, so that requests from many others do not free them. */
const MAX_BLOCKED = 1_000_000;

export function createLimiter(limit: number): Limiter {
  const windows = new Map<string, { openedAt: number; used: number }>();
  const blockedUntil = new Map<string, number>();
  return {
    limit,
    take: (key, now, cost = 1) => {
      if (limit === 0) return 0;
      const until = blockedUntil.get(key);
      if (until !== undefined) {
        // A clock that was set back must not block an address for longer than a window.
        if (now < until && until - now <= WINDOW_MS) return secondsUntil(until, now);
        blockedUntil.delete(key);
      }
      let window = windows.get(key);
      if (!window || now - window.openedAt >= WINDOW_MS || now < window.openedAt) {
        windows.delete(key);
        window = { openedAt: now, used: 0 };
        windows.set(key, window);
        if (windows.size > MAX_KEYS) evictOldest(windows);
      }
      if (window.used + cost <= limit) {
        window.used += cost;
        return 0;
      }
      const end = window.openedAt + WINDOW_MS;
      if (window.used >= limit) {
        windows.delete(key);
        blockedUntil.set(key, end);
        if (blockedUntil.size > MAX_BLOCKED) evictOldest(blockedUntil);
      }
      return secondsUntil(end, now);
    },
  };
}

export const secondsUntil = (end: number, now: number): number => Math.max(1, Math.ceil((end - now) / 1000));

export function evictOldest(entries: Map<string, unknown>): void {
  const [oldest] = entries.keys();
  if (oldest !== undefined) entries.delete(oldest);
}
