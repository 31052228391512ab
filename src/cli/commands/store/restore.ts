import { existsSync, readFileSync } from 'node:fs';
import { readConfig } from '../../../config.ts';
import { readNote } from '../../../ledger/checkpoint.ts';
import { BackupError, storeBackup } from '../../../store/engine/backup.ts';
import { type Command, readOptions, UsageError } from '../../runtime/command.ts';
import { faultOfLog } from '../../runtime/ledger/fault-of-log.ts';
import { forgetCheckpoint, knownCheckpoint, knownNote } from '../../runtime/ledger/known-checkpoint.ts';
import { storeSettings } from '../../runtime/open.ts';
import { readAction, report } from '../../runtime/operator.ts';

const options = { 'accept-loss': { type: 'boolean' }, json: { type: 'boolean' } } as const;

export const restoreCommand: Command = {
  usage: `pocketwatch restore FILE [--accept-loss] [--json]
pocketwatch restore --accept-loss

Puts a copy made by "pocketwatch backup" into an empty DATA_DIR or an empty database (with pg_restore). Put the private
key of the ledger back too. Every entry of the log is checked against the signed tree first, as "pocketwatch verify"
does, and the tables beside the log against its entries: a file that was altered is refused. If FILE is older than the newest checkpoint that DATA_DIR knows, entries that
were published are missing from it. Whatever is refused, nothing is left behind.

  --accept-loss   restore it nevertheless, as long as its log is what its own checkpoint signs, or, without FILE, let
                  the log go on as it is: the known checkpoint is removed. Whoever saved one of the lost checkpoints
                  will see that the log was rewritten.
  --json          print what was done as JSON`,
  run: async (args) => {
    if (args.every((argument) => argument.startsWith('--'))) return acceptLoss(args);
    const { values, given } = readAction(args, options, ['FILE']);
    const [file = ''] = given;
    if (!existsSync(file)) throw new UsageError(`the file ${file} does not exist`);
    const { DATA_DIR, ...config } = readConfig(process.env);
    const accept = values['accept-loss'] ?? false;
    const expected = existsSync(`${file}.checkpoint`)
      ? readFileSync(`${file}.checkpoint`, 'utf8')
      : undefined;
    const known = accept ? undefined : knownCheckpoint(DATA_DIR);
    const entries = expected === undefined ? 0 : readNote(expected).size;
    if (known && entries < known.size)
      throw new BackupError(
        `${file} has ${entries} entries of the log, but ${known.size} were published: give a newer backup, or --accept-loss`,
      );
    const backups = storeBackup(storeSettings({ DATA_DIR, ...config }), process.env);
    await backups.restore(file, async (newest, store) => {
      if (newest !== expected)
        throw new BackupError(`${file}.checkpoint is missing or belongs to another copy than ${file}`);
      const since = accept ? undefined : knownNote(DATA_DIR);
      const fault = await faultOfLog(store, { since, tables: !accept });
      if (fault !== undefined)
        throw new BackupError(`${file} is refused, since its log does not verify: ${fault}`);
    });
    if (accept) await forgetCheckpoint(DATA_DIR);
    report(values.json, { file, entries }, `restored ${file}: a log of ${entries} entries`);
  },
};

async function acceptLoss(args: string[]): Promise<void> {
  const values = readOptions(args, options);
  if (!values['accept-loss']) throw new UsageError('give FILE');
  await forgetCheckpoint(readConfig(process.env).DATA_DIR);
  report(values.json, { forgotten: true }, 'the known checkpoint is removed: the log goes on as it is');
}
