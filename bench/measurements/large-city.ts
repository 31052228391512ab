// The first page of a city of ten thousand pockets, computed and not from a cache.
import { once } from 'node:events';
import { cityDir } from '../../src/registry/city-dir.ts';
import { loadRegistry } from '../../src/registry/load.ts';
import type { Engine } from '../../test/support/stores/store-places.ts';
import { ask, askInstrument, type Bench, newStore, type Size, start } from '../harness.ts';
import type { LargeCity } from '../processes/large-city-service.ts';
import { compare, type Row } from '../results.ts';
import { onEachEngine } from './engines.ts';

const MAX_MS = 100;
const cities: Record<Size, Pick<LargeCity, 'copies' | 'hours'>> = {
  complete: { copies: 555, hours: 24 },
  quick: { copies: 55, hours: 24 },
  smallest: { copies: 1, hours: 1 },
};

export const measureLargeCity = (bench: Bench): Promise<Row[]> =>
  onEachEngine(bench, 'the first page of a large city', (engine, name) => measurePage(bench, engine, name));

async function measurePage(bench: Bench, engine: Engine, name: string): Promise<Row[]> {
  const { copies, hours } = cities[bench.size];
  const store = await newStore(bench, engine);
  const child = start(bench, 'processes/large-city-service.ts', [JSON.stringify({ store, copies, hours })]);
  const [{ url }] = (await once(child, 'message', { signal: bench.signal })) as [{ url: string }];
  const target = { url, process: child };
  const rounds = bench.size === 'smallest' ? 1 : 20;
  const [times, cpu]: [number[], number[]] = [[], []];
  // The first rounds compile the code.
  for (let round = bench.size === 'smallest' ? 0 : -5; round < rounds; round += 1) {
    bench.signal.throwIfAborted();
    await ask(child, 'drop');
    const before = await askInstrument(target, 'cpu time');
    const from = performance.now();
    await (await fetch(url, { signal: bench.signal })).text();
    const took = performance.now() - from;
    const used = ((await askInstrument(target, 'cpu time')) - before) / 1000;
    if (round < 0) continue;
    times.push(took);
    cpu.push(used);
  }
  const pockets = (loadRegistry(cityDir('singapore')).pockets.length * (copies + 1)).toLocaleString('en');
  const limits = times.map(() => MAX_MS);
  return [
    compare(`the first page of ${pockets} pockets, ${name}, uncached / limit`, times, limits, {
      unit: ' ms',
      target: { atMost: 1 },
    }),
    compare(`CPU time of the service for it, ${name} / limit`, cpu, limits, { unit: ' ms' }),
  ];
}
