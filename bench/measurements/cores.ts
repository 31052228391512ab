// How much faster this machine computes with several processes than with one, whatever they compute: cores that are
// threads of one core are hardly faster together.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { type Bench, type Size, start } from '../harness.ts';
import { compare, type Row } from '../results.ts';
import { runRounds } from '../rounds.ts';

const ROUNDS = 3;
/** Of all processes together. */
const slots: Record<Size, number> = { complete: 6_000, quick: 2_000, smallest: 4 };

/** The same computing by one process and shared by several: the most that several workers can gain here. */
export async function measureCores(bench: Bench): Promise<Row> {
  const { size, workers } = bench;
  const children = Array.from({ length: workers }, () => start(bench, 'processes/compute.ts'));
  await Promise.all(children.map((child) => once(child, 'message')));
  const { alone = [], together = [] } = await runRounds(bench, size === 'smallest' ? 1 : ROUNDS, {
    alone: () => seconds(children.slice(0, 1), slots[size]),
    together: () => seconds(children, slots[size] / workers),
  });
  for (const child of children) child.disconnect();
  return compare(`computing alone, no store: one process / ${workers}`, alone, together, { unit: ' s' });
}

async function seconds(children: readonly ChildProcess[], each: number): Promise<number> {
  const begin = performance.now();
  await Promise.all(
    children.map((child) => {
      child.send(Math.ceil(each));
      return once(child, 'message');
    }),
  );
  return (performance.now() - begin) / 1000;
}
