// Which pockets have been read anew: looked up once for all streams, when the revision of the store has changed.
import { HOUR } from '../../../domain/time/slot.ts';
import { StoreError } from '../../../store/engine/store.ts';
import { pocketsReadWithin } from '../../../store/observation/readings.ts';
import type { AppContext } from '../../answers/app-context.ts';

const RETRY_MS = 1_000;

export interface PocketUpdates {
  /** The listener gets the ids of the pockets that have a new reading, until the returned function is called. */
  subscribe(listener: (pockets: ReadonlySet<string>) => void): () => void;
  stop(): void;
}

/** `onUpdates` is called once after all listeners have been. Nothing is read while there are none. */
export function watchPockets(
  { store, dataVersion }: Pick<AppContext, 'store' | 'dataVersion'>,
  onUpdates: () => void,
  onError: (error: unknown) => void,
): PocketUpdates {
  const listeners = new Set<(pockets: ReadonlySet<string>) => void>();
  let told = dataVersion.newestReading();
  let reading = false;
  let retry: NodeJS.Timeout | undefined;

  const refresh = async (): Promise<void> => {
    const newest = dataVersion.newestReading();
    if (reading || newest === null || newest === told) return;
    // The first history is written on a virtual clock: nothing of it happens now.
    if (!dataVersion.history().finished) return;
    if (!listeners.size || (told !== null && newest < told)) {
      // Nobody listens, or this is another store.
      told = newest;
      return;
    }
    reading = true;
    clearTimeout(retry);
    try {
      // What was read longer ago has been replaced, or is not current any more.
      const pockets = new Set(await pocketsReadWithin(store, Math.max(told ?? 0, newest - HOUR), newest));
      told = newest;
      for (const listener of listeners) listener(pockets);
      onUpdates();
    } catch (error) {
      if (!(error instanceof StoreError)) onError(error);
      retry = setTimeout(refresh, RETRY_MS).unref();
    } finally {
      reading = false;
    }
    // Another slot may have been committed meanwhile.
    if (told === newest) await refresh();
  };
  const unsubscribe = dataVersion.subscribe(() => void refresh());

  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop: () => {
      clearTimeout(retry);
      unsubscribe();
      listeners.clear();
    },
  };
}
