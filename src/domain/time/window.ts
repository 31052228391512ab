import { DAY, HOUR } from './sgt.ts';

/** How far back a query looks, by the names that callers use. */
const lengths = {
  '1h': HOUR,
  '6h': 6 * HOUR,
  '24h': DAY,
  '1d': DAY,
  '7d': 7 * DAY,
  '14d': 14 * DAY,
  '30d': 30 * DAY,
  '90d': 90 * DAY,
  all: Number.POSITIVE_INFINITY,
} as const;
export type WindowName = keyof typeof lengths;

/** A window begins after `after` and ends with `until`, both epoch milliseconds. */
export interface Window {
  after: number;
  until: number;
}

export const windowOf = (name: WindowName, now: number): Window => ({
  after: Math.max(0, now - lengths[name]),
  until: now,
});

/** Hours may have a fraction; times are whole milliseconds. */
export const lastHours = (hours: number, now: number): Window => ({
  after: Math.floor(now - hours * HOUR),
  until: now,
});
