import type { Signal, Substrate } from '../../domain/atmosphere/signal.ts';
import type { Registry } from '../../domain/city/city.ts';
import type { Merchants, Source } from '../../sources/source.ts';
import type { Store, Transaction } from '../../store/engine/store.ts';
import type { LedgerLog } from '../../store/ledger/ledger-log.ts';
import type { PipelineState } from './pipeline-state.ts';
import type { PocketForecaster } from './pocket-forecaster.ts';

/** What the pipeline works with, whether the real clock or a backfill drives it. */
export interface PipelineContext {
  store: Store;
  registry: Registry;
  source: Source;
  state: PipelineState;
  ledger: LedgerLog;
  forecaster: PocketForecaster;
  /** Identifies this worker in `job_runs`. */
  worker: string;
  /** Reloads registry and source when an operator has changed an outlet. */
  renew?: () => Promise<void>;
}

/** One slot as a job sees it. All that a job writes goes through `tx`, the transaction of its claim on the slot. */
export interface JobContext {
  tx: Transaction;
  registry: Registry;
  slot: number;
  now: number;
  /** Empty unless the job `observes`. */
  signals: readonly Signal[];
  /** No later slot is waiting: what is only served for the present is computed now. */
  newest?: boolean;
  substrate: Substrate;
  /** Only a simulated city has merchants that answer by themselves. */
  merchants?: Merchants | undefined;
  /** Carried from slot to slot. */
  state: PipelineState;
  /** Where rows are sealed. */
  ledger: LedgerLog;
  forecaster: PocketForecaster;
}

export interface Job {
  name: string;
  /** In Singapore time; every job falls on a quarter hour. */
  cron: string;
  /** What happens to slots missed during an outage: skipped, so that the gap stays visible, or run late. */
  late: 'skip' | 'run';
  /** Needs the signals of its slot. */
  observes?: true;
  run(context: JobContext): Promise<void>;
}
