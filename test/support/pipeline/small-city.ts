// A city of few pockets, small enough for tests that play many histories.
import type { Registry } from '../../../src/domain/city/city.ts';
import { cityDir } from '../../../src/registry/city-dir.ts';
import { loadRegistry } from '../../../src/registry/load.ts';

/** The first pockets, or those with these ids. */
export function smallCity(which: number | readonly string[] = 2): Registry {
  const registry = loadRegistry(cityDir('singapore'));
  const pockets = registry.pockets.filter(({ id }, n) =>
    typeof which === 'number' ? n < which : which.includes(id),
  );
  const ids = new Set(pockets.map(({ id }) => id));
  return { ...registry, pockets, outlets: registry.outlets.filter(({ pocket_id }) => ids.has(pocket_id)) };
}
