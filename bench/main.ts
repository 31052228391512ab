import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, constants } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { borrowServer } from '../test/support/postgres-server.ts';
import { measureBackfill } from './measurements/backfill.ts';
import { measureFirstStart } from './measurements/first-start.ts';
import { measureMcp } from './measurements/mcp.ts';
import { measurePages } from './measurements/pages.ts';
import { measureProofs } from './measurements/proofs.ts';
import { measureReads } from './measurements/reads.ts';
import { measureRest } from './measurements/rest.ts';
import { measureScale } from './measurements/scale.ts';
import { measureTicks } from './measurements/ticks.ts';
import { cellsOf, type Row } from './rows.ts';
import type { Bench } from './support.ts';

/** Everything that is measured, in the order of the table. A new measurement is a file and a line here. */
const measurements: Record<string, (bench: Bench) => Promise<Row[]>> = {
  mcp: measureMcp,
  rest: measureRest,
  pages: measurePages,
  backfill: measureBackfill,
  reads: measureReads,
  ticks: measureTicks,
  'first-start': measureFirstStart,
  proofs: measureProofs,
  scale: measureScale,
};

const usage = `npm run bench [-- OPTION…]

Measures the service against yardsticks on this machine, in turns, and prints how they compare.

  --only NAME   one measurement: ${Object.keys(measurements).join(', ')}
  --quick       fewer and shorter rounds, on SQLite alone
  --write       put the table into docs/performance.md; of a whole run only
`;

const page = join(import.meta.dirname, '../docs/performance.md');
const LONGEST_MS = 30 * 60_000;
const between = /(<!-- bench:begin -->\n).*(<!-- bench:end -->)/s;

const { values: options } = parseArgs({
  options: {
    help: { type: 'boolean', short: 'h' },
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const chosen = Object.entries(measurements).filter(([name]) => !options.only || name === options.only);

if (options.help) process.stdout.write(usage);
else if (!chosen.length || (options.write && (options.only || options.quick))) {
  process.stderr.write(usage);
  process.exitCode = 2;
} else await main();

async function main(): Promise<void> {
  const undo: (() => unknown)[] = [];
  const clear = async () => {
    for (let step = undo.pop(); step; step = undo.pop()) await Promise.try(step).catch(() => undefined);
  };
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      process.exitCode = 128 + constants.signals[signal];
      stop.abort();
    });
  }
  const limit = setTimeout(() => {
    process.stderr.write('The bench takes too long: ended.\n');
    process.exitCode = 1;
    stop.abort();
    void clear();
  }, LONGEST_MS);
  const server = options.quick ? undefined : await borrowServer();
  process.env.TEST_DATABASE_URL = server?.url ?? '';
  const bench: Bench = {
    rounds: options.quick ? 3 : 5,
    quick: options.quick,
    engines: server?.url ? ['sqlite', 'postgres'] : ['sqlite'],
    withoutPostgres: options.quick ? '--quick' : 'no PostgreSQL',
    signal: stop.signal,
    defer: (step) => undo.push(step),
  };
  try {
    const rows: Row[] = [];
    for (const [name, measure] of chosen) {
      process.stderr.write(`${name}…\n`);
      rows.push(...(await measure(bench)));
      await clear();
    }
    process.stdout.write(plain(cellsOf(rows)));
    if (options.write) write(cellsOf(rows));
  } catch (error) {
    // Whoever stops it knows why nothing came of it.
    if (!stop.signal.aborted) throw error;
  } finally {
    clearTimeout(limit);
    await clear();
    await server?.giveBack();
  }
}

function plain(lines: string[][]): string {
  const width = (column: number) => Math.max(...lines.map((line) => line[column]?.length ?? 0));
  const padded = lines.map((line) => line.map((cell, column) => cell.padEnd(width(column))).join('  '));
  return `${padded.map((line) => line.trimEnd()).join('\n')}\n`;
}

function write([head = [], ...body]: string[][]): void {
  const { arch, platform, version } = process;
  const machine = `${availableParallelism()} cores, ${platform} ${arch}, Node ${version}`;
  const about = `Made by \`npm run bench -- --write\` on ${new Date().toISOString().slice(0, 10)} (${machine}).`;
  const table = [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
  const text = readFileSync(page, 'utf8').replace(
    between,
    (_, begin, end) => `${begin}${about}\n\n${table}${end}`,
  );
  writeFileSync(page, text);
}
