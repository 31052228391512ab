import type { KeyObject } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { Registry } from '../domain/city/city.ts';
import type { StoreSettings } from '../store/engine/open.ts';
import { type LineEnd, lineEnds } from '../store/line.ts';
import { type Behind, writeBehind } from '../store/write-behind.ts';

/** What a thread needs to write history for this one, and to run what jobs do apart. */
export interface HistoryWork {
  settings: StoreSettings;
  signer: { name: string; key: KeyObject };
  registry: Registry;
  seed: string;
}

export function historyThread(work: HistoryWork): Behind {
  const [here, end] = lineEnds();
  const worker = new Worker(new URL('./history-worker.ts', import.meta.url), {
    workerData: { ...work, end } satisfies HistoryWork & { end: LineEnd },
    transferList: [end.port],
  });
  return writeBehind(worker, here);
}
