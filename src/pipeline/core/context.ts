// What the pipeline, a job and one run of a job work with.

import type { Registry } from '../../domain/city/city.ts';
import type { Signal, Substrate } from '../../domain/signals/signal.ts';
import type { Zone } from '../../domain/time/zone.ts';
import type { Merchants, Source } from '../../sources/source.ts';
import type { Reader, Store, Transaction } from '../../store/engine/store.ts';
import type { LedgerLog } from '../../store/ledger/ledger-log.ts';
import type { Districts } from './districts.ts';
import type { PipelineState } from './pipeline-state.ts';
import type { PocketForecaster } from './pocket-forecaster.ts';
import type { Seal } from './sealed-rows.ts';

/** What the pipeline works with, both on the real clock and in a backfill. */
export interface PipelineContext {
  store: Store;
  registry: Registry;
  source: Source;
  state: PipelineState;
  ledger: LedgerLog;
  forecaster: PocketForecaster;
  /** Those of a large city, which run the jobs that are marked so. */
  districts: Districts;
  /** Identifies this worker where it has claimed a slot. */
  worker: string;
  /** Reloads registry and source when an operator has changed an outlet. */
  reloadOutlets?: () => Promise<void>;
}

/** One slot as a job sees it. All that a job writes goes through `tx`, the transaction of its claim on the slot. */
export interface JobContext {
  tx: Transaction;
  /** The district that the job runs for: its state, its forecaster, and what the registry has of it. */
  district: string;
  registry: Registry;
  /** The city's time zone. */
  zone: Zone;
  slot: number;
  now: number;
  /** Empty unless the job `observes`. */
  signals: readonly Signal[];
  /** No later slot is due: what is served for the present only is computed for this slot alone. */
  newest?: boolean;
  /** Of a job that observes for a district: the mean calm of the whole city a slot before, null without readings. */
  network_calm?: number | null;
  substrate: Substrate;
  /** Only a simulated city has merchants that answer by themselves. */
  merchants?: Merchants | undefined;
  /** What jobs carry from slot to slot. */
  state: PipelineState;
  ledger: LedgerLog;
  /** Seals rows, or hands them over to be sealed. */
  seal: Seal;
  forecaster: PocketForecaster;
}

export interface Job {
  name: string;
  /** On the local clock (cron.ts); every job falls on a quarter hour. */
  cron: string;
  /** What happens to slots missed during an outage: skipped, so that the gap stays visible, or run late. */
  late: 'skip' | 'run';
  /** Needs the signals of its slot. */
  observes?: true;
  /** Each district runs it for itself; else it is run once, for the whole city, when its districts are ready. */
  byDistrict?: true;
  /**
   * Of a job that takes long: reads and computes before the transaction begins, so that no lock is held meanwhile, and
   * returns what is run in it, or in those of all districts. Another worker may prepare the same: what is written must bear
   * that.
   */
  prepare?(store: Reader, slot: number): Promise<(context: JobContext) => Promise<void>>;
  /** The whole job in the transaction. */
  run(context: JobContext): Promise<void>;
}

export interface JobOutcome {
  /** `all`: no job was run, because the clock of this machine is wrong. */
  job: string;
  slot: number;
  /** `elsewhere`: another worker had claimed the slot. */
  outcome: 'ran' | 'elsewhere' | 'failed';
  error?: unknown;
}
