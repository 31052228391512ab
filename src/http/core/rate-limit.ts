// Fixed-window rate limits, held in the memory of this process.

/**
 * At most `limit` requests, or units of cost, for each key (a client's address) in a window that begins with its first
 * one. 0: no limit.
 */
export interface Limiter {
  limit: number;
  /** 0 if the request may pass, otherwise the seconds after which it may be tried again. */
  take(key: string, now: number, cost?: number): number;
  /** Counts a cost that is known only afterwards, past the limit if need be: the key is then blocked for this window. */
  charge(key: string, now: number, cost: number): void;
}

/** Operations and addresses that share a limit are counted by the same limiter. */
export type Limiters = Record<'mcp' | 'legitimacy' | 'submit' | 'read', Limiter>;

export const WINDOW_SECONDS = 60;
const WINDOW_MS = WINDOW_SECONDS * 1000;
/** Bounds the memory that requests from many addresses can use; past it, the oldest window with requests left is evicted. */
const MAX_KEYS = 50_000;
/** Addresses that have used up their limit are kept apart, so that requests from many others do not free them. */
const MAX_BLOCKED = 1_000_000;

export function createLimiter(limit: number): Limiter {
  const windows = new Map<string, Window>();
  const blockedUntil = new Map<string, number>();
  /** 0 if the key is not blocked. */
  const blockedFor = (key: string, now: number): number => {
    const until = blockedUntil.get(key);
    if (until === undefined) return 0;
    // A clock that was set back must not block an address for longer than a window.
    if (now < until && until - now <= WINDOW_MS) return secondsUntil(until, now);
    blockedUntil.delete(key);
    return 0;
  };
  const openWindow = (key: string, now: number): Window => {
    const open = windows.get(key);
    if (open && now - open.openedAt < WINDOW_MS && now >= open.openedAt) return open;
    const window = { openedAt: now, used: 0 };
    windows.delete(key);
    windows.set(key, window);
    if (windows.size > MAX_KEYS) evictOldest(windows);
    return window;
  };
  const block = (key: string, until: number) => {
    windows.delete(key);
    blockedUntil.set(key, until);
    if (blockedUntil.size > MAX_BLOCKED) evictOldest(blockedUntil);
  };
  return {
    limit,
    take: (key, now, cost = 1) => {
      if (limit === 0) return 0;
      const blocked = blockedFor(key, now);
      if (blocked) return blocked;
      const window = openWindow(key, now);
      if (window.used + cost <= limit) {
        window.used += cost;
        return 0;
      }
      const end = window.openedAt + WINDOW_MS;
      if (window.used >= limit) block(key, end);
      return secondsUntil(end, now);
    },
    charge: (key, now, cost) => {
      if (limit === 0 || blockedFor(key, now)) return;
      const window = openWindow(key, now);
      window.used += cost;
      if (window.used >= limit) block(key, window.openedAt + WINDOW_MS);
    },
  };
}

interface Window {
  openedAt: number;
  used: number;
}

export const secondsUntil = (end: number, now: number): number => Math.max(1, Math.ceil((end - now) / 1000));

export function evictOldest(entries: Map<string, unknown>): void {
  const [oldest] = entries.keys();
  if (oldest !== undefined) entries.delete(oldest);
}
