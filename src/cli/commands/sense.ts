import { createReadStream } from 'node:fs';
import {
  MAX_PEOPLE,
  parseSenseReport,
  type SensedCity,
  type SenseReport,
  type SenseReportInput,
  sumBySlot,
} from '../../domain/perception/sense-report.ts';
import { senseWords } from '../../domain/signals/signal.ts';
import { countText } from '../../domain/text/count-text.ts';
import { printable } from '../../domain/text/printable.ts';
import { iso, SLOT } from '../../domain/time/slot.ts';
import { parseSheet } from '../../sources/csv.ts';
import { withOperatorLock } from '../../store/engine/operator-lock.ts';
import { alreadyRecordedSenses, writeOperatorSenses } from '../../store/observation/operator-senses.ts';
import { flag, text, UsageError } from '../runtime/command.ts';
import {
  commandWithActions,
  dateAndClock,
  dateAndZone,
  type OperatorContext,
  readAction,
  report,
  withOperatorContext,
} from '../runtime/operator.ts';

const MOST_BYTES = 1024 * 1024;
const MOST_ROWS = 10_000;
const MOST_FAULTS_SHOWN = 5;

const usage = `pocketwatch sense record --pocket POCKET --word WORD [--at TIME] [--people N] [--again] [--json]
pocketwatch sense import FILE.csv|- [--again] [--json]

Records the word that people on the spot chose for a pocket: how many chose it and when, nothing about any person.
They are counted from the next quarter hour on, once five or more have chosen the same word. What is recorded more than
an hour late is counted only if five or more of the words recorded in the same quarter hour are the same for a pocket
and day. All rows of a file are recorded, or none.

  --word      ${senseWords.join(', ')}
  --at        HH:MM or "YYYY-MM-DD HH:MM" in local time, or ISO 8601 with a zone; default: now
              not in the future, and within the last 7 days; stored as the quarter hour it lies in
  --people    how many chose the word, 1 to ${MAX_PEOPLE}; default: 1
  --again     these are other people than those recorded for the same pocket, word and quarter hour
  --json      print what was recorded as JSON

A file has the columns pocket, word, at and perhaps people, named in its first row, and no others; at most
${MOST_ROWS} rows and 1 MiB; - reads it from standard input. Errors count rows as a spreadsheet does: the first is 1.`;

export const senseCommand = commandWithActions('sense', usage, { record, import: importFile });

async function record(args: string[]): Promise<void> {
  const options = { pocket: text, word: text, at: text, people: text, again: flag, json: flag };
  const { values } = readAction(args, options);
  for (const name of ['pocket', 'word'] as const)
    if (values[name] === undefined) throw new UsageError(`--${name} must be given`);
  await withOperatorContext(async (context) => {
    const { pocket = '', word = '', at = iso(context.now), people = '1' } = values;
    const sense = parseSenseReport({ pocket_id: pocket, word, at, people }, context.now, sensedCity(context));
    if ('fault' in sense) throw new UsageError(sense.fault);
    await recordSenses(context, [sense], values);
  });
}

async function importFile(args: string[]): Promise<void> {
  const { values, given } = readAction(args, { again: flag, json: flag }, [
    'a FILE, or - for standard input',
  ]);
  const [path = '-'] = given;
  const sheet = await readBounded(path);
  await withOperatorContext(async (context) => {
    await recordSenses(
      context,
      readSheet(sheet, context.now, sensedCity(context), values.again === true),
      values,
    );
  });
}

const sensedCity = ({ files, zone }: OperatorContext): SensedCity => ({
  name: files.city.name,
  zone,
  isPocket: (id) => files.pockets.some((pocket) => pocket.id === id),
});

