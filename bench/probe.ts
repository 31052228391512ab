// Preloaded into every measured process: tells what it costs, plays the pipeline, and goes when the bench goes.
import { fork } from 'node:child_process';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { isMainThread, Worker } from 'node:worker_threads';

/** What the bench may ask for; each has one reply. */
export type Question = 'cpu' | 'watch loop' | 'loop delay' | 'start ticking' | 'stop ticking';

const LOOP_RESOLUTION_MS = 2;
const ticker = new URL('./ticker.ts', import.meta.url);
const delays = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
let stopTicking: () => Promise<unknown> = async () => undefined;

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
  'start ticking': () => startTicking(),
  'stop ticking': () => stopTicking(),
};

if (isMainThread && process.send) {
  process.on('disconnect', () => process.exit());
  process.on('message', async (question) => {
    const answer = answers[question as Question];
    if (answer) process.send?.({ value: await answer() });
  });
}

/** As the service hosts its pipeline: a thread beside the embedded store, a process with PostgreSQL. */
function startTicking() {
  const child = process.env.DATABASE_URL ? fork(fileURLToPath(ticker), { execArgv: [] }) : new Worker(ticker);
  const next = () =>
    new Promise((resolve, reject) => {
      child.once('message', resolve).once('exit', () => reject(new Error('the ticker ended by itself')));
    });
  stopTicking = () => {
    const ticks = next();
    if (child instanceof Worker) child.postMessage('stop');
    else child.send('stop');
    return ticks;
  };
  return next();
}
