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
/** Bounds the memory that requests from many addresses can use; past it, the oldest windows are evicted first. */
const MAX_KEYS = 50_000;

export function createLimiter(limit: number): Limiter {
  const windows = new Map<string, { openedAt: number; used: number }>();
  return {
    limit,
    take: (key, now, cost = 1) => {
      if (limit === 0) return 0;
      let window = windows.get(key);
      if (!window || now - window.openedAt >= WINDOW_MS || now < window.openedAt) {
        windows.delete(key);
        window = { openedAt: now, used: 0 };
        windows.set(key, window);
        if (windows.size > MAX_KEYS) evictOldest(windows);
      }
      if (window.used + cost > limit)
        return Math.max(1, Math.ceil((window.openedAt + WINDOW_MS - now) / 1000));
      window.used += cost;
      return 0;
    },
  };
}

function evictOldest(windows: Map<string, unknown>): void {
  const [oldest] = windows.keys();
  if (oldest !== undefined) windows.delete(oldest);
}
