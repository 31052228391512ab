// The worker threads that check bundles (worker.ts is their entry).
import { Worker } from 'node:worker_threads';
import { checkBundle, type Notes, type Part } from './bundle.ts';
import { type FaultCode, type FaultPlace, LedgerFault } from './fault.ts';
import type { KnownGenerators } from './figures/generators.ts';

export type Answer = { notes: Notes } | { fault: { code: FaultCode; message: string; place: FaultPlace } };

export interface Checkers {
  check(part: Part): Promise<Notes>;
  close(): Promise<void>;
}

/** Hashing and parsing rows is nearly all the work, and bundles are independent. With 0 threads it runs on this one. */
export function checkers(threads: number, generators: KnownGenerators): Checkers {
  if (threads === 0) return { check: async (part) => checkBundle(part, generators), close: async () => {} };
  const pool = Array.from({ length: threads }, () => thread(generators));
  let turn = 0;
  return {
    check: (part) => (pool[turn++ % threads] as ReturnType<typeof thread>).ask(part),
    close: async () => {
      await Promise.all(pool.map(({ worker }) => worker.terminate()));
    },
  };
}

/** A worker answers in the order of the requests. */
function thread(generators: KnownGenerators) {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: generators });
  const waiting: { resolve(notes: Notes): void; reject(error: unknown): void }[] = [];
  worker.on('message', (answer: Answer) => {
    const asked = waiting.shift();
    if ('notes' in answer) asked?.resolve(answer.notes);
    else asked?.reject(new LedgerFault(answer.fault.code, answer.fault.message, answer.fault.place));
  });
  let ended: unknown;
  const end = (reason: unknown): void => {
    ended ??= reason;
    for (const { reject } of waiting.splice(0)) reject(ended);
  };
  worker.on('error', end);
  worker.on('exit', () => end(new Error('a thread that reads rows has ended')));
  const ask = (part: Part): Promise<Notes> =>
    new Promise((resolve, reject) => {
      if (ended !== undefined) return reject(ended);
      waiting.push({ resolve, reject });
      worker.postMessage(part);
    });
  return { worker, ask };
}
