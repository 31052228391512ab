import { resolve } from 'node:path';
import { monthNamed } from '../../../domain/time/periods.ts';
import { iso } from '../../../domain/time/slot.ts';
import type { Zone } from '../../../domain/time/zone.ts';
import { archiveLedger } from '../../../pipeline/publish/archive-ledger.ts';
import { folderStorage } from '../../../store/storage/folder-storage.ts';
import { type Command, flag, text, UsageError } from '../../runtime/command.ts';
import { dateAndZone, readAction, report, withOperatorContext } from '../../runtime/operator.ts';
import { type Progress, progressBar } from '../../runtime/terminal/progress.ts';

export const archiveCommand: Command = {
  usage: `pocketwatch archive --before MONTH DIR [--json]

Copies the ledger as it was when MONTH began into the folder DIR, while the service runs: every entry that was written
before, the tiles over them, the last checkpoint before and the key that signed it, as static files. "pocketwatch verify
DIR" checks them without the service, and a web server can serve them. If it is stopped, the next run goes on; a later
MONTH adds to the same DIR. Nothing is removed from the store, and no file is written twice with other bytes.

  --before MONTH   a month such as 2026-11, in the city's time zone; the month before it must be over
  --json           print what was done as JSON`,
  run: async (args) => {
    const { values, given } = readAction(args, { before: text, json: flag }, ['DIR']);
    const before = readMonth(values.before);
    const folder = readFolder(given[0] ?? '');
    await withOperatorContext(async ({ store, zone, now }) => {
      const start = startOfFinished(before, zone, now);
      const { signal } = new AbortController();
      const show = progressBar(copyingSentence);
      const archived = await archiveLedger(
        { store, storage: folderStorage(folder), signal },
        start,
        (done, total) => done < total && show({ finished: false, done, total }),
      );
      const done = { folder, before, entries: archived?.entries ?? 0 };
      if (!archived)
        return report(
          values.json,
          { ...done, written_until: null },
          `nothing was copied: no complete part of the ledger was written before ${dateAndZone(start, zone)}`,
        );
      const { entries, written_until } = archived;
      report(
        values.json,
        { ...done, written_until: iso(written_until) },
        `${folder} has the ledger up to ${dateAndZone(written_until, zone)}: ${entries} entries; pocketwatch verify ${folder} checks them`,
      );
    });
  },
};

const copyingSentence = ({ done, total }: Progress): string =>
  `copying the ledger: ${done} of ${total} entries`;

/** An address would be taken for the name of a folder. */
function readFolder(given: string): string {
  if (/^[a-z0-9]+:\/\//i.test(given)) throw new UsageError(`DIR must be a folder, not an address: ${given}`);
  return resolve(given);
}

function readMonth(before: string | undefined): string {
  if (before === undefined) throw new UsageError('give --before MONTH, such as --before 2026-11');
  if (!/^[0-9]{4}-(0[1-9]|1[0-2])$/.test(before))
    throw new UsageError('--before must be a month such as 2026-11');
  return before;
}

/** The first instant of the month, which must have come. */
function startOfFinished(before: string, zone: Zone, now: number): number {
  const { from } = monthNamed(before, zone);
  if (from > now)
    throw new UsageError(
      `--before ${before}: the month before it is not over in ${zone.name}; --before ${zone.localMonth(now)} is the latest`,
    );
  return from;
}
