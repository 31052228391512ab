import { readFileSync, writeFileSync } from 'node:fs';
import { generators } from '../../domain/prediction/generators/all.ts';
import { OperatorError } from '../../domain/text/operator-error.ts';
import { httpFetch } from '../../verify/http-fetch.ts';
import { placeText, type Verdict, verifyLedger } from '../../verify/verify-ledger.ts';
import { type Command, flag, parseOptions, print, say, text, UsageError } from '../runtime/command.ts';

export const verifyCommand: Command = {
  usage: `pocketwatch verify BASE_URL [--since CHECKPOINT_FILE] [--save FILE] [--key KEY] [--json]

Downloads the ledger of a service, rehashes every payload, and checks every row against the signed checkpoint.
Computes scores and verdicts again from what is sealed with them.
Computes accuracy, silence counts, monthly reports and the leaderboard again from the rows, and compares them with what
is served. Compares the tables and rollups beside the log, from which answers are made, with its rows.
Says how many rows were sealed before their outcome and how many were written afterwards.
Exits with 0 when all of it is valid, with 1 when a row is not (naming the first) or the log cannot be read.

  --since FILE   a checkpoint that you saved earlier: proves that nothing before it was rewritten
  --save FILE    save the checkpoint that was verified, for the next --since
  --key KEY      the log's key, if you have it from elsewhere, also an earlier one; else the log is asked
  --json         print the verdict as JSON`,
  run: async (args) => {
    const { base, since, save, key, json } = readVerifyArguments(args);
    const verdict = await verifyLedger({
      generators,
      fetch: httpFetch(base),
      api: httpFetch(base, 'api'),
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
      say(`verified ${verdict.size} rows; root ${verdict.root}`);
      say(writtenSentence(verdict));
      say(figuresSentence(verdict.figures));
      say(
        verdict.tables === 'compared'
          ? 'the tables and rollups beside the log follow from the rows'
          : 'the tables and rollups beside the log were not compared: they are not served',
      );
      for (const { leaf, endorsed } of verdict.key_changes)
        say(
          `leaf ${leaf}: the key changed, ${endorsed ? 'signed by the old key' : 'not signed by the old key, which was lost'}`,
        );
    }
  },
};

function writtenSentence({
  entries,
  sealed_before_outcome,
  written_afterwards,
}: Extract<Verdict, { ok: true }>): string {
  const { reveal = 0, verdict = 0 } = entries;
  return `${sealed_before_outcome} sealed before their outcome, ${written_afterwards} written afterwards; ${reveal} are reveals and ${verdict} verdicts, which are outcomes`;
}

const figuresSentence = (figures: string): string =>
  figures === 'compared'
    ? 'accuracy, silence counts, monthly reports and the leaderboard follow from the rows'
    : `accuracy, silence counts, monthly reports and the leaderboard were not compared: ${figures}`;

class VerifyError extends OperatorError {}

function readVerifyArguments(args: string[]) {
  const { values, positionals } = parseOptions(args, { since: text, save: text, key: text, json: flag });
  const [base, ...rest] = positionals;
  if (base === undefined || rest.length)
    throw new UsageError('give one BASE_URL, such as http://localhost:3000');
  if (!URL.canParse(base) || !/^https?:/.test(base)) throw new UsageError(`not an http address: ${base}`);
  return { base, ...values };
}

function readCheckpoint(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`--since ${file}: ${(error as Error).message}`);
  }
}
