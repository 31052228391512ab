// Whether a machine's clock may be believed, measured by the store's own: with PostgreSQL the server's, embedded the
// wall clock, bounded by the time since the machine booted (docs/decisions/034-slots-ahead-of-the-clock-are-refused.md).
import { uptime } from 'node:os';
import { iso, MINUTE } from '../../domain/time/slot.ts';
import type { Store } from './store.ts';

/** Clocks that a time daemon keeps differ by far less. */
export const MAX_AHEAD_MS = MINUTE;
/** Time daemons ask their servers at least every 1024 s: a step that they take back does not last this long. */
export const STEP_CONFIRMED_MS = 20 * MINUTE;
/** How often an embedded store looks for steps, so that one is confirmed even while nobody asks for the time. */
export const STEP_POLL_MS = 20_000;

/** A time of this machine is ahead of the store's clock. */
export class ClockError extends Error {
  override name = 'ClockError';
  constructor(time: number, storeTime: number) {
    const minutes = Math.round((time - storeTime) / MINUTE);
    super(
      `${iso(time)} is ${minutes} minutes ahead of the store's clock (${iso(storeTime)}): nothing is written until the clocks agree; set the clock of this machine`,
    );
  }
}

/** Throws a ClockError when `time` is more than a minute ahead of the store's clock. */
export async function refuseAhead(store: Pick<Store, 'clock'>, time: number): Promise<void> {
  const storeTime = await store.clock();
  if (time > storeTime + MAX_AHEAD_MS) throw new ClockError(time, storeTime);
}

/**
 * The wall clock, except that a step ahead of more than a minute is not believed until it has lasted. `elapsed` counts
 * milliseconds that no step changes. The time since boot also counts while the machine is suspended, which
 * `performance.now()` does not on Linux: waking up is not a step. A step back is believed at once.
 */
export function boundedClock(
  wall: () => number = () => Date.now(),
  elapsed: () => number = () => uptime() * 1000,
): () => number {
  // Wall time at boot: it changes only with a step.
  let believed = wall() - elapsed();
  let latest = believed;
  let latestSince = elapsed();
  return () => {
    const at = elapsed();
    const boot = wall() - at;
    if (Math.abs(boot - latest) > MAX_AHEAD_MS) {
      latest = boot;
      latestSince = at;
    }
    if (boot <= believed + MAX_AHEAD_MS || at - latestSince >= STEP_CONFIRMED_MS) believed = boot;
    return Math.round(believed + at);
  };
}
