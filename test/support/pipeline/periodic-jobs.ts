// What runs on the half hour and in the morning, over whatever rows a test has written.

import type { SenseWord } from '../../../src/domain/atmosphere/signal.ts';
import type { Registry } from '../../../src/domain/city/city.ts';
import { SLOT } from '../../../src/domain/time/sgt.ts';
import type { PipelineContext } from '../../../src/pipeline/core/context.ts';
import { PipelineState } from '../../../src/pipeline/core/pipeline-state.ts';
import { PocketForecaster } from '../../../src/pipeline/core/pocket-forecaster.ts';
import { runJob, transact } from '../../../src/pipeline/core/run.ts';
import { isDue, schedule } from '../../../src/pipeline/core/schedule.ts';
import { simulatedCity } from '../../../src/sources/simulated/city.ts';
import type { Store } from '../../../src/store/engine/store.ts';
import { LedgerLog } from '../../../src/store/ledger/ledger-log.ts';
import { LogTree } from '../../../src/store/ledger/log-tree.ts';
import { city } from '../answers/ask-operation.ts';
import { testSigner } from '../stores/test-key.ts';

export const periodic = schedule.filter(({ name }) =>
  ['live_story', 'equilibrium', 'legitimacy_index'].includes(name),
);

export const worksOf = (store: Store, registry: Registry = city): PipelineContext => ({
  store,
  registry,
  source: simulatedCity(registry),
  state: new PipelineState(),
  forecaster: new PocketForecaster(),
  ledger: new LedgerLog(new LogTree(testSigner)),
  worker: 'test',
});

/** Each looks at nothing after its slot, so that they can be played over a history that is already there. */
export const playPeriodic = (works: PipelineContext, from: number, until: number): Promise<void> =>
  transact(works, until, async (tx) => {
    for (let slot = from; slot <= until; slot += SLOT) {
      for (const job of periodic) {
        if (isDue(job, slot)) await runJob(tx, works, job, { slot, now: slot, signals: [] });
      }
    }
  });

export const writeSenses = (
  store: Store,
  senses: readonly { pocket?: string; slot: number; word: SenseWord; people: number }[],
): Promise<void> =>
  store.transaction((tx) =>
    tx.insert(
      'citizen_senses',
      senses.map(({ pocket = 'tiongbahru', slot, word, people }) => ({
        slot,
        pocket_id: pocket,
        word,
        people,
        source: 'test',
      })),
    ),
  );
