// Repeated measurements.
import type { Bench } from './harness.ts';

/**
 * Measures each subject once a round and returns one value for each round. The order rotates, so that no subject always
 * comes first. An extra round before the others warms up and is not counted; the smallest run has none.
 */
export async function runRounds<K extends string>(
  { signal, size }: Pick<Bench, 'signal' | 'size'>,
  rounds: number,
  subjects: Record<K, (warmingUp: boolean) => Promise<number>>,
): Promise<Record<K, number[]>> {
  const names = Object.keys(subjects) as K[];
  const values = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<K, number[]>;
  for (let round = size === 'smallest' ? 1 : 0; round <= rounds; round += 1) {
    const first = round % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      signal.throwIfAborted();
      const value = await subjects[name](round === 0);
      if (round > 0) values[name].push(value);
    }
  }
  return values;
}
