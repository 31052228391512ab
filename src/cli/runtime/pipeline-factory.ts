// Wires the pipeline: store, registry, source, state, ledger and forecaster.
import { hostname } from 'node:os';
import { type Config, readConfig } from '../../config.ts';
import type { Registry } from '../../domain/city/city.ts';
import type { Signer } from '../../ledger/key.ts';
import { BlockFile } from '../../pipeline/core/block-file.ts';
import type { PipelineContext } from '../../pipeline/core/context.ts';
import { Districts } from '../../pipeline/core/districts.ts';
import { PipelineState } from '../../pipeline/core/pipeline-state.ts';
import { PocketForecaster } from '../../pipeline/core/pocket-forecaster.ts';
import type { ListForm } from '../../registry/load.ts';
import { openSource, type SourceSettings } from '../../sources/all.ts';
import type { Feed } from '../../sources/core/feed.ts';
import type { Source } from '../../sources/source.ts';
import type { StatementTimeouts } from '../../store/engine/postgres.ts';
import type { Engine, Reader } from '../../store/engine/store.ts';
import { measurementsReceived } from '../../store/feeds/measurements.ts';
import { LedgerLog } from '../../store/ledger/ledger-log.ts';
import { LogTree } from '../../store/ledger/log-tree.ts';
import { say } from './command.ts';
import {
  checkpointKeeper,
  knownCheckpoint,
  refuseLostEntries,
  removeDrafts,
} from './ledger/known-checkpoint.ts';
import { ledgerSigner } from './ledger/ledger-key.ts';
import { LiveOutlets } from './live-outlets.ts';
import { loadConfiguredCity, openUpgradedStore } from './open.ts';

export interface Pipeline extends PipelineContext {
  store: Engine;
  signer: Signer;
  /** The feeds of a live city. */
  feeds: readonly Feed[];
  /** `from`: where changes are read; by default the store. */
  reloadOutlets: (from?: Reader) => Promise<void>;
  /** Keeps the newest checkpoint outside the store; for the process that appends, after its commits. */
  keepCheckpoint: () => Promise<void>;
}

export interface PipelineOptions {
  timeouts?: StatementTimeouts | undefined;
  /** Where signals come from; by default what the city's files and the settings say. */
  open?: (registry: Registry, settings: SourceSettings) => Source;
  /** Changes what the city's files say. */
  adapt?: (registry: Registry) => Registry;
  /** `columns` where only answers are made of it: a job would read every field anew. */
  form?: ListForm;
}

/** Builds the pipeline from the settings; migrates the store first. */
export async function createPipeline(
  config: Config = readConfig(process.env),
  { timeouts, open = openSource, adapt = (registry) => registry, form }: PipelineOptions = {},
): Promise<Pipeline> {
  const { registry, feeds } = loadConfiguredCity(config, form);
  const outlets = new LiveOutlets(adapt(registry));
  const store = await openUpgradedStore(config, timeouts);
  removeDrafts(config.DATA_DIR);
  await refuseLostEntries(store, config.DATA_DIR);
  const signer = await ledgerSigner(config, store);
  await outlets.refresh(store, say);
  const settings: SourceSettings = {
    SEED: config.SEED,
    feeds,
    received: (until, lookback) => measurementsReceived(store, until, lookback),
  };
  const pipeline: Pipeline = {
    store,
    feeds,
    registry: outlets.registry,
    source: open(outlets.registry, settings),
    state: new PipelineState(),
    forecaster: new PocketForecaster(),
    districts: new Districts(undefined, new BlockFile(config.DATA_DIR)),
    ledger: new LedgerLog(new LogTree(signer, () => knownCheckpoint(config.DATA_DIR))),
    signer,
    worker: `${hostname()}:${process.pid}`,
    reloadOutlets: async (from = store) => {
      if (!(await outlets.refresh(from, say))) return;
      pipeline.registry = outlets.registry;
      pipeline.source = open(outlets.registry, settings);
    },
    keepCheckpoint: checkpointKeeper(store, config.DATA_DIR),
  };
  return pipeline;
}
