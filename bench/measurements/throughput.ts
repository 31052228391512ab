import { deepStrictEqual } from 'node:assert/strict';
import type { Request, Shot, Volley } from '../load.ts';
import { compare, inRounds, type Row } from '../rows.ts';
import { ask, type Bench, probe, start, type Target } from '../support.ts';

export interface Contender {
  target: Target;
  request: Request;
}

export interface Yardstick extends Contender {
  name: string;
  atLeast?: number;
}

/** Requests a second of the service against each yardstick, and the processor time that a request takes of either. */
export async function compareThroughput(
  bench: Bench,
  what: string,
  service: Contender,
  yardsticks: Yardstick[],
): Promise<Row[]> {
  const expected = await replyTo(service.request);
  for (const { request } of yardsticks) deepStrictEqual(await replyTo(request), expected);

  const load = start(bench, 'load.ts');
  const costs: Record<string, number[]> = {};
  const rateOf =
    (name: string, { target, request }: Contender) =>
    async () => {
      const before = await probe(target, 'cpu');
      const shot: Shot = { ...request, seconds: bench.quick ? 0.6 : 1.2 };
      const { requests, seconds, failed } = await ask<Volley>(load, shot);
      if (failed || !requests) throw new Error(`${name}: ${failed} of ${requests} requests failed`);
      costs[name] ??= [];
      costs[name].push(((await probe(target, 'cpu')) - before) / requests);
      return requests / seconds;
    };
  const rates: Record<string, number[]> = await inRounds(bench, bench.rounds, {
    service: rateOf('service', service),
    ...Object.fromEntries(yardsticks.map((yardstick) => [yardstick.name, rateOf(yardstick.name, yardstick)])),
  });
  return yardsticks.flatMap(({ name, atLeast }) => [
    compare(
      `${what}: requests a second, service / ${name}`,
      rates.service ?? [],
      rates[name] ?? [],
      atLeast === undefined ? {} : { target: { atLeast } },
    ),
    compare(`${what}: processor time a request, ${name} / service`, costs[name] ?? [], costs.service ?? [], {
      unit: ' µs',
    }),
  ]);
}

async function replyTo({ url, ids: _, ...init }: Request): Promise<unknown> {
  const reply = await fetch(url, init as RequestInit);
  return reply.headers.get('content-type')?.includes('json') ? reply.json() : reply.text();
}
