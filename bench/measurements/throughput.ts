// Requests a second of the service compared with servers that send the same reply, and what either spends on a request.
import { deepStrictEqual } from 'node:assert/strict';
import {
  ask,
  askInstrument,
  type Bench,
  type Service,
  startBaseline,
  startClient,
  type Target,
} from '../harness.ts';
import type { LoadResult, LoadRun, Request } from '../processes/load-generator.ts';
import { compare, type Row } from '../results.ts';
import { runRounds } from '../rounds.ts';

export interface Baseline {
  name: string;
  /** Its file in `baselines/`. */
  file: string;
  /** Target for the ratio of requests a second, service to baseline. */
  atLeast?: number;
}

/** How long load is put on a server at a time, in seconds. */
export const loadSeconds = ({ size }: Bench): number => ({ complete: 1.2, quick: 0.6, smallest: 0.1 })[size];

/** The same request to the service and to each baseline, which answers as the service has just done. */
export async function compareThroughput(
  bench: Bench,
  what: string,
  service: Service,
  request: Request,
  baselines: Baseline[],
): Promise<Row[]> {
  const reply = await replyTo(request);
  const generator = startClient(bench, 'load-generator.ts');
  const started = baselines.map(async ({ name, file }): Promise<[string, Target]> => {
    const target = await startBaseline(bench, file, reply);
    deepStrictEqual(await replyTo({ ...request, url: target.url }), reply);
    return [name, target];
  });
  const targets: [string, Target][] = [['service', service], ...(await Promise.all(started))];
  const cpuTimes: Record<string, number[]> = {};
  const rateOf = (name: string, target: Target) => async (warmingUp: boolean) => {
    const before = await askInstrument(target, 'cpu time');
    const url = target === service ? request.url : target.url;
    const run: LoadRun = { ...request, url, seconds: loadSeconds(bench) };
    const { requests, seconds, failed } = await ask<LoadResult>(generator, run);
    if (failed || !requests) throw new Error(`${name}: ${failed} of ${requests} requests failed`);
    const cpuTime = ((await askInstrument(target, 'cpu time')) - before) / requests;
    cpuTimes[name] ??= [];
    if (!warmingUp) cpuTimes[name].push(cpuTime);
    return requests / seconds;
  };
  const rates = await runRounds(
    bench,
    bench.rounds,
    Object.fromEntries(targets.map(([name, target]) => [name, rateOf(name, target)])),
  );
  return baselines.flatMap(({ name, atLeast }) => [
    compare(
      `${what}: requests per second, service / ${name}`,
      rates.service ?? [],
      rates[name] ?? [],
      atLeast === undefined ? {} : { target: { atLeast } },
    ),
    compare(
      `${what}: CPU time per request, ${name} / service`,
      cpuTimes[name] ?? [],
      cpuTimes.service ?? [],
      { unit: ' µs' },
    ),
  ]);
}

/** What JSON says, or the text of a page. */
async function replyTo({ url, uniqueIds: _, ...init }: Request): Promise<object> {
  const reply = await fetch(url, init as RequestInit);
  if (!reply.headers.get('content-type')?.includes('json')) return { text: await reply.text() };
  return (await reply.json()) as object;
}
