import type { Signal, Substrate } from '../../domain/atmosphere/signal.ts';
import type { Registry } from '../../domain/city/city.ts';
import type { Merchants, Source } from '../../sources/source.ts';
import type { Store, Transaction } from '../../store/engine/store.ts';
import type { LedgerLog } from '../../store/ledger/ledger-log.ts';
import type { PipelineState } from './pipeline-state.ts';
import type { PocketForecaster } from './pocket-forecaster.ts';

/** What the pipeline works with, whichever clock drives it. */
export interface PipelineContext {
  store: Store;
  registry: Registry;
  source: Source;
  state: PipelineState;
  ledger: LedgerLog;
  forecaster: PocketForecaster;
  /** Names this worker in the ledger of runs. */
  worker: string;
  /** Brings registry and source up to date with what operators have changed. */
  renew?: () => Promise<void>;
}

/** One slot as a job sees it. All that a job writes goes through `tx`, together with the claim on the slot. */
export interface JobContext extends ApartTick {
  signals: readonly Signal[];
  /** No later slot is waiting: what is told of the present alone is worked out now. */
  newest?: boolean;
  substrate: Substrate;
  /** Where what is sealed goes, with its row. */
  ledger: LedgerLog;
  forecaster: PocketForecaster;
}

/** The same for what is done apart: by what is stored and remembered, and it seals nothing. */
export interface ApartTick {
  tx: Transaction;
  registry: Registry;
  slot: number;
  now: number;
  /** Those of a made-up city, which answer by themselves. */
  merchants?: Merchants | undefined;
  /** Carried from slot to slot. */
  state: PipelineState;
}

export interface Job {
  name: string;
  /** Read in Singapore time; every job falls on a quarter hour. */
  cron: string;
  /** What happens to slots that an outage left behind: skipped, so that the gap stays visible, or run late. */
  late: 'skip' | 'run';
  /** Needs the signals of its slot. */
  observes?: true;
  run?(tick: JobContext): Promise<void>;
  /** Comes after it. No job's `run` waits for this, so another thread may see to it while history is written. */
  apart?(tick: ApartTick): Promise<void>;
}
