import type { Registry } from '../../domain/city/city.ts';
import type { Signal } from '../../domain/signals/signal.ts';
import { slotOf } from '../../domain/time/slot.ts';
import { zoneOf } from '../../domain/time/zone.ts';
import type { Source } from '../source.ts';
import { dayNumbers } from './calendar.ts';
import { merchantsOf, withVisitors } from './merchants.ts';
import { alwaysOnTime, deliveries } from './outages.ts';
import { type Habits, habitsOf } from './outlets.ts';
import { hashText } from './random/random.ts';
import { reportOf } from './report.ts';
import { sitesOf } from './sites.ts';
import { stateOf } from './state.ts';

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
  const sites = sitesOf(registry.pockets, seed);
  const habits = Map.groupBy(
    registry.outlets.filter(({ active }) => active),
    ({ pocket_id }) => pocket_id,
  );
  const outlets = sites.map(({ id }): Habits[] =>
    (habits.get(id) ?? []).map((outlet) => habitsOf(outlet, seed)),
  );
  const state = stateOf(
    sites,
    dayNumbers(registry.holidays),
    zoneOf(registry.city),
    hashText(`${seed}/city`),
  );

  const signalsAt = (slot: number): Signal[] => {
    const at = slotOf(slot);
    const arrivals = dropouts ? deliveries : alwaysOnTime;
    return sites.flatMap((site, i) => reportOf(site, i, outlets[i] ?? [], state, at, arrivals));
  };
  return {
    substrate: 'simulated',
    signalsAt,
    observe: async (slot, commitments = []) => withVisitors(signalsAt(slot), commitments, seed),
    merchants: merchantsOf(seed),
  };
}
