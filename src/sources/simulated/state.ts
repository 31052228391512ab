import { SLOT } from '../../domain/time/sgt.ts';
import { type CalendarSlot, calendarSlotOf } from './calendar.ts';
import { type Crowd, crowdAt } from './crowd.ts';
import { memoize } from './memoize.ts';
import { mix } from './random/random.ts';
import type { StreetConditions } from './senses.ts';
import type { Site } from './sites.ts';
import { carparkAt, congestionOf, trafficAt, transitAt } from './transport.ts';
import { rainOver } from './weather/rain.ts';
import { dustAt, RAIN_MEMORY, type Weather, weatherAt } from './weather/weather.ts';

/** How one pocket really is at one slot, before any sensor looks at it. */
export interface Truth {
  moment: CalendarSlot;
  weather: Weather;
  scene: StreetConditions;
  traffic: number;
  carpark: number;
}

/** The city's true state; the answers are one entry for each site, in the sites' order. */
export interface State {
  truth(slot: number): Truth[];
  dust(slot: number): number[];
}

// What one slot looks back on: an hour of crowds, two hours of rain before each, and an hour more for late readings.
const KEPT = 12;
const RAIN_KEPT = KEPT + RAIN_MEMORY;
const CARPARK_LAGS = [2, 3, 4];

export function stateOf(sites: Site[], holidays: Set<number>, seed: number): State {
  const airSeed = mix(seed, 2);
  const crowdSeed = mix(seed, 3);
  const roadSeed = mix(seed, 4);
  const moment = memoize(KEPT, (slot) => calendarSlotOf(slot, holidays));
  const rain = rainOver(sites, mix(seed, 1), RAIN_KEPT);

  const weather = memoize(KEPT, (slot): Weather[] => {
    const now = moment(slot);
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

  const crowd = memoize(KEPT, (slot): Crowd[] => {
    const air = weather(slot);
    return sites.map((site, i) => crowdAt(site, moment(slot), crowdSeed, air[i] as Weather));
  });

  const truth = memoize(KEPT, (slot): Truth[] => {
    const now = moment(slot);
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
        moment: now,
        weather: air[i] as Weather,
        scene: { crowd: people[i] as Crowd, change: level - (before[i] as Crowd).level, transit, felt },
        traffic: trafficAt(site, now, roadSeed, felt),
        carpark: carparkAt(site, now, lagged),
      };
    });
  });

  const dust = memoize(KEPT, (slot): number[] => {
    const now = moment(slot);
    const air = weather(slot);
    return sites.map((site, i) =>
      dustAt(site, now, airSeed, (air[i] as Weather).felt, congestionOf(now.outing)),
    );
  });

  return { truth, dust };
}
