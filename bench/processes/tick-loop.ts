// Stands in for a busy pipeline: between the messages "start" and "stop" it runs one tick after another, each for the
// next quarter hour, and then reports how many. It stays alive in between, so that its code is warm like that of a
// pipeline that has run for days.
import { parentPort } from 'node:worker_threads';
import { lowerPriority } from '../../src/cli/runtime/lower-priority.ts';
import { createPipeline } from '../../src/cli/runtime/pipeline-factory.ts';
import { SLOT } from '../../src/domain/time/slot.ts';
import { runDue } from '../../src/pipeline/schedule/run.ts';
import { throttledStore } from '../../src/store/engine/throttled-store.ts';
import { lastRun } from '../../src/store/runtime/job-runs.ts';
import { ranksLower } from './leave-cores.ts';

const send = (message: unknown) => (parentPort ? parentPort.postMessage(message) : process.send?.(message));

if (ranksLower) lowerPriority();
const pipeline = await createPipeline();
// As src/cli/runtime/pipeline-worker.ts does.
if (pipeline.store.engine === 'postgres') pipeline.store = throttledStore(pipeline.store);
let now = (await lastRun(pipeline.store, 'atmosphere')) ?? Date.now();
const tick = async () => {
  now += SLOT;
  const failed = (await runDue(pipeline, now)).find(({ error }) => error);
  if (failed) throw failed.error;
};

let running = false;
const run = async () => {
  running = true;
  send('started');
  let ticks = 0;
  while (running) {
    await tick();
    ticks += 1;
    // Lets the message "stop" arrive.
    await new Promise(setImmediate);
  }
  send(ticks);
};
const onMessage = (message: unknown) => {
  if (message === 'start') void run();
  else running = false;
};
if (parentPort) parentPort.on('message', onMessage);
else process.on('message', onMessage).on('disconnect', () => process.exit());
// The first tick loads the pipeline's state from the store and is not measured.
await tick();
