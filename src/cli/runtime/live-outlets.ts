import type { Registry } from '../../domain/city/city.ts';
import { applyOutletChanges } from '../../registry/outlets.ts';
import type { Reader } from '../../store/engine/store.ts';
import { outletChanges } from '../../store/merchant/outlet-changes.ts';

/** The registry's files with the operators' changes of outlets applied. */
export class LiveOutlets {
  registry: Registry;
  #lastSeq = 0;

  constructor(files: Registry) {
    this.registry = files;
  }

  /** Applies the changes since the last call; true when there were any. */
  async refresh(store: Reader, warn: (line: string) => void): Promise<boolean> {
    const read = await outletChanges(store, this.#lastSeq);
    // A concurrent call may have applied them meanwhile.
    const changes = read.filter(({ seq }) => seq > this.#lastSeq);
    const newest = changes.at(-1);
    if (!newest) return false;
    this.#lastSeq = newest.seq;
    const { registry, skipped } = applyOutletChanges(this.registry, changes);
    for (const { outlet_id, faults } of skipped)
      warn(`a change of outlet ${outlet_id} does not fit this city and is left out: ${faults.join('; ')}`);
    this.registry = registry;
    return true;
  }
}
