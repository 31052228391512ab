import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type PocketSignal,
  pocketSignalKinds,
  pocketSignals,
  type SenseWord,
} from '../../domain/signals/signal.ts';
import { HOUR, SLOT } from '../../domain/time/slot.ts';
import { singapore } from '../../domain/time/zones.fixture.ts';
import { simulatedCity } from './city.ts';
import { correlation, mean, singaporeTime, tinyCity } from './tiny-city.fixture.ts';

const { hourOfDay, weekday } = singapore;

/** Two months of the tiny city as its sensors report it. */

const DAYS = 61;
const start = singaporeTime('2026-01-01T00:00:00');
const slots = Array.from({ length: DAYS * 96 }, (_, n) => start + n * SLOT);
const registry = tinyCity();
const city = simulatedCity(registry);

type Series = (number | undefined)[];
const values = new Map<string, Series>();
const words: { pocket: string; n: number; word: SenseWord; people: number }[] = [];
let stale = 0;
for (const [n, slot] of slots.entries()) {
  for (const { kind, pocket_id, outlet_id, word, value, observed_at } of city.signalsAt(slot)) {
    if (word) words.push({ pocket: pocket_id, n, word, people: value });
    const key = outlet_id ?? `${pocket_id} ${kind}`;
    if (!values.has(key)) values.set(key, Array(slots.length).fill(undefined));
    (values.get(key) as Series)[n] = value;
    if (
      kind in pocketSignals &&
      slot - observed_at > pocketSignals[kind as PocketSignal].fresh_minutes * 60_000
    )
      stale++;
  }
}
const series = (pocketId: string, kind: PocketSignal): Series => values.get(`${pocketId} ${kind}`) ?? [];
const known = (some: Series): number[] => some.filter((value) => value !== undefined);
const when = (some: Series, isIncluded: (slot: number, n: number) => boolean): number[] =>
  known(some.filter((_, n) => isIncluded(slots[n] as number, n)));
const hourIn = (slot: number, from: number, to: number) => hourOfDay(slot) >= from && hourOfDay(slot) < to;
const holidays = new Set(registry.holidays.map((date) => singaporeTime(`${date}T00:00:00`)));
const isHoliday = (slot: number) => [...holidays].some((day) => slot >= day && slot < day + 24 * HOUR);

test('footfall an hour later, and a week later, is much like now but not the same', () => {
  for (const { id } of registry.pockets) {
    const footfall = series(id, 'footfall');
    const hour = correlation(footfall, footfall.slice(4));
    const week = correlation(footfall, footfall.slice(7 * 96));
    assert.ok(hour > 0.8 && hour < 0.98, `${id} ${hour}`);
    assert.ok(week > 0.6 && week < 0.98, `${id} ${week}`);
  }
});

test('office pockets are busiest at weekday lunch, leisure pockets on Sundays', () => {
  const lunch = (id: string, days: (slot: number) => boolean) =>
    mean(when(series(id, 'footfall'), (slot) => hourIn(slot, 12, 14) && days(slot)));
  const working = (slot: number) => weekday(slot) < 5 && !isHoliday(slot);
  const sunday = (slot: number) => weekday(slot) === 6;
  assert.ok(lunch('office', working) > 1.5 * lunch('office', sunday));
  const [leisurely, ordinary] = [lunch('leisure', sunday), lunch('leisure', working)];
  // The street is nearly full on both, so the difference is smaller than the registry's factor.
  assert.ok(leisurely > 1.1 * ordinary, `${leisurely} ${ordinary}`);
  const holiday = lunch('office', (slot) => isHoliday(slot) && weekday(slot) < 5);
  assert.ok(Math.abs(holiday / lunch('office', sunday) - 1) < 0.3, `${holiday}`);
  assert.ok(holiday < 0.7 * lunch('office', working));
});

test('rain lowers the footfall of unsheltered pockets', () => {
  const loss = (id: string) => {
    const footfall = series(id, 'footfall');
    const rain = series(id, 'rain_mm');
    const pouring = (n: number) => (rain[n] ?? 0) + (rain[n - 1] ?? 0) >= 2;
    const dry = (n: number) => [0, 1, 2, 3, 4].every((ago) => (rain[n - ago] ?? 0) === 0);
    // Each wet slot against the dry ones at the same hour of the same kind of day.
    const ratios = slots.flatMap((slot, n) => {
      if (!pouring(n) || !hourIn(slot, 9, 21) || isHoliday(slot)) return [];
      const alike = when(
        footfall,
        (other, m) =>
          hourOfDay(other) === hourOfDay(slot) && weekday(other) < 5 === weekday(slot) < 5 && dry(m),
      );
      const now = footfall[n];
      return now === undefined ? [] : [now / mean(alike)];
    });
    assert.ok(ratios.length > 30);
    return 1 - mean(ratios);
  };
  assert.ok(loss('open') > 0.3, `${loss('open')}`);
  assert.ok(loss('sheltered') < 0.15, `${loss('sheltered')}`);
});

