import { resolve } from 'node:path';
import { LEAST_KEPT_DAYS } from '../../../domain/signals/retention.ts';
import { OperatorError } from '../../../domain/text/operator-error.ts';
import { monthNamed } from '../../../domain/time/periods.ts';
import { iso } from '../../../domain/time/slot.ts';
import type { Zone } from '../../../domain/time/zone.ts';
import { TILE_WIDTH } from '../../../ledger/tiles.ts';
import {
  type Archived,
  archiveLedger,
  type Checkpointed,
  lastCompleteCheckpoint,
} from '../../../pipeline/publish/archive-ledger.ts';
import type { Engine } from '../../../store/engine/store.ts';
import { ArchivedError } from '../../../store/ledger/archived.ts';
import { folderStorage } from '../../../store/storage/folder-storage.ts';
import { type Command, flag, say, text, UsageError } from '../../runtime/command.ts';
import {
  checkArchive,
  countRemovable,
  findRemovable,
  removeMonths,
} from '../../runtime/ledger/remove-archived-months.ts';
import { dateAndZone, readAction, report, withOperatorContext } from '../../runtime/operator.ts';
import { type Progress, progressBar } from '../../runtime/terminal/progress.ts';

export const archiveCommand: Command = {
  usage: `pocketwatch archive --before MONTH DIR [--remove [--place URL] [--dry-run]] [--json]

Copies the ledger as it was when MONTH began into the folder DIR, while the service runs: every entry that was written
before, the tiles over them, the last checkpoint before and the key that signed it, as static files. "pocketwatch verify
DIR" checks them without the service, and a web server can serve them. If it is stopped, the next run goes on; a later
MONTH adds to the same DIR. Without --remove nothing is removed from the store, and no file is written twice with other
bytes.

With --remove the files are then verified, and these entries leave the store with the rows of forecasts, outcomes, lines,
silences and verdicts that were made from them, some at a time while the service runs. Tiles, checkpoints, sums, scores and
reports stay, and proofs go on; answers about what has left say where it is. Rows must be ${LEAST_KEPT_DAYS} days old. From then on
DIR is the only copy of these entries that this service has: keep it, keep a copy of it, and give the same DIR every
month. If it is stopped, the next run goes on. On PostgreSQL the role must be allowed to delete from the tables of the
ledger, which the roles of the service need not be.

  --before MONTH   a month such as 2026-11, in the city's time zone; the month before it must be over
  --remove         then remove what was copied from the store
  --place URL      the address at which others can read DIR, which answers name; without one they say that the operator
                   has the archive
  --dry-run        with --remove: say what would be removed, and copy and remove nothing
  --json           print what was done as JSON`,
  run: async (args) => {
    const { values, given } = readAction(
      args,
      { before: text, remove: flag, place: text, 'dry-run': flag, json: flag },
      ['DIR'],
    );
    const before = readMonth(values.before);
    const folder = readFolder(given[0] ?? '');
    const place = readPlace(values.place);
    for (const name of ['place', 'dry-run'] as const)
      if (values[name] !== undefined && !values.remove) throw new UsageError(`--${name} needs --remove`);
    await withOperatorContext(async ({ store, zone, now }) => {
      const start = startOfFinished(before, zone, now);
      const last = await lastCompleteCheckpoint(store, start);
      if (!last)
        return report(
          values.json,
          { folder, before, entries: 0, written_until: null },
          `nothing was copied: no complete part of the ledger was written before ${dateAndZone(start, zone)}`,
        );
      const removable = values.remove ? await findRemovable(store, last.size, zone) : undefined;
      const keptFrom = (rows_from: number) => `rows are kept from ${dateAndZone(rows_from, zone)} on`;
      if (removable && values['dry-run']) {
        const { bundles, rows } = await countRemovable(store, removable);
        const removed = { entries: bundles * TILE_WIDTH, rows };
        return report(
          values.json,
          { folder, before, removed, kept_from: iso(removable.rows_from), dry_run: true },
          `${removed.entries} entries and ${rows} rows would be removed; ${keptFrom(removable.rows_from)}`,
        );
      }
      const { entries, written_until } = await copyEntries(store, folder, last);
      const copied = `${folder} has the ledger up to ${dateAndZone(written_until, zone)}: ${entries} entries; pocketwatch verify ${folder} checks them`;
      const done = { folder, before, entries, written_until: iso(written_until) };
      if (!removable) return report(values.json, done, copied);
      say(copied);
      await checkArchive(store, folder, removable.bundles);
      const show = progressBar(removingSentence);
      const { bundles, rows, bytes, archive } = await removeMonths(store, removable, place, (done, total) =>
        show({ finished: done >= total, done, total }),
      );
      const removed = { entries: bundles * TILE_WIDTH, rows, bytes };
      report(
        values.json,
        { ...done, removed, kept_from: iso(archive.rows_from), place: archive.place },
        `${removed.entries} entries (${(bytes / 1e6).toFixed(1)} MB as stored) and ${rows} rows were removed; ${keptFrom(archive.rows_from)}`,
      );
    });
  },
};

async function copyEntries(store: Engine, folder: string, last: Checkpointed): Promise<Archived> {
  const { signal } = new AbortController();
  const show = progressBar(copyingSentence);
  const storage = folderStorage(folder);
  try {
    return await archiveLedger(
      { store, storage, signal },
      last,
      (done, total) => done < total && show({ finished: false, done, total }),
    );
  } catch (error) {
    if (!(error instanceof ArchivedError)) throw error;
    throw new OperatorError(
      `${folder} does not have the first entries, and the store no longer has them: give the DIR that they were archived in, or a copy of it`,
    );
  }
}

const removingSentence = ({ done, total }: Progress): string =>
  `removing archived entries: ${done * TILE_WIDTH} of ${total * TILE_WIDTH}`;

const copyingSentence = ({ done, total }: Progress): string =>
  `copying the ledger: ${done} of ${total} entries`;

/** Without a path of this machine, a password or a query: it is told to everybody. */
function readPlace(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new UsageError('--place must be an http address such as https://archive.example.org/ledger');
  return url.href.replace(/\/+$/, '');
}

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
