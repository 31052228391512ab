// Entry point of `npm run bench`: runs the measurements, and prints and writes the table of each as soon as it is there.
import { readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { wholeNumber } from '../scripts/options.ts';
import { startServer } from '../test/support/stores/postgres-server.ts';
import { noPostgres } from '../test/support/stores/store-places.ts';
import type { Size } from './harness.ts';
import { measurements } from './measurements/all.ts';
import { runMeasurements } from './run.ts';
import { plainText, withTable } from './tables.ts';

const usage = `npm run bench [-- OPTION…]

Measures the service and its baselines on this machine, in alternating rounds, and prints how they compare. Each table
is printed as soon as it is measured. One that fails stops no other; the exit code is then 1.

  --only NAME   run one measurement
  --quick       fewer and shorter rounds, on SQLite alone
  --smallest    everything once, to see that it works: the figures mean nothing
  --workers N   how many workers of cluster are compared with one (default: 2)
  --pockets N   how many pockets the city of cluster has (default: 10,000); with this option no slot is run by one
                worker alone, which would take very long in a larger city
  --write       write each table into docs/performance.md as soon as it is measured; not with --quick, --smallest or --pockets
  --help        this text

Measurements:

${measurements.map(({ name, about }) => `  ${name.padEnd(14)}${about}\n`).join('')}`;

const page = join(import.meta.dirname, '../docs/performance.md');
const say = (line: string): void => void process.stderr.write(`${line}\n`);

async function main(): Promise<number> {
  const { values: options } = parseArgs({
    options: {
      help: { type: 'boolean', short: 'h' },
      only: { type: 'string' },
      quick: { type: 'boolean', default: false },
      smallest: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      workers: { type: 'string', default: '2' },
      pockets: { type: 'string' },
    },
  });
  if (options.help) {
    process.stdout.write(usage);
    return 0;
  }
  const selected = measurements.filter(({ name }) => !options.only || name === options.only);
  const size: Size = options.smallest ? 'smallest' : options.quick ? 'quick' : 'complete';
  if (!selected.length || (options.write && (size !== 'complete' || options.pockets))) {
    process.stderr.write(usage);
    return 2;
  }
  const stop = new AbortController();
  let stoppedBy = 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      stoppedBy = 128 + constants.signals[signal];
      stop.abort();
    });
  }
  const server = options.quick ? undefined : await startServer();
  process.env.TEST_DATABASE_URL = server?.url ?? '';
  try {
    const failures = await runMeasurements(selected, {
      size,
      workers: wholeNumber('workers', options.workers),
      ...(options.pockets !== undefined && { pockets: wholeNumber('pockets', options.pockets) }),
      engines: server?.url ? ['sqlite', 'postgres'] : ['sqlite'],
      withoutPostgres: options.quick ? '--quick' : noPostgres,
      signal: stop.signal,
      say,
      onTable: (name, table) => {
        process.stdout.write(`${plainText(table)}\n`);
        if (options.write)
          writeFileSync(page, withTable(readFileSync(page, 'utf8'), name, table, new Date()));
      },
    });
    for (const { name, error } of failures) say(`${name} failed: ${(error as Error).stack ?? error}`);
    return stoppedBy || (failures.length ? 1 : 0);
  } finally {
    await server?.stop();
  }
}

process.exitCode = await main();
