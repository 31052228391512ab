/** From the measurements of feeds to the signals of pockets; the same for live feeds and for replayed days. */

import type { Pocket } from '../../domain/city/city.ts';
import type { Sensor, Signal } from '../../domain/signals/signal.ts';
import { MINUTE, SLOT } from '../../domain/time/slot.ts';
import { type Feed, type FieldUse, statedPlace } from './feed.ts';
import { valueFault } from './meaning/judge-rows.ts';
import { rangeLow } from './meaning/place-state.ts';
import type { Measurement } from './measurement.ts';
import { placeFinder } from './place.ts';

/** A measurement in its unit is the mean of at most this many of the nearest places. */
const NEAREST_PLACES = 3;

/** A measurement with when it reached the service. */
export interface ReceivedMeasurement extends Measurement {
  received_at: number;
}

/** One field of one place: its values that are not older than they stay fresh, oldest first. */
interface Series {
  feed: Feed;
  use: FieldUse;
  place_id: string;
  field: string;
  values: SeriesValue[];
  reaches: readonly { pocket_id: string; metres: number }[];
}

interface SeriesValue {
  value: number;
  /** In the place of the value. */
  state?: Measurement['state'];
  /** The upper end of the range of the place, in the feed's unit. */
  high?: number | undefined;
  observed_at: number;
  received_at: number;
}

/** Turns what was received by a slot into its signals. `feeds` are those of the city. */
export function pocketSignals(
  pockets: readonly Pocket[],
  feeds: readonly Feed[],
): (slot: number, received: Iterable<ReceivedMeasurement>) => Signal[] {
  const find = placeFinder(pockets);
  const feedsById = new Map(feeds.map((feed) => [feed.id, feed]));
  return (slot, received) => {
    const series = new Map<string, Series>();
    for (const measurement of received) {
      const feed = feedsById.get(measurement.feed);
      if (!feed || !Object.hasOwn(feed.fields, measurement.field)) continue;
      const use = feed.fields[measurement.field];
      if (!use || !isUsable(measurement, use, slot)) continue;
      const { place_id, field, value, state, high, received_at } = measurement;
      const observed_at = knownAt(measurement, use);
      const key = `${feed.id}/${place_id}/${field}`;
      let one = series.get(key);
      if (!one) {
        const reaches = find(feed, measurement);
        one = { feed, use, place_id, field, values: [], reaches };
        series.set(key, one);
      }
      one.values.push({
        value: value * (use.factor ?? 1),
        ...(state && { state }),
        high,
        observed_at,
        received_at,
      });
    }
    // A place that said last that it has no data has none, though an older value would still be fresh.
    for (const [key, { values }] of series) if (values.at(-1)?.state === 'no_data') series.delete(key);
    return [...crowdSignals(series), ...unitSignals(series, slot)];
  };
}

/** When the value was known, by the feed's own word. */
const knownAt = (
  { observed_at, received_at }: Pick<ReceivedMeasurement, 'observed_at' | 'received_at'>,
  { stamp_minutes = 0 }: FieldUse,
): number => (observed_at === null ? received_at : observed_at + stamp_minutes * MINUTE);

function isUsable(measurement: ReceivedMeasurement, use: FieldUse, slot: number): boolean {
  const { value, state, observed_at, received_at, expires_at = slot } = measurement;
  if (slot > expires_at) return false;
  const at = knownAt({ observed_at, received_at }, use);
  if (at > slot || received_at > slot || slot - at > use.fresh_minutes * MINUTE) return false;
  return state !== undefined || valueFault(value, use) === null;
}

/** One signal for each sensor of the crowd and each pocket that it counts for. */
function* crowdSignals(series: ReadonlyMap<string, Series>): Generator<Signal> {
  for (const [id, one] of series) {
    const { feed, use, place_id, values, reaches } = one;
    const newest = values.at(-1);
    if (use.measures !== 'crowd' || !newest) continue;
    const sensor: Sensor = {
      id,
      kind: `${feed.id}/${one.field}`,
      points: use.points ?? 'up',
      proxy: use.proxy ?? false,
      ...statedRange(one, newest),
    };
    for (const { pocket_id } of reaches)
      yield {
        kind: 'crowd',
        pocket_id,
        sensor,
        ...(newest.state === 'closed' ? { closed: true, value: 0 } : { value: combine(one) }),
        source: `${feed.id}/${place_id}`,
        observed_at: newest.observed_at,
        received_at: newest.received_at,
        fresh_minutes: use.fresh_minutes,
      };
  }
}

/** The ends that are stated, in the unit of the signal. */
function statedRange(
  { feed, use, place_id }: Series,
  { high = use.range?.high }: SeriesValue,
): Pick<Sensor, 'range'> {
  const { factor = 1 } = use;
  const low = rangeLow(use, statedPlace(feed, place_id));
  if (low === undefined && high === undefined) return {};
  return {
    range: {
      ...(low !== undefined && { low: low * factor }),
      ...(high !== undefined && { high: high * factor }),
    },
  };
}

/** One signal for each pocket and kind: the mean of the nearest places. */
function* unitSignals(all: ReadonlyMap<string, Series>, slot: number): Generator<Signal> {
  const byTarget = new Map<string, { one: Series; metres: number; pocket_id: string }[]>();
  for (const one of all.values()) {
    if (one.use.measures === 'crowd' || one.values.at(-1)?.state === 'closed') continue;
    for (const { pocket_id, metres } of one.reaches) {
      const key = `${pocket_id} ${one.use.measures}`;
      const list = byTarget.get(key);
      if (list) list.push({ one, metres, pocket_id });
      else byTarget.set(key, [{ one, metres, pocket_id }]);
    }
  }
  for (const places of byTarget.values()) {
    const nearest = places.sort((a, b) => a.metres - b.metres).slice(0, NEAREST_PLACES);
    const [first] = nearest;
    if (!first || first.one.use.measures === 'crowd') continue;
    const newest = nearest.flatMap(({ one }) => one.values.at(-1) ?? []);
    yield {
      kind: first.one.use.measures,
      pocket_id: first.pocket_id,
      value: nearest.reduce((sum, { one }) => sum + combine(one, slot), 0) / nearest.length,
      source: nearest.map(({ one }) => `${one.feed.id}/${one.place_id}`).join(' '),
      // The oldest of them: a mean is as old as its oldest part.
      observed_at: Math.min(...newest.map(({ observed_at }) => observed_at)),
      received_at: Math.max(...newest.map(({ received_at }) => received_at)),
      fresh_minutes: Math.max(...nearest.map(({ one }) => one.use.fresh_minutes)),
    };
  }
}

/** The values of one place within the slot as one. */
function combine({ use, values }: Series, slot?: number): number {
  const newest = values.at(-1);
  if (!newest) return Number.NaN;
  if (!use.within_slot || use.within_slot === 'newest') return newest.value;
  const since = (slot ?? newest.observed_at) - SLOT;
  const within = values.filter(({ observed_at, state }) => observed_at > since && state === undefined);
  if (!within.length) return newest.value;
  const sum = within.reduce((total, { value }) => total + value, 0);
  return use.within_slot === 'sum' ? sum : sum / within.length;
}