/** The rows of a sheet; throws with all of its faults if there are any. */
export function readSheet(csv: string, now: number, city: SensedCity, again: boolean): SenseReport[] {
  const { columns, rows, numbers } = parseSenseSheet(csv);
  const faults: string[] = [];
  const first = new Map<string, number>();
  const senses = rows.flatMap((cells, i) => {
    const row = numbers[i] ?? 0;
    const cell = (name: string) => (cells[columns.indexOf(name)] ?? '').trim();
    const given: SenseReportInput = {
      pocket_id: cell('pocket'),
      word: cell('word'),
      at: cell('at'),
      people: columns.includes('people') ? cell('people') : '1',
    };
    const sense = parseSenseReport(given, now, city);
    if ('fault' in sense) {
      faults.push(`row ${row}: ${sense.fault}`);
      return [];
    }
    const key = `${sense.pocket_id} ${sense.word} ${sense.at}`;
    const before = first.get(key);
    if (before !== undefined && !again)
      faults.push(
        `row ${row}: the pocket, word and time of row ${before} (--again if these are other people)`,
      );
    else first.set(key, row);
    return [sense];
  });
  if (!faults.length) return senses;
  const rest = faults.length - MOST_FAULTS_SHOWN;
  throw new UsageError(
    [...faults.slice(0, MOST_FAULTS_SHOWN), ...(rest > 0 ? [`and ${rest} more`] : [])].join('; '),
  );
}

function parseSenseSheet(csv: string) {
  const sheet = parseCsv(csv);
  const allowed = ['pocket', 'word', 'at', 'people'];
  const unknown = sheet.columns.find((name) => !allowed.includes(name));
  if (unknown !== undefined)
    throw new UsageError(
      `row 1: unknown column '${printable(unknown)}': only ${allowed.join(', ')} are kept`,
    );
  const missing = allowed.slice(0, 3).find((name) => !sheet.columns.includes(name));
  if (missing) throw new UsageError(`row 1: the column ${missing} is missing`);
  if (new Set(sheet.columns).size < sheet.columns.length)
    throw new UsageError('row 1: a column is named twice');
  if (!sheet.rows.length) throw new UsageError('there is no row below the first');
  if (sheet.rows.length > MOST_ROWS) throw new UsageError(`more than ${MOST_ROWS} rows: split the file`);
  return sheet;
}

function parseCsv(csv: string) {
  try {
    return parseSheet(csv);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

async function recordSenses(
  { store, zone, now }: OperatorContext,
  reports: readonly SenseReport[],
  { again, json }: { again?: boolean | undefined; json?: boolean | undefined },
): Promise<void> {
  const senses = sumBySlot(reports);
  await withOperatorLock(store, async (tx) => {
    const [known] = again ? [] : await alreadyRecordedSenses(tx, senses);
    if (known) {
      const { pocket_id, word, slot, people } = known;
      throw new UsageError(
        `${word} is recorded for ${pocket_id} from ${dateAndClock(slot, zone)} to ${zone.clockWithZone(slot + SLOT)} already (${people}): --again if these are other people`,
      );
    }
    await writeOperatorSenses(tx, senses, now);
  });
  const people = senses.reduce((sum, sense) => sum + sense.people, 0);
  const recorded = senses.map(({ slot, ...sense }) => ({ slot: iso(slot), ...sense }));
  const [only] = senses.length === 1 ? senses : [];
  const what = only
    ? `${only.word} for ${only.pocket_id} from ${dateAndZone(only.slot, zone)}`
    : `${senses.length} words and quarter hours`;
  report(
    json,
    { recorded_at: iso(now), people, recorded },
    `recorded ${countText(people, 'person', 'people')}: ${what}`,
  );
}

async function readBounded(path: string): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of path === '-' ? process.stdin : createReadStream(path)) {
      chunks.push(Buffer.from(chunk));
      size += chunk.length;
      if (size > MOST_BYTES) break;
    }
  } catch (error) {
    throw new UsageError(`${printable(path)} cannot be read: ${(error as Error).message}`);
  }
  if (size > MOST_BYTES) throw new UsageError('the file is larger than 1 MiB: split it');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new UsageError('the file is not UTF-8');
  }
}
