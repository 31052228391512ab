// What the pipeline tells the process that hosts it, over the channel between threads or processes.
import { parentPort } from 'node:worker_threads';
import type { JobOutcome } from '../../pipeline/core/context.ts';
import type { Publishing } from '../../pipeline/publish/run-publisher.ts';
import type { Figures } from './metrics/figures.ts';

export interface WorkerReport {
  /** The embedded store's file is damaged. */
  damage?: string;
  /** The disk of the store is full: what could not grow. Null: all that was due is written. */
  full?: string | null;
  outcomes?: Pick<JobOutcome, 'job' | 'outcome'>[];
  figures?: Figures;
  /** How far the ledger is published, where it is. */
  published?: Publishing;
}

export function report(message: WorkerReport): void {
  if (parentPort) parentPort.postMessage(message);
  else if (process.connected) process.send?.(message);
}
