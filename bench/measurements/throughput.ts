// Requests a second of the service compared with servers that send the same reply, and what either spends on a request.
import { deepStrictEqual } from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import {
  ask,
  askInstrument,
  type Bench,
  type Service,
  type Size,
  startBaseline,
  startClient,
  type Target,
} from '../harness.ts';
import type { Load, LoadResult, LoadRun, Request } from '../processes/load-generator.ts';
import { compare, type Row } from '../results.ts';
import { runRounds } from '../rounds.ts';

export interface Baseline {
  name: string;
  /** Its file in `baselines/`. */
  file: string;
  /** Target for the ratio of requests a second, service to baseline. */
  atLeast?: number;
}

/** What is put on a server at a time. In the smallest run a busy machine might not answer once in a given time. */
const loads: Record<Size, Load> = {
  complete: { duration: 1.2 },
  quick: { duration: 0.6 },
  smallest: { amount: 32 },
};

/** Sends the request again and again; the CPU time of a request is that which the server spent, in microseconds. */
export async function putLoad(
  bench: Bench,
  generator: ChildProcess,
  target: Target,
  request: Request,
): Promise<{ perSecond: number; cpuTime: number }> {
  const before = await askInstrument(target, 'cpu time');
  const run: LoadRun = { ...request, load: loads[bench.size] };
  const { requests, seconds, failed } = await ask<LoadResult>(generator, run);
  if (failed || !requests) throw new Error(`${request.url}: ${failed} of ${requests} requests failed`);
  const cpuTime = ((await askInstrument(target, 'cpu time')) - before) / requests;
  return { perSecond: requests / seconds, cpuTime };
}

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
  const measureRate = (name: string, target: Target) => async (warmingUp: boolean) => {
    const url = target === service ? request.url : target.url;
    const { perSecond, cpuTime } = await putLoad(bench, generator, target, { ...request, url });
    cpuTimes[name] ??= [];
    if (!warmingUp) cpuTimes[name].push(cpuTime);
    return perSecond;
  };
  const rates = await runRounds(
    bench,
    bench.rounds,
    Object.fromEntries(targets.map(([name, target]) => [name, measureRate(name, target)])),
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
