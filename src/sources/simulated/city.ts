import type { Registry } from '../../domain/city/city.ts';
import type { Signal } from '../../domain/signals/signal.ts';
import { slotStart } from '../../domain/time/slot.ts';
import { cityZone } from '../../domain/time/zone.ts';
import type { Source } from '../source.ts';
import { dayNumbers } from './calendar.ts';
import { simulateMerchants, withVisitors } from './merchants.ts';
import { alwaysOnTime, deliveries } from './outages.ts';
import { type Habits, outletHabits } from './outlets.ts';
import { hashText } from './random/random.ts';
import { reportSignals } from './report.ts';
import { createSites, type Site } from './sites.ts';
import { createCityState } from './state.ts';

/**
 * What a site has had in its last slots takes 5 KB in memory, or an eighth of a millisecond to compute again: the parts of
 * a city of more sites compute it at each slot.
 */
const MOST_REMEMBERED = 20_000;

export interface SimulatedCity extends Source {
  signalsAt(slot: number): Signal[];
}

/**
 * The simulated city: a pure function of seed, place and time. Slots may be asked for in any order, so a history
 * written in one go and a live service agree on every slot. Without `dropouts` every measurement arrives on time, and
 * is the same as with them.
 */
export function simulatedCity(
  registry: Registry,
  seed: string = registry.city.seed,
  { dropouts = true } = {},
): SimulatedCity {
  // A process that only answers observes nothing.
  const city = once(() => ({
    sites: createSites(registry.pockets, seed),
    habits: Map.groupBy(
      registry.outlets.filter(({ active }) => active),
      ({ pocket_id }) => pocket_id,
    ),
  }));
  const days = dayNumbers(registry.holidays);
  const arrivals = dropouts ? deliveries : alwaysOnTime;

  /** No site depends on another, so that some are observed as all of them are. */
  const observeSites = (observed: Site[]): ((slot: number) => Signal[]) => {
    const outlets = observed.map(({ id }): Habits[] =>
      (city().habits.get(id) ?? []).map((outlet) => outletHabits(outlet, seed)),
    );
    const state = createCityState(observed, days, cityZone(registry.city), hashText(`${seed}/city`));
    return (slot) =>
      observed.flatMap((site, i) =>
        reportSignals(site, i, outlets[i] ?? [], state, slotStart(slot), arrivals),
      );
  };
  // A city that is observed by its parts needs no state of the whole.
  const whole = once(() => observeSites(city().sites));
  const signalsAt = (slot: number): Signal[] => whole()(slot);
  const observe =
    (at: (slot: number) => Signal[]): Source['observe'] =>
    async (slot, commitments = []) =>
      withVisitors(at(slot), commitments, seed);
  return {
    substrate: 'simulated',
    signalsAt,
    observe: observe(signalsAt),
    part: (pockets) => {
      const sites = city().sites.filter(({ id }) => pockets.has(id));
      const remembers = city().sites.length <= MOST_REMEMBERED;
      return { observe: observe(remembers ? observeSites(sites) : (slot) => observeSites(sites)(slot)) };
    },
    merchants: simulateMerchants(seed),
  };
}

/** What is computed when it is asked for first. */
function once<T>(compute: () => T): () => T {
  let computed: { value: T } | undefined;
  return () => {
    computed ??= { value: compute() };
    return computed.value;
  };
}
