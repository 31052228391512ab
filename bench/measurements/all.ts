import type { Bench } from '../harness.ts';
import { type Row, resultTable } from '../results.ts';
import type { Measurement } from '../run.ts';
import { measureBackfill } from './backfill.ts';
import { measureCachedPages } from './cached-pages.ts';
import { measureCluster } from './cluster.ts';
import { measureHeavy } from './heavy.ts';
import { measureLargeCity } from './large-city.ts';
import { measureMcp } from './mcp.ts';
import { measurePages } from './pages.ts';
import { measureProofs } from './proofs.ts';
import { measureReads } from './reads.ts';
import { measureRest } from './rest.ts';
import { measureScale } from './scale.ts';
import { measureSealing } from './sealing.ts';
import { measureSize } from './size.ts';
import { measureStream } from './stream.ts';
import { measureTicks } from './ticks.ts';
import { measureTokens } from './tokens.ts';

const comparisonMeasurement = (
  name: string,
  about: string,
  measureRows: (bench: Bench) => Promise<Row[]>,
): Measurement => ({
  name,
  about,
  measure: async (bench) => resultTable(await measureRows(bench)),
});

/** A new one is a file here, a line of this list and the marks of its table in docs/performance.md. */
export const measurements: readonly Measurement[] = [
  comparisonMeasurement(
    'mcp',
    'tool calls a second, against bare node:http and the official SDK',
    measureMcp,
  ),
  comparisonMeasurement('rest', 'REST reads a second, against bare node:http', measureRest),
  comparisonMeasurement(
    'cached-pages',
    'pages from the cache a second, against bare node:http',
    measureCachedPages,
  ),
  comparisonMeasurement(
    'backfill',
    'days of history written a second, against the simulation alone',
    measureBackfill,
  ),
  comparisonMeasurement(
    'reads',
    'latest readings from the store a second, PostgreSQL against SQLite',
    measureReads,
  ),
  comparisonMeasurement('ticks', 'latency of reads while ticks run, against none', measureTicks),
  comparisonMeasurement('heavy', 'latency of light reads beside heavy ones, against none', measureHeavy),
  comparisonMeasurement(
    'stream',
    'latency of reads beside a thousand live streams, against none',
    measureStream,
  ),
  comparisonMeasurement('sealing', 'what the ledger takes of a tick', measureSealing),
  comparisonMeasurement(
    'proofs',
    'time of a proof in a log of ten million entries, against its limit',
    measureProofs,
  ),
  comparisonMeasurement(
    'scale',
    'cost of a tick per pocket, in cities of up to ten thousand pockets',
    measureScale,
  ),
  comparisonMeasurement(
    'cluster',
    'slots of ten thousand pockets on PostgreSQL, by several workers against one',
    measureCluster,
  ),
  comparisonMeasurement(
    'large-city',
    'time of the first page of ten thousand pockets, computed, against its limit',
    measureLargeCity,
  ),
  { name: 'size', about: 'bytes of a first history by table, against their limits', measure: measureSize },
  { name: 'pages', about: 'bytes, server time and paint of every page', measure: measurePages },
  { name: 'tokens', about: 'what a model reads: lists of tools, and their answers', measure: measureTokens },
];
