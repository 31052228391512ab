// Reads of the service at a fixed rate, alone and beside something else.
import type { ChildProcess } from 'node:child_process';
import { quantile } from '../../scripts/quantiles.ts';
import { ask, type Service } from '../harness.ts';
import type { ReadResult, ReadRun } from '../processes/fixed-rate-reader.ts';

const DISTINCT_URLS = 20_000;

/**
 * Questions about a pocket and some hours. Hardly a URL is repeated, so that answers come from the store and not from a
 * cache.
 */
export const distinctUrls = ({ url, pockets }: Service, path: string, hours: number, query = ''): string[] =>
  Array.from({ length: DISTINCT_URLS }, (_, n) => {
    const pocket = pockets[n % pockets.length];
    return `${url}/api/${path}?pocket=${pocket}&hours=${(hours - n / DISTINCT_URLS).toFixed(5)}${query}`;
  });

/** The latency that all but a hundredth of the reads stay below, and how many reads there were. */
export async function readP99(reader: ChildProcess, run: ReadRun): Promise<{ p99: number; reads: number }> {
  const { latencies, failed } = await ask<ReadResult>(reader, run);
  if (failed) throw new Error(`${failed} of ${latencies.length + failed} reads failed`);
  return { p99: quantile(latencies, 0.99), reads: latencies.length };
}
