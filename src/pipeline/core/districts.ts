// The districts of a large city in this process: each with the state, the forecaster and the registry of its pockets.
import type { Registry } from '../../domain/city/city.ts';
import { assignDistricts, WHOLE_CITY } from '../../domain/city/districts.ts';
import type { Source } from '../../sources/source.ts';
import type { Store } from '../../store/engine/store.ts';
import { numberOutlets } from '../../store/rows/outlet-numbers.ts';
import { pocketDistricts, writePocketDistricts } from '../../store/runtime/districts.ts';
import { lockState } from '../../store/runtime/pipeline-state.ts';
import { BlockFile } from './block-file.ts';
import { PipelineState } from './pipeline-state.ts';
import { PocketForecaster } from './pocket-forecaster.ts';

/** What the jobs of a district work with. */
export interface District {
  id: string;
  registry: Registry;
  /** What observes its pockets, where the source can be asked for some. */
  part?: Pick<Source, 'observe'> | undefined;
  state: PipelineState;
  forecaster: PocketForecaster;
  /** The last slot that this process ran a job of it for. */
  ranSlot?: number;
}

/** What districts are made of. */
interface City {
  store: Store;
  registry: Registry;
  source: Source;
}

/** Of the state of all districts together, in memory: a worker may come to run any of them. */
const ENTRIES = 16_000;

export class Districts {
  readonly #most: number | undefined;
  readonly #file: BlockFile;
  #registry: Registry | undefined;
  #source: Source | undefined;
  #districts: readonly District[] = [];

  /** `most`: pockets in a district that is formed here. `file`: what forecasters have no room for in memory. */
  constructor(most?: number, file: BlockFile = new BlockFile()) {
    this.#most = most;
    this.#file = file;
  }

  /**
   * The districts of the city, in the order in which they are sealed; none for a city of one, which needs no more than
   * its own state. Decides which district new pockets are in.
   */
  async load({ store, registry, source }: City): Promise<readonly District[]> {
    if (registry === this.#registry && source === this.#source) return this.#districts;
    const assigned = await this.#assign(store, registry);
    const isOne = assigned.size === 0;
    const before = new Map(this.#districts.map((district) => [district.id, district]));
    const pockets = Map.groupBy(registry.pockets, ({ id }) => assigned.get(id) ?? WHOLE_CITY);
    const outlets = Map.groupBy(registry.outlets, ({ pocket_id }) => assigned.get(pocket_id) ?? WHOLE_CITY);
    this.#districts = isOne
      ? []
      : [...pockets.keys()].sort().map((id) => ({
          id,
          registry: { ...registry, pockets: pockets.get(id) ?? [], outlets: outlets.get(id) ?? [] },
          part: source.part?.(new Set(pockets.get(id)?.map((pocket) => pocket.id))),
          state: before.get(id)?.state ?? new PipelineState({ entries: ENTRIES / pockets.size }, id),
          forecaster: before.get(id)?.forecaster ?? new PocketForecaster(id, this.#file),
        }));
    this.#registry = registry;
    this.#source = source;
    return this.#districts;
  }

  /** The district of each pocket; empty for a city of one. */
  async #assign(store: Store, { pockets, outlets }: Registry): Promise<ReadonlyMap<string, string>> {
    const assign = (known: ReadonlyMap<string, string>) => {
      const assigned = assignDistricts(pockets, known, this.#most);
      return [...assigned.values()].every((district) => district === WHOLE_CITY)
        ? new Map<string, string>()
        : assigned;
    };
    const known = await pocketDistricts(store);
    const assigned = assign(known);
    if (isSame(known, assigned)) return assigned;
    return store.transaction(async (tx) => {
      // Another worker may do the same: the second one finds what the first has decided.
      await lockState(tx, WHOLE_CITY);
      const districts = assign(await pocketDistricts(tx));
      await writePocketDistricts(tx, districts);
      // Else districts that count an outlet for the first time at the same slot would wait for each other.
      await numberOutlets(
        tx,
        outlets.map(({ id }) => id),
      );
      return districts;
    }, 'feeds');
  }
}

const isSame = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean =>
  one.size === other.size && [...one].every(([pocket, district]) => other.get(pocket) === district);
