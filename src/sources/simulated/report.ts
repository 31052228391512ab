// What the sensors of a pocket report of its true state (state.ts), with the faults that sensors have.
import { type PocketSignal, pocketSignalKinds, type Signal } from '../../domain/signals/signal.ts';
import { HOUR, SLOT } from '../../domain/time/slot.ts';
import { countedFootfall } from './crowd.ts';
import { clamp, clamp01, roundTo } from './numbers.ts';
import type { Deliveries } from './outages.ts';
import { activityAt, type Habits } from './outlets.ts';
import { hashText, mix, uniform } from './random/random.ts';
import { sensesAt } from './senses.ts';
import type { Site } from './sites.ts';
import type { State, Truth } from './state.ts';

const sources: Record<PocketSignal, string> = {
  rain_mm: 'simulated:rain-gauge',
  temperature_c: 'simulated:thermometer',
  humidity_pct: 'simulated:hygrometer',
  pm25: 'simulated:air-monitor',
  footfall: 'simulated:footfall-counter',
  transit_crowding: 'simulated:station-gates',
  traffic_speed_kmh: 'simulated:road-loops',
  carpark_occupancy: 'simulated:carpark-gate',
};

/** What is read off a pocket each quarter hour; dust is measured each hour instead. */
const gauges: Record<Exclude<PocketSignal, 'pm25'>, (truth: Truth, site: Site) => number> = {
  // A gauge tips at each 0.2 mm.
  rain_mm: ({ weather }) => Math.floor(weather.rain * 5) / 5,
  temperature_c: ({ weather }) => roundTo(weather.temperature, 10),
  humidity_pct: ({ weather }) => roundTo(weather.humidity, 10),
  footfall: ({ calendar, street }, site) =>
    Math.max(0, roundTo(countedFootfall(site, calendar, street.crowd.level), 1)),
  transit_crowding: ({ street }) => roundTo(clamp01(street.transit), 100),
  traffic_speed_kmh: ({ traffic }) => roundTo(clamp(traffic, 4, 90), 10),
  carpark_occupancy: ({ carpark }) => roundTo(clamp01(carpark), 1000),
};
const OUTLET_SOURCE = 'simulated:till-activity';
const SENSE_SOURCE = 'simulated:citizen-sense';
const SENSE_SENSOR = hashText('citizen-sense');

export function reportSignals(
  site: Site,
  i: number,
  outlets: Habits[],
  state: State,
  slot: number,
  deliveries: Deliveries,
): Signal[] {
  const truthAt = (at: number): Truth => state.truth(at)[i] as Truth;
  const now = truthAt(slot);
  const delivery = deliveries(site.seed, now.calendar.quarter);
  const signals: Signal[] = [];

  for (const [sensor, kind] of pocketSignalKinds.entries()) {
    const age = delivery(sensor);
    if (age === 'absent') continue;
    const at = slot - age * SLOT;
    const { value, observed_at, received_at } =
      kind === 'pm25'
        ? dustReading(site, at, (hour) => state.dust(hour)[i] as number)
        : reading(gauges[kind](truthAt(at), site), site.seed, sensor, at);
    signals.push({ kind, pocket_id: site.id, value, source: sources[kind], observed_at, received_at });
  }

  for (const outlet of outlets) {
    // Tills do not hang: a repeated reading would show a closed place as open.
    if (delivery(outlet.seed) === 'absent') continue;
    const share = roundTo(activityAt(outlet, now.calendar, now.street.crowd, now.street.felt), 100);
    const { value, observed_at, received_at } = reading(share, site.seed, outlet.seed, slot);
    signals.push({
      kind: 'outlet_activity',
      pocket_id: site.id,
      outlet_id: outlet.id,
      value,
      source: OUTLET_SOURCE,
      observed_at,
      received_at,
    });
  }

  // Words are counted afresh each quarter hour: late ones are lost, not repeated.
  if (delivery(SENSE_SENSOR) === 0) {
    for (const [word, people] of sensesAt(site, now.calendar, now.street)) {
      const { value, observed_at, received_at } = reading(people, site.seed, SENSE_SENSOR, slot);
      signals.push({
        kind: 'citizen_sense',
        pocket_id: site.id,
        word,
        value,
        source: SENSE_SOURCE,
        observed_at,
        received_at,
      });
    }
  }
  return signals;
}

type Reading = Pick<Signal, 'value' | 'observed_at' | 'received_at'>;

/** Measured one to four minutes before the slot, and received within the minute. */
function reading(value: number, seed: number, sensor: number, slot: number): Reading {
  const key = mix(mix(mix(seed, 71), sensor), slot / SLOT);
  const observed_at = slot - 60_000 - Math.floor(uniform(key) * 180) * 1000;
  return { value, observed_at, received_at: observed_at + delay(key) };
}

/** Air is measured on the hour, so at the hour itself the latest result is the one before. */
function dustReading(site: Site, slot: number, dustAt: (hour: number) => number): Reading {
  const hour = Math.ceil(slot / HOUR - 1) * HOUR;
  const received_at = hour + delay(mix(mix(site.seed, 72), hour / HOUR));
  return { value: roundTo(dustAt(hour), 1), observed_at: hour, received_at };
}

const delay = (key: number): number => 3000 + Math.floor(uniform(mix(key, 1)) * 57) * 1000;
