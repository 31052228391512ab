import { historySentence } from '../../domain/text/history-progress.ts';
import { iso } from '../../domain/time/slot.ts';
import { runDueNow } from '../../pipeline/schedule/run.ts';
import { readHistory } from '../../store/runtime/history.ts';
import { type Command, print, readOptions, say } from '../runtime/command.ts';
import { createPipeline } from '../runtime/pipeline-factory.ts';

export const tickCommand: Command = {
  usage: `pocketwatch tick [--json]

Runs every job that is due and that no worker has run yet, then exits. For your own scheduler, with PIPELINE=off in the
service. Until the simulated history is complete (see "pocketwatch backfill") it runs nothing.

  --json   print one JSON object for each job`,
  run: async (args) => {
    const { json } = readOptions(args, { json: { type: 'boolean' } });
    const pipeline = await createPipeline();
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
    } finally {
      await pipeline.keepCheckpoint();
      await pipeline.store.close();
    }
  },
};
