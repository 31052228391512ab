// Computes without a store and without waiting: the signals of so many slots of the simulated city, as often as it is asked.
import { SLOT } from '../../src/domain/time/slot.ts';
import { cityDir } from '../../src/registry/city-dir.ts';
import { loadRegistry } from '../../src/registry/load.ts';
import { simulatedCity } from '../../src/sources/simulated/city.ts';

const source = simulatedCity(loadRegistry(cityDir('singapore')));
const FROM = Date.parse('2026-11-02T00:00:00Z');
const WARM_UP = 500;

const computeSlots = async (slots: number) => {
  for (let n = 0; n < slots; n += 1) await source.observe(FROM + n * SLOT);
};

process.on('message', async (slots: number) => {
  await computeSlots(slots);
  process.send?.('done');
});
process.on('disconnect', () => process.exit());
await computeSlots(WARM_UP);
process.send?.('ready');
