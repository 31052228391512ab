// Entry point of `npm run bench`: runs the measurements one after another and prints or writes the tables of results.
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, constants } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startServer } from '../test/support/stores/postgres-server.ts';
import type { Bench } from './harness.ts';
import { measureBackfill } from './measurements/backfill.ts';
import { measureCachedPages } from './measurements/cached-pages.ts';
import { measureHeavy } from './measurements/heavy.ts';
import { measureMcp } from './measurements/mcp.ts';
import { measurePages } from './measurements/pages.ts';
import { measureProofs } from './measurements/proofs.ts';
import { measureReads } from './measurements/reads.ts';
import { measureRest } from './measurements/rest.ts';
import { measureScale } from './measurements/scale.ts';
import { measureSealing } from './measurements/sealing.ts';
import { measureStream } from './measurements/stream.ts';
import { measureTicks } from './measurements/ticks.ts';
import { measureTokens } from './measurements/tokens.ts';
import { type Row, tableOf } from './results.ts';

/** All measurements, in the order of the table. A new one is a file in `measurements/` and a line here. */
const measurements: Record<string, (bench: Bench) => Promise<Row[]>> = {
  mcp: measureMcp,
  rest: measureRest,
  'cached-pages': measureCachedPages,
  backfill: measureBackfill,
  reads: measureReads,
  ticks: measureTicks,
  heavy: measureHeavy,
  stream: measureStream,
  sealing: measureSealing,
  proofs: measureProofs,
  scale: measureScale,
};
/** Those that have a table of their own, with columns of their own. */
const tables: Record<string, (bench: Bench) => Promise<string[][]>> = {
  pages: measurePages,
  tokens: measureTokens,
};

const usage = `npm run bench [-- OPTION…]

Measures the service and its baselines on this machine, in alternating rounds, and prints how they compare.

  --only NAME   run one measurement: ${[...Object.keys(measurements), ...Object.keys(tables)].join(', ')}
  --quick       fewer and shorter rounds, on SQLite alone
  --write       write the tables into docs/performance.md; complete runs only, or with --only ${Object.keys(tables).join(' or ')}
`;

const page = join(import.meta.dirname, '../docs/performance.md');
const MAX_DURATION_MS = 30 * 60_000;

const { values: options } = parseArgs({
  options: {
    help: { type: 'boolean', short: 'h' },
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const selected = Object.entries(measurements).filter(([name]) => !options.only || name === options.only);
const selectedTables = Object.entries(tables).filter(([name]) => !options.only || name === options.only);
const isPartial = options.quick || (options.only !== undefined && !selectedTables.length);

if (options.help) process.stdout.write(usage);
else if ((!selected.length && !selectedTables.length) || (options.write && isPartial)) {
  process.stderr.write(usage);
  process.exitCode = 2;
} else await main();

async function main(): Promise<void> {
  const cleanUps: (() => unknown)[] = [];
  const cleanUp = async () => {
    for (let step = cleanUps.pop(); step; step = cleanUps.pop())
      await Promise.try(step).catch(() => undefined);
  };
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      process.exitCode = 128 + constants.signals[signal];
      stop.abort();
    });
  }
  const timeout = setTimeout(() => {
    process.stderr.write('The bench took longer than 30 minutes and was stopped.\n');
    process.exitCode = 1;
    stop.abort();
    void cleanUp();
  }, MAX_DURATION_MS);
  const server = options.quick || !selected.length ? undefined : await startServer();
  process.env.TEST_DATABASE_URL = server?.url ?? '';
  const bench: Bench = {
    rounds: options.quick ? 3 : 5,
    quick: options.quick,
    engines: server?.url ? ['sqlite', 'postgres'] : ['sqlite'],
    withoutPostgres: options.quick ? '--quick' : 'no PostgreSQL',
    signal: stop.signal,
    defer: (step) => cleanUps.push(step),
  };
  try {
    const rows: Row[] = [];
    for (const [name, measure] of selected) {
      process.stderr.write(`${name}…\n`);
      rows.push(...(await measure(bench)));
      await cleanUp();
    }
    if (rows.length) show('bench', tableOf(rows));
    for (const [name, measure] of selectedTables) {
      process.stderr.write(`${name}…\n`);
      show(name, await measure(bench));
      await cleanUp();
    }
  } catch (error) {
    // When the bench was stopped from outside, errors of the measurement under way are expected.
    if (!stop.signal.aborted) throw error;
  } finally {
    clearTimeout(timeout);
    await cleanUp();
    await server?.stop();
  }
}

function plainText(lines: string[][]): string {
  const width = (column: number) => Math.max(...lines.map((line) => line[column]?.length ?? 0));
  const padded = lines.map((line) => line.map((cell, column) => cell.padEnd(width(column))).join('  '));
  return `${padded.map((line) => line.trimEnd()).join('\n')}\n`;
}

/** Prints a table, and writes it into its section of the page if that was asked for. */
function show(section: string, lines: string[][]): void {
  process.stdout.write(`${plainText(lines)}\n`);
  if (options.write) writePage(section, lines);
}

function writePage(section: string, [head = [], ...body]: string[][]): void {
  const { arch, platform, version } = process;
  const machine = `${availableParallelism()} cores, ${platform} ${arch}, Node ${version}`;
  const caption = `Written by \`npm run bench -- --write\` on ${new Date().toISOString().slice(0, 10)} (${machine}).`;
  const table = [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
  const between = new RegExp(`(<!-- ${section}:begin -->\\n).*(<!-- ${section}:end -->)`, 's');
  const text = readFileSync(page, 'utf8').replace(
    between,
    (_, begin, end) => `${begin}${caption}\n\n${table}${end}`,
  );
  writeFileSync(page, text);
}
