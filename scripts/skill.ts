// Entry point of `npm run skill`: evaluates the forecaster on files of measurements.
import { parseArgs } from 'node:util';
import { CsvError } from '../src/sources/core/rows/table.ts';
import { resultTable } from './skill/print.ts';
import { prepareEvaluation } from './skill/protocol.ts';
import { readSheet } from './skill/read-sheet.ts';
import { replay } from './skill/replay.ts';
import { readSeries } from './skill/series.ts';

const HELP = `npm run skill -- FILE.csv[.gz] [more files] [--value COLUMN] [--json]

Replays measurements through the forecaster, walking forward and never looking ahead, and prints how well it
did next to five simple methods on the same rows. The first 70 % of the time is for learning, the last 30 % is
scored while learning goes on. Four classes by the quartiles of each place's own first part; calm is below its
median (where nothing lies below the median: the lowest value itself).

A file has the columns 'timestamp' (ISO 8601 with its offset) and 'place', and a 'value' or another numeric
column. Other numeric columns, and the text of a weather forecast, are used as weather. Rows with suspect = 1 are
left out; holiday = 1 marks a holiday. Steps of 5 to 60 minutes are recognised from the times.

  --value COLUMN  the column to forecast (default: value, else the first numeric one)
  --json          one JSON object for each file and line instead of tables
  --help          this text
`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { value: { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean' } },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  if (positionals.length === 0) {
    process.stderr.write(`name at least one file\n\n${HELP}`);
    return 2;
  }
  for (const path of positionals) await evaluate(path, values.value, values.json === true);
  return 0;
}

async function evaluate(path: string, valueColumn: string | undefined, json: boolean): Promise<void> {
  const sheet = await readSheet(path);
  try {
    const series = readSeries(sheet, valueColumn);
    const evaluation = prepareEvaluation(series);
    const results = replay(evaluation);
    const { stepMinutes, slots, valueName, exogenousNames } = series;
    const days = Math.round((slots * stepMinutes) / 1440);
    if (json) {
      const description = {
        file: path,
        value: valueName,
        exogenous: exogenousNames,
        step_minutes: stepMinutes,
      };
      process.stdout.write(
        `${JSON.stringify({ ...description, days, places: evaluation.places.length, results })}\n`,
      );
      return;
    }
    const omitted = series.places.length - evaluation.places.length;
    const omittedText = omitted > 0 ? ` (${omitted} left out: too few values in the first part)` : '';
    const withText = exogenousNames.length > 0 ? `, with ${exogenousNames.join(', ')}` : '';
    process.stdout.write(
      `${path}: ${valueName} at ${evaluation.places.length} places${omittedText}, ${days} days of ${stepMinutes} minutes${withText}\n`,
    );
    process.stdout.write(`${resultTable(results)}\n`);
  } catch (error) {
    throw error instanceof CsvError ? new CsvError(`${path}: ${error.message}`) : error;
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  const known = error instanceof CsvError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  if (!known) throw error;
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
