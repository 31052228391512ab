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
import { createSites } from './sites.ts';
import { createCityState } from './state.ts';

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
  const sites = createSites(registry.pockets, seed);
  const habits = Map.groupBy(
    registry.outlets.filter(({ active }) => active),
    ({ pocket_id }) => pocket_id,
  );
  const outlets = sites.map(({ id }): Habits[] =>
    (habits.get(id) ?? []).map((outlet) => outletHabits(outlet, seed)),
  );
  const state = createCityState(
    sites,
    dayNumbers(registry.holidays),
    cityZone(registry.city),
    hashText(`${seed}/city`),
  );

  const signalsAt = (slot: number): Signal[] => {
    const at = slotStart(slot);
    const arrivals = dropouts ? deliveries : alwaysOnTime;
    return sites.flatMap((site, i) => reportSignals(site, i, outlets[i] ?? [], state, at, arrivals));
  };
  return {
    substrate: 'simulated',
    signalsAt,
    observe: async (slot, commitments = []) => withVisitors(signalsAt(slot), commitments, seed),
    merchants: simulateMerchants(seed),
  };
}
