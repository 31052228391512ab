// The pipeline off the request thread: a worker thread beside the embedded store, a process of its own with PostgreSQL.
// Writes the first history if it is not complete, then runs the scheduler.
import { once } from 'node:events';
import { parentPort } from 'node:worker_threads';
import pino from 'pino';
import { readConfig } from '../../config.ts';
import { iso } from '../../domain/time/slot.ts';
import { ensureHistory } from '../../pipeline/backfill/backfill.ts';
import { runPublisher } from '../../pipeline/publish/run-publisher.ts';
import { runScheduler } from '../../pipeline/schedule/scheduler.ts';
import { fullDiskText } from '../../store/engine/store.ts';
import { throttledStore } from '../../store/engine/throttled-store.ts';
import { runBatches } from '../../store/schema/batches.ts';
import { readFeeds } from './feeds/read-feeds.ts';
import { untilRoom } from './full-disk.ts';
import { keepMonths } from './keep-months.ts';
import { openLedgerStorage } from './ledger/ledger-storage.ts';
import { ignoreWriteFaults, logFile } from './log-sink.ts';
import { lowerPriority } from './lower-priority.ts';
import { startFigures } from './metrics/figures.ts';
import { createPipeline } from './pipeline-factory.ts';
import { inFormat } from './terminal/text-log.ts';
import { report } from './worker-report.ts';

/** How often the host learns what this thread uses, if it serves metrics. */
const FIGURES_MS = 10_000;

const config = readConfig(process.env);
const log = pino(
  { level: config.LOG_LEVEL, name: 'pipeline' },
  inFormat(config.LOG_FORMAT, logFile({ dest: 1 })),
);
ignoreWriteFaults();
const stop = new AbortController();
const waiting = new Set<Waiting>();

const onMessage = (message: unknown) => message === 'stop' && stop.abort();
if (parentPort) parentPort.on('message', onMessage);
else {
  process.on('message', onMessage);
  process.on('disconnect', () => stop.abort());
  // A terminal sends these to the whole process group; the parent sends the message to stop.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
}

const stopFigures = config.METRICS_PORT === undefined ? undefined : reportFigures();
const pipeline = await createPipeline(config);
// Off the request thread: it reads the whole file.
const damage = await pipeline.store.findDamage?.();
if (damage) {
  log.error({ damage }, 'the store is damaged: nothing is written; restore a backup');
  report({ damage });
  await once(stop.signal, 'abort');
  process.exit(0);
}
// At normal priority: users wait for it, and on a busy machine an idle-class thread might never finish.
const span = { days: config.HISTORY_DAYS, clock: Date.now, signal: stop.signal };
await untilRoom(() => ensureHistory(pipeline, span), metFullDisk('history'), stop.signal);
wroteAll('history');
lowerPriority();
if (pipeline.store.engine === 'postgres') pipeline.store = throttledStore(pipeline.store);
const upgrading = untilRoom(
  () => runBatches(pipeline.store, { clock: Date.now, signal: stop.signal }),
  metFullDisk('upgrade'),
  stop.signal,
)
  .then(() => wroteAll('upgrade'))
  .catch((err) => log.error({ err }, 'the changes of the upgrade stopped; they go on with the next start'));
const partitioning =
  pipeline.store.engine === 'postgres' ? keepMonths(pipeline.store, log, stop.signal) : null;
const reading = pipeline.source.substrate === 'live' ? readFeeds(config, pipeline, log, stop.signal) : null;
const storage = openLedgerStorage(config, stop.signal);
const publishing =
  storage &&
  runPublisher({
    ...{ store: pipeline.store, storage, signal: stop.signal, log },
    report: (published) => report({ published }),
  });
await runScheduler(pipeline, Date.now, stop.signal, (outcomes) => {
  // Found by a statement of a job: the thread that answers requests has other connections, and may not have met it.
  if (pipeline.store.damage) report({ damage: pipeline.store.damage });
  report({ outcomes: outcomes.map(({ job, outcome }) => ({ job, outcome })) });
  const full = outcomes.map(({ error }) => fullDiskText(error)).find((detail) => detail !== undefined);
  if (full !== undefined) metFullDisk('jobs')(full);
  else if (outcomes.every(({ outcome }) => outcome !== 'failed')) wroteAll('jobs');
  for (const { job, slot, outcome, error } of outcomes) {
    // The host tells of a full disk, once.
    if (fullDiskText(error) !== undefined) continue;
    const at = { job, slot: iso(slot), outcome };
    if (error) log.error({ ...at, err: error }, 'job failed');
    else log.info(at, 'job');
  }
});
await Promise.all([reading, upgrading, partitioning, publishing]);
await pipeline.store.close();
stopFigures?.();
parentPort?.close();
if (!parentPort) process.disconnect?.();

/** What waits for room on the disk. */
type Waiting = 'history' | 'upgrade' | 'jobs';

function metFullDisk(what: Waiting): (detail: string) => void {
  return (full) => {
    waiting.add(what);
    report({ full });
  };
}

function wroteAll(what: Waiting): void {
  const waited = waiting.delete(what);
  if (stop.signal.aborted || waiting.size > 0) return;
  // Jobs that ran are told in any case: it may have been the worker before this one that met the full disk.
  if (waited || what === 'jobs') report({ full: null });
}

function reportFigures(): () => void {
  const figures = startFigures();
  const send = () => report({ figures: figures.read() });
  send();
  const timer = setInterval(send, FIGURES_MS).unref();
  return () => {
    clearInterval(timer);
    figures.stop();
  };
}
