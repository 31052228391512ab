import { readConfig } from '../../config.ts';
import { DAY, startOfDay } from '../../domain/time/sgt.ts';
import { backfill, hasHistory, historyStart } from '../../pipeline/backfill/backfill.ts';
import { type Command, readOptions, say, UsageError } from '../runtime/command.ts';
import { createPipeline, type Pipeline } from '../runtime/pipeline-factory.ts';
import { progressBar } from '../runtime/progress.ts';

/** Where history begins: some days ago, or with the previous month. */
export const beginning = (now: number, days: number | undefined): number =>
  days === undefined ? historyStart(now) : startOfDay(now - days * DAY);

export async function writeHistory(works: Pipeline, now: number, days: number | undefined): Promise<boolean> {
  if (await hasHistory(works)) return false;
  await backfill(works, { from: beginning(now, days), now }, progressBar());
  return true;
}

export const backfillCommand: Command = {
  usage: `pocketwatch backfill [--days N]

Writes readings for every quarter hour from the first day of the previous month (Singapore time) until now.
Stopped halfway, it goes on where it stopped. Once history is whole it does nothing: later gaps are real gaps.

  --days N   begin N days ago instead (1-366); default: HISTORY_DAYS`,
  run: async (args) => {
    const { days } = readOptions(args, { days: { type: 'string' } });
    if (days !== undefined && !(/^\d+$/.test(days) && Number(days) >= 1 && Number(days) <= 366)) {
      throw new UsageError('--days must be an integer 1-366');
    }
    const config = readConfig(process.env);
    const works = await createPipeline(config);
    try {
      const wrote = await writeHistory(
        works,
        Date.now(),
        days === undefined ? config.HISTORY_DAYS : Number(days),
      );
      say(wrote ? 'history is whole' : 'history was whole already; nothing written');
    } finally {
      await works.store.close();
    }
  },
};
