// Whether a machine's clock may be believed, measured by the store's own: with PostgreSQL the server's, embedded the
// wall clock, bounded by the time since the machine booted (docs/decisions/034-a-wrong-clock-writes-nothing.md).

import { uptime } from 'node:os';
import { countText } from '../../domain/text/count-text.ts';
import { OperatorError } from '../../domain/text/operator-error.ts';
import { iso, MINUTE, SLOT, slotStart } from '../../domain/time/slot.ts';
import type { Store } from './store.ts';

/** Clocks that a time daemon keeps differ by far less. */
export const MAX_DIFFERENCE_MS = MINUTE;
/** Time daemons ask their servers at least every 1024 s: a step that they take back does not last this long. */
export const STEP_CONFIRMED_MS = 20 * MINUTE;
/** How often an embedded store looks for steps, so that one is confirmed even while nobody asks for the time. */
export const STEP_POLL_MS = 20_000;

/** The clock of this machine is wrong: what it would write cannot be taken back. */
export class ClockError extends OperatorError {}

type Clock = Pick<Store, 'clock'>;

/** Throws a ClockError when `time`, which this machine's clock has just given, is more than a minute off. */
export async function refuseWrongTime(store: Clock, time: number): Promise<void> {
  const storeTime = await store.clock();
  if (Math.abs(time - storeTime) > MAX_DIFFERENCE_MS) throw disagreement(time, storeTime);
}

/**
 * Throws a ClockError when the slot of `time` begins more than a minute after the store's clock, or ended more than a
 * minute before it. Slots are compared, not times: a clock that is two minutes off delays jobs and does not stop them.
 */
export async function refuseWrongSlot(store: Clock, time: number): Promise<void> {
  const storeTime = await store.clock();
  const slot = slotStart(time);
  if (slot > storeTime + MAX_DIFFERENCE_MS || slot + SLOT < storeTime - MAX_DIFFERENCE_MS)
    throw disagreement(time, storeTime);
}

function disagreement(time: number, storeTime: number): ClockError {
  const minutes = Math.round(Math.abs(time - storeTime) / MINUTE);
  const apart = `${countText(minutes, 'minute')} ${time > storeTime ? 'ahead of' : 'behind'}`;
  return new ClockError(
    `${iso(time)} is ${apart} the store's clock (${iso(storeTime)}): nothing is written until the clocks agree; set the clock of this machine`,
  );
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
    if (Math.abs(boot - latest) > MAX_DIFFERENCE_MS) {
      latest = boot;
      latestSince = at;
    }
    if (boot <= believed + MAX_DIFFERENCE_MS || at - latestSince >= STEP_CONFIRMED_MS) believed = boot;
    return Math.round(believed + at);
  };
}
