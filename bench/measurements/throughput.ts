import { deepStrictEqual } from 'node:assert/strict';
import { ask, askInstrument, type Bench, start, type Target } from '../harness.ts';
import type { LoadResult, LoadRun, Request } from '../processes/load-generator.ts';
import { compare, type Row } from '../results.ts';
import { runRounds } from '../rounds.ts';

export interface Subject {
  target: Target;
  request: Request;
}

export interface Baseline extends Subject {
  name: string;
  /** Target for the ratio of requests a second, service to baseline. */
  atLeast?: number;
}

/** Requests a second of the service compared with each baseline, and the CPU time per request of either. */
export async function compareThroughput(
  bench: Bench,
  what: string,
  service: Subject,
  baselines: Baseline[],
): Promise<Row[]> {
  const expected = await replyTo(service.request);
  for (const { request } of baselines) deepStrictEqual(await replyTo(request), expected);

  const generator = start(bench, 'processes/load-generator.ts');
  const cpuTimes: Record<string, number[]> = {};
  const rateOf =
    (name: string, { target, request }: Subject) =>
    async (warmingUp: boolean) => {
      const before = await askInstrument(target, 'cpu time');
      const run: LoadRun = { ...request, seconds: bench.quick ? 0.6 : 1.2 };
      const { requests, seconds, failed } = await ask<LoadResult>(generator, run);
      if (failed || !requests) throw new Error(`${name}: ${failed} of ${requests} requests failed`);
      const cpuTime = ((await askInstrument(target, 'cpu time')) - before) / requests;
      cpuTimes[name] ??= [];
      if (!warmingUp) cpuTimes[name].push(cpuTime);
      return requests / seconds;
    };
  const rates: Record<string, number[]> = await runRounds(bench, bench.rounds, {
    service: rateOf('service', service),
    ...Object.fromEntries(baselines.map((baseline) => [baseline.name, rateOf(baseline.name, baseline)])),
  });
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

async function replyTo({ url, uniqueIds: _, ...init }: Request): Promise<unknown> {
  const reply = await fetch(url, init as RequestInit);
  return reply.headers.get('content-type')?.includes('json') ? reply.json() : reply.text();
}
