import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { generators } from '../../domain/prediction/generators/all.ts';
import { OperatorError } from '../../domain/text/operator-error.ts';
import { folderFetch } from '../../verify/folder-fetch.ts';
import { findLedger, httpFetch } from '../../verify/http-fetch.ts';
import type { FetchBytes } from '../../verify/source.ts';
import { placeText, type Verdict, verifyLedger } from '../../verify/verify-ledger.ts';
import { type Command, flag, parseOptions, print, say, text, UsageError } from '../runtime/command.ts';

export const verifyCommand: Command = {
  usage: `pocketwatch verify BASE_URL|FOLDER [--archive URL|FOLDER] [--since CHECKPOINT_FILE] [--save FILE] [--key KEY]
                   [--json]

Downloads the ledger of a service, rehashes every payload, and checks every row against the signed checkpoint.
Computes scores and verdicts again from what is sealed with them.
Computes accuracy, silence counts, monthly reports and the leaderboard again from the rows, and compares them with what
is served. Compares the tables and rollups beside the log, from which answers are made, with its rows.
Says how many rows were sealed before their outcome and how many were written afterwards.
Of a ledger that was published as files (LEDGER_STORAGE), at the address of a web server or in a FOLDER, checks all that
is in the files: the key's signature, entries, tiles, and what follows from the entries alone.
Of rows that the service has archived it reads the tiles alone, and says so; --archive reads the rows themselves.
Exits with 0 when all of it is valid, with 1 when a row is not (naming the first) or the log cannot be read.

  --archive DIR  where the rows are that the service has archived: a folder, or the address of its files
  --since FILE   a checkpoint that you saved earlier: proves that nothing before it was rewritten
  --save FILE    save the checkpoint that was verified, for the next --since
  --key KEY      the log's key, if you have it from elsewhere, also an earlier one; else the log is asked
  --json         print the verdict as JSON`,
  run: async (args) => {
    const { base, archive, since, save, key, json } = readVerifyArguments(args);
    const { fetch, isStatic } = await openLedger(base);
    const verdict = await verifyLedger({
      generators,
      fetch: isStatic ? filesOnly(fetch) : fetch,
      ...(!isStatic && { api: httpFetch(base, 'api') }),
      ...(archive !== undefined && { archive: (await openLedger(archive)).fetch }),
      ...(since !== undefined && { since: readCheckpoint(since) }),
      ...(key !== undefined && { key }),
    });
    if (json) print(JSON.stringify(verdict));
    if (!verdict.ok) {
      const { code, message, place } = verdict;
      throw new VerifyError(`${placeText(place)}${message} (${code})`);
    }
    if (save !== undefined) writeFileSync(save, verdict.checkpoint);
    if (!json) {
      say(`verified ${verdict.size - unreadRows(verdict)} rows; root ${verdict.root}`);
      for (const line of archivedSentences(verdict)) say(line);
      say(writtenSentence(verdict));
      for (const line of isStatic ? [FILES_SENTENCE] : servedSentences(verdict)) say(line);
      for (const { leaf, endorsed } of verdict.key_changes)
        say(
          `leaf ${leaf}: the key changed, ${endorsed ? 'signed by the old key' : 'not signed by the old key, which was lost'}`,
        );
    }
  },
};

const openLedger = async (base: string): Promise<{ fetch: FetchBytes; isStatic: boolean }> =>
  isAddress(base) ? findLedger(base) : { fetch: folderFetch(base), isStatic: true };

type Verified = Extract<Verdict, { ok: true }>;

const unreadRows = ({ archived }: Verified): number => (archived.read ? 0 : archived.rows);

function archivedSentences({ archived: { rows, place, read } }: Verified): string[] {
  if (rows === 0) return [];
  const where = place === null ? 'by the operator' : `at ${place}`;
  return [
    `the first ${rows} rows are archived ${where}: ${
      read
        ? 'they were read from the archive, and the tables beside the log have no rows of them'
        : 'they were not read, and neither scores nor figures of all time computed again; their hashes are in the signed tree; --archive reads them'
    }`,
  ];
}

function writtenSentence({ entries, sealed_before_outcome, written_afterwards }: Verified): string {
  const { reveal = 0, verdict = 0 } = entries;
  return `${sealed_before_outcome} sealed before their outcome, ${written_afterwards} written afterwards; ${reveal} are reveals and ${verdict} verdicts, which are outcomes`;
}

/** The tables beside the log and the figures are answers of a service, which files do not have. */
const filesOnly =
  (fetch: FetchBytes): FetchBytes =>
  async (path, limit) =>
    path === 'rows' ? undefined : fetch(path, limit);

const FILES_SENTENCE =
  'these are files: what the service answers (accuracy, silence counts, monthly reports, the leaderboard, and the tables and rollups behind them) is not among them and was not compared';

const servedSentences = ({ figures, tables, signals_from }: Verified): string[] => [
  figuresSentence(figures),
  {
    compared: 'the tables and rollups beside the log follow from the rows',
    'compared without rollups':
      'the tables beside the log follow from the rows; the rollups, which are of all rows, were not compared',
    'not served': 'the tables and rollups beside the log were not compared: they are not served',
  }[tables],
  ...(signals_from === null
    ? []
    : [
        `the service keeps raw signals (env_snapshots) from ${signals_from} on: earlier ones were compared only where they are still there`,
      ]),
];

const figuresSentence = (figures: string): string =>
  figures === 'compared'
    ? 'accuracy, silence counts, monthly reports and the leaderboard follow from the rows'
    : `accuracy, silence counts, monthly reports and the leaderboard were not compared: ${figures}`;

class VerifyError extends OperatorError {}

function readVerifyArguments(args: string[]) {
  const { values, positionals } = parseOptions(args, {
    archive: text,
    since: text,
    save: text,
    key: text,
    json: flag,
  });
  const [base, ...rest] = positionals;
  if (base === undefined || rest.length)
    throw new UsageError('give one BASE_URL, such as http://localhost:3000, or a folder');
  const { archive, ...others } = values;
  return {
    base: readPlace(base),
    archive: archive === undefined ? undefined : readPlace(archive),
    ...others,
  };
}

/** An address, or a folder that exists. */
function readPlace(given: string): string {
  if (isAddress(given)) return given;
  const folder = /^file:\/\//.test(given) ? fileURLToPath(given) : given;
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`neither an http address nor a folder: ${given}`);
  return folder;
}

const isAddress = (base: string): boolean => URL.canParse(base) && /^https?:/.test(base);

function readCheckpoint(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`--since ${file}: ${(error as Error).message}`);
  }
}
