// Runs one tick after another, a quarter hour of the future each, until told to stop; then tells how many.
import { parentPort } from 'node:worker_threads';
import { giveWay } from '../src/cli/give-way.ts';
import { wireWorks } from '../src/cli/works.ts';
import { SLOT } from '../src/domain/sgt.ts';
import { runDue } from '../src/pipeline/run.ts';
import { lastRun } from '../src/store/job-runs.ts';

let stopped = false;
const stop = () => {
  stopped = true;
};
parentPort?.once('message', stop);
if (!parentPort) process.once('message', stop).once('disconnect', stop);

const tell = (message: unknown) => (parentPort ? parentPort.postMessage(message) : process.send?.(message));

giveWay();
const works = await wireWorks();
let now = (await lastRun(works.store, 'atmosphere')) ?? Date.now();
const tick = async () => {
  now += SLOT;
  const failed = (await runDue(works, now)).find(({ error }) => error);
  if (failed) throw failed.error;
};

// The first one recalls what the others carry on with.
await tick();
tell('ticking');
let ticks = 0;
while (!stopped) {
  await tick();
  ticks += 1;
  // Lets the word to stop come in.
  await new Promise(setImmediate);
}
await works.store.close();
tell(ticks);
if (!parentPort) process.disconnect();
