import type { Registry } from '../../domain/city/city.ts';
import { overlaid } from '../../registry/outlets.ts';
import type { Reader } from '../../store/engine/store.ts';
import { outletChanges } from '../../store/merchant/outlet-changes.ts';

/** The city as its files and the operators' changes have it. */
export class LiveOutlets {
  registry: Registry;
  #seen = 0;

  constructor(files: Registry) {
    this.registry = files;
  }

  /** Reads what was changed since the last look; answers whether anything was. */
  async look(store: Reader, warn: (line: string) => void): Promise<boolean> {
    const read = await outletChanges(store, this.#seen);
    // Another look may have come first.
    const changes = read.filter(({ seq }) => seq > this.#seen);
    const newest = changes.at(-1);
    if (!newest) return false;
    this.#seen = newest.seq;
    const { registry, left_out } = overlaid(this.registry, changes);
    for (const { outlet_id, faults } of left_out)
      warn(`a change of outlet ${outlet_id} does not fit this city and is left out: ${faults.join('; ')}`);
    this.registry = registry;
    return true;
  }
}
