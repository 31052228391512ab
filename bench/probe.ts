// Preloaded into every measured process: tells what it costs, plays the pipeline, and goes when the bench goes.
import { fork } from 'node:child_process';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { isMainThread, Worker } from 'node:worker_threads';
import { heapFlags, resourceLimits } from '../src/cli/runtime/pipeline-host.ts';

/** What the bench may ask for; each has one reply. */
export type Question = 'cpu' | 'watch loop' | 'loop delay' | 'start ticking' | 'stop ticking';

const LOOP_RESOLUTION_MS = 2;
const ticker = new URL('./ticker.ts', import.meta.url);
const delays = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });

const answers: Record<Question, () => unknown> = {
  cpu: () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  'watch loop': () => {
    delays.reset();
    return delays.enable();
  },
  'loop delay': () => {
    delays.disable();
    return Math.max(0, delays.percentile(99) / 1e6 - LOOP_RESOLUTION_MS);
  },
  'start ticking': () => tellTicker('go'),
  'stop ticking': () => tellTicker('stop'),
};

if (isMainThread && process.send) {
  process.on('disconnect', () => process.exit());
  process.on('message', async (question) => {
    const answer = answers[question as Question];
    if (answer) process.send?.({ value: await answer() });
  });
}

/** As the service hosts its pipeline: a thread beside the embedded store, a process with PostgreSQL. */
const startTicker = () =>
  process.env.DATABASE_URL
    ? fork(fileURLToPath(ticker), { execArgv: heapFlags })
    : new Worker(ticker, { resourceLimits });

let pipeline: ReturnType<typeof startTicker> | undefined;

function tellTicker(message: 'go' | 'stop'): Promise<unknown> {
  pipeline ??= startTicker();
  const child = pipeline;
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const ended = () => reject(new Error('the ticker ended by itself'));
  child.once('exit', ended).once('message', (answer) => {
    child.off('exit', ended);
    resolve(answer);
  });
  if (child instanceof Worker) child.postMessage(message);
  else child.send(message);
  return promise;
}
