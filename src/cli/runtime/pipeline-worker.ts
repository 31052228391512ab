import { parentPort } from 'node:worker_threads';
import pino from 'pino';
import { readConfig } from '../../config.ts';
import { iso } from '../../domain/time/sgt.ts';
import { runScheduler } from '../../pipeline/core/scheduler.ts';
import { lowerPriority } from './lower-priority.ts';
import { createPipeline } from './pipeline-factory.ts';

/** The pipeline off the request thread: a thread beside the embedded store, a process of its own with PostgreSQL. */
const config = readConfig(process.env);
const log = pino({ level: config.LOG_LEVEL, name: 'pipeline' });
const stop = new AbortController();

const onMessage = (message: unknown) => message === 'stop' && stop.abort();
if (parentPort) parentPort.on('message', onMessage);
else {
  process.on('message', onMessage);
  process.on('disconnect', () => stop.abort());
  // A terminal sends these to the whole group; the parent tells us when to stop.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
}

lowerPriority();
const works = await createPipeline(config);
await runScheduler(works, Date.now, stop.signal, (outcomes) => {
  for (const { job, slot, outcome, error } of outcomes) {
    const at = { job, slot: iso(slot), outcome };
    if (error) log.error({ ...at, err: error }, 'job failed');
    else log.info(at, 'job');
  }
});
await works.store.close();
parentPort?.close();
if (!parentPort) process.disconnect?.();
