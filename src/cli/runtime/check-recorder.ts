// Records what the checks of the heartbeat find, once a quarter hour, for the history on the status page. It runs in the
// answering process, so that a pipeline that has stopped is recorded as well.
import { RUN_GRACE } from '../../domain/report/uptime.ts';
import { MINUTE, slotStart } from '../../domain/time/slot.ts';
import type { OperationContext } from '../../operations/core/define.ts';
import { getHeartbeat } from '../../operations/report/get-heartbeat.ts';
import type { Store } from '../../store/engine/store.ts';
import { addCheckResults } from '../../store/runtime/check-days.ts';
import { readHistory } from '../../store/runtime/history.ts';

/**
 * Records the quarter hour whose jobs should have run by now. While the first history is written nothing is due, and
 * nothing is recorded. `last`: the quarter hour that was recorded before; returns the one that is now.
 */
export async function recordChecks(
  context: OperationContext & { store: Store },
  last: number | null,
): Promise<number | null> {
  const { store, now, zone } = context;
  const slot = slotStart(now - RUN_GRACE);
  if (slot === last || !(await readHistory(store)).finished) return last;
  const { structured } = await getHeartbeat.answer({}, context);
  // No cached answer shows these rows.
  await store.transaction(
    (tx) => addCheckResults(tx, zone.startOfDay(slot), slot, structured.checks),
    'feeds',
  );
  return slot;
}

/** Tries every minute, so that a failure of the store costs a quarter hour its record only if it lasts. */
export function startCheckRecorder(
  contextNow: () => OperationContext & { store: Store },
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  let last: number | null = null;
  let running = Promise.resolve();
  const record = async () => {
    try {
      last = await recordChecks(contextNow(), last);
    } catch (error) {
      onError(error);
    }
  };
  const timer = setInterval(() => {
    running = running.then(record);
  }, MINUTE).unref();
  return {
    stop: () => {
      clearInterval(timer);
      return running;
    },
  };
}
