// Days of simulated history before `NOON`, of the whole city, as the service writes them on its first start.
import { DAY, SLOT } from '../../../src/domain/time/sgt.ts';
import { backfill } from '../../../src/pipeline/backfill/backfill.ts';
import { loadRegistry, singaporeDir } from '../../../src/registry/load.ts';
import type { Store } from '../../../src/store/engine/store.ts';
import { NOON } from '../services/service.ts';
import { freshPipeline } from './fresh-pipeline.ts';

export const writeHistory = (store: Store, days: number): Promise<void> =>
  backfill(freshPipeline(store, loadRegistry(singaporeDir)), { from: NOON - days * DAY + SLOT, now: NOON });
