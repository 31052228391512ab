import { type Config, readConfig } from '../../config.ts';
import { historySentence } from '../../domain/text/history-progress.ts';
import { iso } from '../../domain/time/slot.ts';
import { publishLedger } from '../../pipeline/publish/publish-ledger.ts';
import { runDueNow } from '../../pipeline/schedule/run.ts';
import { readHistory } from '../../store/runtime/history.ts';
import { type Command, print, readOptions, say } from '../runtime/command.ts';
import { openLedgerStorage } from '../runtime/ledger/ledger-storage.ts';
import { createPipeline, type Pipeline } from '../runtime/pipeline-factory.ts';

export const tickCommand: Command = {
  usage: `pocketwatch tick [--json]

Runs every job that is due and that no worker has run yet, then exits. For your own scheduler, with PIPELINE=off in the
service. Then publishes the ledger where LEDGER_STORAGE says. Until the simulated history is complete (see "pocketwatch
backfill") it runs nothing.

  --json   print one JSON object for each job`,
  run: async (args) => {
    const { json } = readOptions(args, { json: { type: 'boolean' } });
    const config = readConfig(process.env);
    const pipeline = await createPipeline(config);
    try {
      const history = await readHistory(pipeline.store);
      if (!history.finished) return say(`${historySentence(history)}; nothing was run`);
      const outcomes = await runDueNow(pipeline, Date.now);
      for (const { job, slot, outcome, error } of outcomes) {
        if (json) print(JSON.stringify({ job, slot: iso(slot), outcome }));
        else say(`${job} ${iso(slot)}: ${outcome}`);
        if (error) throw error;
      }
      if (!outcomes.length && !json) say('nothing is due');
      await publish(config, pipeline);
    } finally {
      await pipeline.keepCheckpoint();
      await pipeline.store.close();
    }
  },
};

/** What was run counts in any case: the next run publishes what this one could not. */
async function publish(config: Config, { store }: Pipeline): Promise<void> {
  const { signal } = new AbortController();
  const storage = openLedgerStorage(config, signal);
  if (!storage) return;
  try {
    await storage.prepare();
    await publishLedger({ store, storage, signal });
  } catch (error) {
    say(`the ledger was not published: ${(error as Error).message}`);
  }
}
