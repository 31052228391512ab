import { readConfig } from '../../config.ts';
import { historySentence } from '../../domain/text/history-progress.ts';
import { ensureHistory } from '../../pipeline/backfill/backfill.ts';
import { type Command, readOptions, say, UsageError } from '../runtime/command.ts';
import { createPipeline } from '../runtime/pipeline-factory.ts';
import { progressBar } from '../runtime/terminal/progress.ts';

export const backfillCommand: Command = {
  usage: `pocketwatch backfill [--days N]

Writes the simulated history: every quarter hour from the first day of the previous month (local time) until now.
"pocketwatch serve" does the same in the background. If it is stopped, the next run resumes where it stopped. Once the
history is complete the command does nothing: later gaps are real outages.

  --days N   begin N days ago instead (1-366); default: HISTORY_DAYS`,
  run: async (args) => {
    const { days } = readOptions(args, { days: { type: 'string' } });
    if (days !== undefined && !(/^\d+$/.test(days) && Number(days) >= 1 && Number(days) <= 366)) {
      throw new UsageError('--days must be an integer 1-366');
    }
    const config = readConfig(process.env);
    const pipeline = await createPipeline(config);
    const span = { days: days === undefined ? config.HISTORY_DAYS : Number(days), clock: Date.now };
    try {
      if (!(await ensureHistory(pipeline, span, progressBar(historySentence))))
        say('the simulated history was already complete; nothing was written');
    } finally {
      await pipeline.keepCheckpoint();
      await pipeline.store.close();
    }
  },
};