test('rain cools and dampens the air, and noon is warmer than dawn', () => {
  const rain = series('open', 'rain_mm');
  const afternoon = (wet: boolean) => (slot: number, n: number) =>
    hourIn(slot, 13, 17) && (rain[n] ?? 0) > 1 === wet;
  const temperature = series('open', 'temperature_c');
  assert.ok(mean(when(temperature, afternoon(true))) < mean(when(temperature, afternoon(false))) - 1.5);
  const dawn = mean(when(temperature, (slot) => hourIn(slot, 5, 7)));
  const noon = mean(when(temperature, (slot) => hourIn(slot, 13, 15)));
  assert.ok(dawn > 23 && dawn < 27 && noon > dawn + 3 && noon < 33, `${dawn} ${noon}`);
  assert.ok(correlation(temperature, series('open', 'humidity_pct')) < -0.7);
});

test('trees make for cooler and cleaner air', () => {
  const average = (id: string, kind: PocketSignal) => mean(known(series(id, kind)));
  assert.ok(average('leisure', 'temperature_c') < average('ordinary', 'temperature_c'));
  assert.ok(average('leisure', 'pm25') < average('ordinary', 'pm25'));
});

test('commuters fill stations and slow traffic; neighbouring pockets share congestion', () => {
  const at = (kind: PocketSignal, from: number, to: number) =>
    mean(when(series('office', kind), (slot) => weekday(slot) < 5 && hourIn(slot, from, to)));
  assert.ok(at('transit_crowding', 18, 19) > 2 * at('transit_crowding', 14, 15));
  assert.ok(at('traffic_speed_kmh', 18, 19) < 0.85 * at('traffic_speed_kmh', 22, 23));
  // The residual after subtracting the mean of the hour of the week.
  const surprise = (id: string) => {
    const speed = series(id, 'traffic_speed_kmh');
    return speed.map((value, n) => {
      const before = speed[n - 7 * 96];
      return value === undefined || before === undefined ? undefined : value - before;
    });
  };
  const open = surprise('open');
  assert.ok(correlation(open, surprise('sheltered')) > correlation(open, surprise('west')) + 0.3);
});

test('cars follow people with a delay', () => {
  const footfall = series('ordinary', 'footfall');
  const cars = series('ordinary', 'carpark_occupancy');
  assert.ok(correlation(footfall, cars.slice(3)) > correlation(footfall, cars));
  assert.ok(known(series('west', 'carpark_occupancy')).every((share) => share === 0));
});

test('sensors fail at times, and a pocket is sometimes nearly unobserved', () => {
  const total = registry.pockets.length * pocketSignalKinds.length * slots.length;
  const present = registry.pockets.flatMap(({ id }) =>
    pocketSignalKinds.map((kind) => known(series(id, kind)).length),
  );
  const absent = 1 - present.reduce((a, b) => a + b, 0) / total;
  assert.ok(absent > 0.005 && absent < 0.05, `${absent}`);
  assert.ok(stale / total > 0.001 && stale / total < 0.02, `${stale / total}`);
  const completeness = registry.pockets.flatMap(({ id }) =>
    slots.map((_, n) => mean(pocketSignalKinds.map((kind) => (series(id, kind)[n] === undefined ? 0 : 1)))),
  );
  assert.ok(completeness.some((share) => share < 0.6));
  assert.ok(mean(completeness) > 0.95);
});

test('citizen senses agree with the pocket better than chance', () => {
  const level = ({ pocket: id, n }: { pocket: string; n: number }): number | undefined => {
    const peak = registry.pockets.find((p) => p.id === id)?.character.footfall_peak ?? 1;
    const footfall = series(id, 'footfall')[n];
    return footfall === undefined ? undefined : footfall / peak;
  };
  const levels = (word: SenseWord) => known(words.filter((said) => said.word === word).map(level));
  assert.ok(
    mean(levels('busy')) > mean(levels('calm')) + 0.25,
    `${mean(levels('busy'))} ${mean(levels('calm'))}`,
  );
  const busy = levels('busy');
  const wrong = busy.filter((share) => share < 0.35).length / busy.length;
  assert.ok(wrong > 0 && wrong < 0.15, `${wrong}`);
  const evenings = words.filter((said) => said.word === 'social' && hourOfDay(slots[said.n] as number) >= 17);
  assert.ok(evenings.length > 0.5 * words.filter((said) => said.word === 'social').length);
  const people = new Map<string, number>();
  for (const { pocket: id, n, people: count } of words)
    people.set(`${id} ${n}`, (people.get(`${id} ${n}`) ?? 0) + count);
  const crowds = [...people.values()].filter((count) => count > 4).length;
  assert.ok(crowds > 0 && crowds < 0.15 * registry.pockets.length * slots.length);
});
