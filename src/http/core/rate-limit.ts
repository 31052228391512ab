/** At most `limit` requests for each key in a window that begins with its first request. 0 turns it off. */
export interface Limiter {
  limit: number;
  /** 0 when the request may pass, else the seconds after which it may be tried again. */
  take(key: string, now: number, cost?: number): number;
}

/** The buckets that requests are counted in. */
export type Limiters = Record<'mcp' | 'legitimacy' | 'submit', Limiter>;

export const WINDOW_SECONDS = 60;
const WINDOW = WINDOW_SECONDS * 1000;
/** Bounds what a crowd of addresses can make us remember; past it, the oldest windows are forgotten first. */
const MOST_KEYS = 50_000;

export function createLimiter(limit: number): Limiter {
  const windows = new Map<string, { opened: number; used: number }>();
  return {
    limit,
    take: (key, now, cost = 1) => {
      if (limit === 0) return 0;
      let window = windows.get(key);
      if (!window || now - window.opened >= WINDOW || now < window.opened) {
        windows.delete(key);
        window = { opened: now, used: 0 };
        windows.set(key, window);
        if (windows.size > MOST_KEYS) forgetOldest(windows);
      }
      if (window.used + cost > limit) return Math.max(1, Math.ceil((window.opened + WINDOW - now) / 1000));
      window.used += cost;
      return 0;
    },
  };
}

function forgetOldest(windows: Map<string, unknown>): void {
  const [oldest] = windows.keys();
  if (oldest !== undefined) windows.delete(oldest);
}
