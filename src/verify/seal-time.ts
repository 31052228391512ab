import type { Entry } from './entry.ts';

/** A forecast must be sealed before the time it is for. Returns what is wrong, or undefined. */
export function notSealedInTime(type: string, payload: Entry['payload']): string | undefined {
  if (type !== 'prediction' && !('reveal_at' in payload)) return undefined;
  const revealAt = secondsOf(payload.reveal_at);
  if (Number.isNaN(revealAt)) return 'reveal_at is not a time';
  if (type !== 'prediction' || secondsOf(payload.sealed_at) < revealAt) return undefined;
  return 'not sealed before the time it speaks of';
}

const UTC = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,3})?Z$/;
const recent = new Map<string, number>();

/** NaN for anything but a UTC time. Cached, since the rows of one slot share a few times. */
export function secondsOf(value: unknown): number {
  if (typeof value !== 'string') return Number.NaN;
  let seconds = recent.get(value);
  if (seconds === undefined) {
    seconds = UTC.test(value) ? Date.parse(value) / 1000 : Number.NaN;
    if (recent.size === 64) recent.clear();
    recent.set(value, seconds);
  }
  return seconds;
}

/** The first 52 bits of a payload hash: enough to tell rows apart, and exactly representable as a number. */
export function markOf(hash: unknown): number {
  return typeof hash === 'string' && hash.startsWith('sha256:')
    ? Number.parseInt(hash.slice(7, 20), 16)
    : Number.NaN;
}
