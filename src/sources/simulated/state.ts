import { SLOT } from '../../domain/time/slot.ts';
import type { Zone } from '../../domain/time/zone.ts';
import { type CalendarSlot, calendarSlotAt } from './calendar.ts';
import { type Crowd, crowdAt } from './crowd.ts';
import { memoize } from './memoize.ts';
import { mix } from './random/random.ts';
import type { StreetConditions } from './senses.ts';
import type { Site } from './sites.ts';
import { carparkAt, roadCongestion, trafficAt, transitAt } from './transport.ts';
import { rainOver } from './weather/rain.ts';
import { dustAt, RAIN_MEMORY, type Weather, weatherAt } from './weather/weather.ts';

/** The true state of one pocket at one slot; sensors measure it with faults. */
export interface Truth {
  calendar: CalendarSlot;
  weather: Weather;
  street: StreetConditions;
  traffic: number;
  carpark: number;
}

/** The city's true state: arrays have one entry for each site, in the order of the sites. */
export interface State {
  truth(slot: number): Truth[];
  dust(slot: number): number[];
}

/** In slots. One slot depends on an hour of crowds, on two hours of rain before each, and on an hour more for late readings. */
const CACHED_SLOTS = 12;
const CACHED_RAIN = CACHED_SLOTS + RAIN_MEMORY;
const CARPARK_LAGS = [2, 3, 4];

export function createCityState(sites: Site[], holidays: Set<number>, zone: Zone, seed: number): State {
  const airSeed = mix(seed, 2);
  const crowdSeed = mix(seed, 3);
  const roadSeed = mix(seed, 4);
  const calendar = memoize(CACHED_SLOTS, (slot) => calendarSlotAt(slot, holidays, zone));
  const rain = rainOver(sites, mix(seed, 1), CACHED_RAIN);

  const weather = memoize(CACHED_SLOTS, (slot): Weather[] => {
    const now = calendar(slot);
    const recent = Array.from({ length: RAIN_MEMORY }, (_, ago) => rain(now.quarter - ago));
    return sites.map((site, i) =>
      weatherAt(
        site,
        now,
        airSeed,
        recent.map((fallen) => fallen[i] as number),
      ),
    );
  });

  const crowd = memoize(CACHED_SLOTS, (slot): Crowd[] => {
    const air = weather(slot);
    return sites.map((site, i) => crowdAt(site, calendar(slot), crowdSeed, air[i] as Weather));
  });

  const truth = memoize(CACHED_SLOTS, (slot): Truth[] => {
    const now = calendar(slot);
    const air = weather(slot);
    const people = crowd(slot);
    const before = crowd(slot - 2 * SLOT);
    const earlier = CARPARK_LAGS.map((ago) => crowd(slot - ago * SLOT));
    return sites.map((site, i) => {
      const { felt } = air[i] as Weather;
      const { level } = people[i] as Crowd;
      const lagged = earlier.reduce((sum, then) => sum + (then[i] as Crowd).level, 0) / earlier.length;
      const transit = transitAt(site, now, roadSeed, level, felt);
      return {
        calendar: now,
        weather: air[i] as Weather,
        street: { crowd: people[i] as Crowd, change: level - (before[i] as Crowd).level, transit, felt },
        traffic: trafficAt(site, now, roadSeed, felt),
        carpark: carparkAt(site, now, lagged),
      };
    });
  });

  const dust = memoize(CACHED_SLOTS, (slot): number[] => {
    const now = calendar(slot);
    const air = weather(slot);
    return sites.map((site, i) =>
      dustAt(site, now, airSeed, (air[i] as Weather).felt, roadCongestion(now.outing)),
    );
  });

  return { truth, dust };
}
