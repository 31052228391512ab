// The thread that computes heavy answers and tables, beside the request thread. It only reads the store.
import { parentPort, workerData } from 'node:worker_threads';
import { localAnswers } from '../../http/answers/heavy-answers.ts';
import { serveJobs } from '../../http/heavy/worker-port.ts';
import { operations } from '../../operations/all.ts';
import { openReader } from '../../store/engine/open.ts';
import type { HeavyWorkerData } from './heavy-host.ts';
import { lowerThreadPriority } from './lower-priority.ts';

/** Of PostgreSQL: the queue runs a page and another job at once, and each may ask for several parts at once. */
const READ_CONNECTIONS = 3;

const { settings, ...context } = workerData as HeavyWorkerData;
lowerThreadPriority();
const store = openReader({ ...settings, readConnections: READ_CONNECTIONS });
if (parentPort)
  serveJobs(parentPort, (onWithheld) => localAnswers({ ...context, store, operations }, onWithheld));
