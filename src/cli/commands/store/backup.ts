import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { readConfig } from '../../../config.ts';
import { readNote } from '../../../ledger/checkpoint.ts';
import { storeBackup } from '../../../store/engine/backup.ts';
import { type Command, UsageError } from '../../runtime/command.ts';
import { storeSettings } from '../../runtime/open.ts';
import { readAction, report } from '../../runtime/operator.ts';

export const backupCommand: Command = {
  usage: `pocketwatch backup FILE [--json]

Copies the whole store into FILE while the service runs, and the newest checkpoint of the copy into FILE.checkpoint.
With PostgreSQL it runs pg_dump. The private key of the ledger (ledger.key or LEDGER_KEY) is not in the copy: keep it
elsewhere, since the log cannot go on without it.

  --json   print what was written as JSON`,
  run: async (args) => {
    const { values, given } = readAction(args, { json: { type: 'boolean' } }, ['FILE']);
    const [file = ''] = given;
    const noteFile = `${file}.checkpoint`;
    for (const used of [file, noteFile])
      if (existsSync(used)) throw new UsageError(`${used} already exists; give another name`);
    if (!statSync(dirname(file), { throwIfNoEntry: false })?.isDirectory())
      throw new UsageError(`the folder ${dirname(file)} does not exist`);
    const note = await storeBackup(storeSettings(readConfig(process.env)), process.env).backup(file);
    if (note !== undefined) writeNote(file, noteFile, note);
    const entries = note === undefined ? 0 : readNote(note).size;
    report(values.json, { file, entries }, `wrote ${file}: a log of ${entries} entries and all other tables`);
  },
};

/** Both files or none, such as on a disk that has room for the copy alone. */
function writeNote(file: string, noteFile: string, note: string): void {
  try {
    writeFileSync(noteFile, note);
  } catch (error) {
    for (const written of [file, noteFile]) rmSync(written, { force: true });
    throw error;
  }
}
