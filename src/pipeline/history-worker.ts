import { workerData } from 'node:worker_threads';
import { signerOf } from '../ledger/key.ts';
import { simulatedCity } from '../sources/simulated/city.ts';
import { openStore } from '../store/engine/open.ts';
import { LogTree } from '../store/ledger/log-tree.ts';
import { Line, type LineEnd } from '../store/line.ts';
import { obey } from '../store/obey.ts';
import type { Answer, Message } from '../store/write-behind.ts';
import { PipelineState } from './core/pipeline-state.ts';
import type { Errand } from './core/run.ts';
import { schedule } from './core/schedule.ts';
import type { HistoryWork } from './history-thread.ts';

const { end, settings, signer, registry, seed } = workerData as HistoryWork & { end: LineEnd };
const { merchants } = simulatedCity(registry, seed);
const jobs = new Map(schedule.map((job) => [job.name, job]));
const state = new PipelineState();

const line = new Line<Message, Answer>(end);
const obeyed = obey(line, openStore(settings), new LogTree(signerOf(signer.name, signer.key)), {
  begin: (tx) => state.recall(tx),
  run: async (tx, errand) => {
    const { job, slot } = errand as Errand;
    await jobs.get(job)?.apart?.({ tx, registry, slot, now: slot, merchants, state });
  },
  // Whoever sent the errands remembers other things, and has written the version.
  end: async (tx) => {
    await state.keep(tx);
    await state.follow(tx);
  },
});
// Whoever waits must not wait for a thread that has given up.
await obeyed.catch((error: unknown) => line.send({ error }));
