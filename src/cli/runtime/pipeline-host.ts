// Runs the pipeline beside the service and restarts it when it dies.
import { fork } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { FastifyBaseLogger } from 'fastify';
import type { WorkerReport } from './worker-report.ts';

const file = new URL('./pipeline-worker.ts', import.meta.url);
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** A worker that ran this long was healthy: the pause before its restart is short again. */
const HEALTHY_MS = 5 * 60_000;

/**
 * In megabytes. A slot allocates far more than stays in use: without a limit V8 lets the heap grow to four times what
 * is in use before it collects the old generation, with this limit to one and a half times. What a slot allocates lives
 * as long as its batch: in a larger young generation less of it is taken for what lasts and copied, which thousands of
 * pockets feel.
 */
const heap = { old: 1024, young: 72 };
export const resourceLimits = { maxOldGenerationSizeMb: heap.old, maxYoungGenerationSizeMb: heap.young };
/** The same for a process: the young generation has three semi-spaces. */
export const heapFlags = [`--max-old-space-size=${heap.old}`, `--max-semi-space-size=${heap.young / 3}`];

export interface PipelineHost {
  /** Lets the job under way finish, and tells whether it did within `longestMs`. */
  stop(longestMs: number): Promise<boolean>;
}

interface RunningWorker {
  stop(): void;
  ended: Promise<string>;
}

/** What the host is told of its worker. */
export interface WorkerEvents {
  onReport(report: WorkerReport): void;
  onDeath(): void;
}

/** Keeps one pipeline worker running: restarts it when it dies, after a pause that doubles while it keeps dying. */
export function hostPipeline(
  asThread: boolean,
  log: FastifyBaseLogger,
  { onReport, onDeath }: WorkerEvents,
): PipelineHost {
  let stopping = false;
  let wake: (() => void) | undefined;
  let running: RunningWorker;

  const keepAlive = async () => {
    let pause = FIRST_PAUSE_MS;
    while (!stopping) {
      const began = performance.now();
      running = asThread ? startThread(onReport) : startProcess(onReport);
      const how = await running.ended;
      if (stopping) return;
      if (performance.now() - began > HEALTHY_MS) pause = FIRST_PAUSE_MS;
      onDeath();
      log.error({ how, restartInMs: pause }, 'pipeline worker died');
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, pause).unref();
      });
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    }
  };
  const done = keepAlive();
  return {
    stop: async (longestMs) => {
      stopping = true;
      running.stop();
      wake?.();
      const timer = new AbortController();
      const late = delay(longestMs, false, { signal: timer.signal }).catch(() => false);
      const finished = await Promise.race([done.then(() => true), late]);
      timer.abort();
      return finished;
    },
  };
}

function startThread(onReport: WorkerEvents['onReport']): RunningWorker {
  const worker = new Worker(file, { resourceLimits });
  worker.on('message', onReport);
  const ended = new Promise<string>((resolve) => {
    worker.on('error', (error) => resolve(String(error)));
    worker.on('exit', (code) => resolve(`exit ${code}`));
  });
  return { stop: () => worker.postMessage('stop'), ended };
}

function startProcess(onReport: WorkerEvents['onReport']): RunningWorker {
  const child = fork(fileURLToPath(file), { execArgv: [...process.execArgv, ...heapFlags] });
  child.on('message', (message) => onReport(message as WorkerReport));
  const ended = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(String(error)));
    child.on('exit', (code, signal) => resolve(`exit ${signal ?? code}`));
  });
  return { stop: () => void (child.connected && child.send('stop')), ended };
}
