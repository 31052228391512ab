// Makes the partitions of coming months beside a service whose role owns its tables, so that nobody has to run `pocketwatch
// maintain` for it. Nothing is dropped here. Another role leaves it to the command; a row is written in any case.
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { DAY, SLOT } from '../../domain/time/slot.ts';
import { fullDiskText, type Store } from '../../store/engine/store.ts';
import { gatherStatistics, makeMonths, mayMakeMonths } from '../../store/schema/months.ts';

/** At the start and once a day, until it is stopped; a full disk, of which another line tells, is asked again sooner. */
export async function keepMonths(
  store: Store,
  log: Pick<Logger, 'info' | 'warn'>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    let pause = DAY;
    try {
      if (!(await mayMakeMonths(store))) return;
      const { changed } = await makeMonths(store, await store.clock());
      await gatherStatistics(store, changed.length > 0);
      if (changed.length > 0) log.info({ partitions: changed }, 'coming months have their partitions');
    } catch (err) {
      if (fullDiskText(err) !== undefined) pause = SLOT;
      else log.warn({ err }, 'the partitions of coming months were not made; it is tried again in a day');
    }
    await delay(pause, undefined, { signal }).catch(() => undefined);
  }
}
