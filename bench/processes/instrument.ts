// Preloaded into every measured process: reports CPU time and event loop delay, runs ticks beside the service, and ends
// the process when the bench ends.
import { fork } from 'node:child_process';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { isMainThread, Worker } from 'node:worker_threads';
import { heapFlags, resourceLimits } from '../../src/cli/runtime/pipeline-host.ts';

/** Messages from the bench; each gets one reply. */
export type InstrumentCommand =
  | 'cpu time'
  | 'thread cpu time'
  | 'watch loop'
  | 'loop delay'
  | 'start ticks'
  | 'stop ticks';

const LOOP_RESOLUTION_MS = 2;
const tickLoop = new URL('./tick-loop.ts', import.meta.url);
const loopDelay = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });

const handlers: Record<InstrumentCommand, () => unknown> = {
  /** In microseconds, of all threads. */
  'cpu time': () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  /** In microseconds, of the thread that answers requests. */
  'thread cpu time': () => {
    const { user, system } = process.threadCpuUsage();
    return user + system;
  },
  'watch loop': () => {
    loopDelay.reset();
    return loopDelay.enable();
  },
  /** The 99th percentile in milliseconds since `watch loop`. */
  'loop delay': () => {
    loopDelay.disable();
    return Math.max(0, loopDelay.percentile(99) / 1e6 - LOOP_RESOLUTION_MS);
  },
  'start ticks': () => askTickLoop('start'),
  /** The number of ticks since `start ticks`. */
  'stop ticks': () => askTickLoop('stop'),
};

if (isMainThread && process.send) {
  process.on('disconnect', () => process.exit());
  process.on('message', async (command) => {
    const handler = handlers[command as InstrumentCommand];
    if (handler) process.send?.({ value: await handler() });
  });
}

/** Runs where the service runs its pipeline: in a thread with the embedded store, in a process with PostgreSQL. */
const startTickLoop = () =>
  process.env.DATABASE_URL
    ? fork(fileURLToPath(tickLoop), { execArgv: heapFlags })
    : new Worker(tickLoop, { resourceLimits });

let running: ReturnType<typeof startTickLoop> | undefined;

function askTickLoop(message: 'start' | 'stop'): Promise<unknown> {
  running ??= startTickLoop();
  const child = running;
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const onExit = () => reject(new Error('the tick loop ended unexpectedly'));
  child.once('exit', onExit).once('message', (reply) => {
    child.off('exit', onExit);
    resolve(reply);
  });
  if (child instanceof Worker) child.postMessage(message);
  else child.send(message);
  return promise;
}
