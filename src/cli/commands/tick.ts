import { iso } from '../../domain/time/sgt.ts';
import { runDue } from '../../pipeline/core/run.ts';
import { type Command, print, readOptions, say } from '../runtime/command.ts';
import { createPipeline } from '../runtime/pipeline-factory.ts';

export const tickCommand: Command = {
  usage: `pocketwatch tick [--json]

Runs each job whose slot is due and has not run yet, on this or any other worker, then ends.
For a scheduler of your own, with PIPELINE=off in the service.

  --json   print one JSON object for each job`,
  run: async (args) => {
    const { json } = readOptions(args, { json: { type: 'boolean' } });
    const works = await createPipeline();
    try {
      const outcomes = await runDue(works, Date.now());
      for (const { job, slot, outcome, error } of outcomes) {
        if (json) print(JSON.stringify({ job, slot: iso(slot), outcome }));
        else say(`${job} ${iso(slot)}: ${outcome}`);
        if (error) throw error;
      }
      if (!outcomes.length && !json) say('nothing is due');
    } finally {
      await works.store.close();
    }
  },
};
