import type { Bench } from '../harness.ts';
import { type Row, resultTable } from '../results.ts';
import type { Measurement } from '../run.ts';

const comparisonMeasurement = (
  name: string,
  about: string,
  measureRows: (bench: Bench) => Promise<Row[]>,
): Measurement => ({
  name,
  about,
  measure: async (bench) => resultTable(await measureRows(bench)),
});

/**
 * A new one is a file here, a line of this list and the marks of its table in docs/performance.md. Each is loaded when
 * it runs: `--help` and one measurement need not wait for the modules of all.
 */
export const measurements: readonly Measurement[] = [
  comparisonMeasurement(
    'mcp',
    'tool calls a second, against bare node:http and the official SDK',
    async (bench) => (await import('./mcp.ts')).measureMcp(bench),
  ),
  comparisonMeasurement('rest', 'REST reads a second, against bare node:http', async (bench) =>
    (await import('./rest.ts')).measureRest(bench),
  ),
  comparisonMeasurement(
    'cached-pages',
    'pages from the cache a second, against bare node:http',
    async (bench) => (await import('./cached-pages.ts')).measureCachedPages(bench),
  ),
  comparisonMeasurement(
    'backfill',
    'days of history written a second, against the simulation alone',
    async (bench) => (await import('./backfill.ts')).measureBackfill(bench),
  ),
  comparisonMeasurement(
    'reads',
    'latest readings from the store a second, PostgreSQL against SQLite',
    async (bench) => (await import('./reads.ts')).measureReads(bench),
  ),
  comparisonMeasurement('ticks', 'latency of reads while ticks run, against none', async (bench) =>
    (await import('./ticks.ts')).measureTicks(bench),
  ),
  comparisonMeasurement('heavy', 'latency of light reads beside heavy ones, against none', async (bench) =>
    (await import('./heavy.ts')).measureHeavy(bench),
  ),
  comparisonMeasurement(
    'stream',
    'latency of reads beside a thousand live streams, against none',
    async (bench) => (await import('./stream.ts')).measureStream(bench),
  ),
  comparisonMeasurement('sealing', 'what the ledger takes of a tick', async (bench) =>
    (await import('./sealing.ts')).measureSealing(bench),
  ),
  comparisonMeasurement(
    'proofs',
    'time of a proof in a log of ten million entries, against its limit',
    async (bench) => (await import('./proofs.ts')).measureProofs(bench),
  ),
  comparisonMeasurement(
    'scale',
    'cost of a tick per pocket, in cities of up to ten thousand pockets',
    async (bench) => (await import('./scale.ts')).measureScale(bench),
  ),
  comparisonMeasurement(
    'cluster',
    'slots of ten thousand pockets on PostgreSQL, by several workers against one',
    async (bench) => (await import('./cluster.ts')).measureCluster(bench),
  ),
  comparisonMeasurement(
    'large-city',
    'time of the first page of ten thousand pockets, computed, against its limit',
    async (bench) => (await import('./large-city.ts')).measureLargeCity(bench),
  ),
  {
    name: 'size',
    about: 'bytes of a first history by table, against their limits',
    measure: async (bench) => (await import('./size.ts')).measureSize(bench),
  },
  {
    name: 'pages',
    about: 'bytes, server time and paint of every page',
    measure: async (bench) => (await import('./pages.ts')).measurePages(bench),
  },
  {
    name: 'tokens',
    about: 'what a model reads: lists of tools, and their answers',
    measure: async (bench) => (await import('./tokens.ts')).measureTokens(bench),
  },
];
