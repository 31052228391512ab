// Plays the pipeline: told to go, it runs one tick after another, a quarter hour of the future each; told to stop, it
// tells how many. It stays between, warm as a pipeline is that has run for days.
import { parentPort } from 'node:worker_threads';
import { lowerPriority } from '../src/cli/runtime/lower-priority.ts';
import { createPipeline } from '../src/cli/runtime/pipeline-factory.ts';
import { SLOT } from '../src/domain/time/sgt.ts';
import { runDue } from '../src/pipeline/core/run.ts';
import { lastRun } from '../src/store/runtime/job-runs.ts';

const tell = (message: unknown) => (parentPort ? parentPort.postMessage(message) : process.send?.(message));

lowerPriority();
const works = await createPipeline();
let now = (await lastRun(works.store, 'atmosphere')) ?? Date.now();
const tick = async () => {
  now += SLOT;
  const failed = (await runDue(works, now)).find(({ error }) => error);
  if (failed) throw failed.error;
};

let going = false;
const run = async () => {
  going = true;
  tell('ticking');
  let ticks = 0;
  while (going) {
    await tick();
    ticks += 1;
    // Lets the word to stop come in.
    await new Promise(setImmediate);
  }
  tell(ticks);
};
const hear = (message: unknown) => {
  if (message === 'go') void run();
  else going = false;
};
if (parentPort) parentPort.on('message', hear);
else process.on('message', hear).on('disconnect', () => process.exit());
// The first one recalls what the others carry on with.
await tick();
