import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QUARTERS } from '../calendar.ts';
import { hashText } from '../random/random.ts';
import { createSites } from '../sites.ts';
import { correlation, mean, pocket, singaporeTime, tinyCity } from '../tiny-city.fixture.ts';
import { rainOver } from './rain.ts';

const TIP = 0.2;
const quarterAt = (date: string) => (singaporeTime(`${date}T00:00:00`) + 8 * 3_600_000) / 900_000;
const seed = hashText('rain');

/** For each site, whether the gauge tipped in each quarter. */
function wetOver(places: [string, number, number][], from: string, days: number): number[][] {
  const sites = createSites(
    places.map(([id, lat, lng]) => pocket(id, lat, lng)),
    'rain',
  );
  const rain = rainOver(sites, seed, 4);
  const wet = sites.map((): number[] => []);
  for (let n = 0; n < days * QUARTERS; n++)
    for (const [i, mm] of rain(quarterAt(from) + n).entries()) wet[i]?.push(mm >= TIP ? 1 : 0);
  return wet;
}

const year = wetOver(
  tinyCity().pockets.map(({ id, lat, lng }) => [id, lat, lng]),
  '2025-03-01',
  365,
);
const [office = [], open = [], , , , east = [], west = []] = year;

test('it rains in five to nine slots of a hundred', () => {
  const share = mean(year.map(mean));
  assert.ok(share > 0.05 && share < 0.09, `${share}`);
});

test('rain lasts for several slots', () => {
  const next = mean(office.filter((_, i) => office[i - 1] === 1));
  assert.ok(next > 0.5 && next < 0.9, `${next}`);
  assert.ok(correlation(office, office.slice(1)) > 0.5);
  const hourLater = mean(office.filter((_, i) => office[i - 4] === 1));
  assert.ok(hourLater > 2 * mean(office), `${hourLater}`);
});

test('some days are dry, and some are very wet', () => {
  const days = Array.from({ length: 365 }, (_, d) =>
    mean(year.map((site) => mean(site.slice(d * QUARTERS, (d + 1) * QUARTERS)))),
  );
  const dry = days.filter((share) => share === 0).length;
  assert.ok(dry > 20 && dry < 120, `${dry}`);
  assert.ok(Math.max(...days) > 0.25);
});

test('afternoons are wetter than nights, and the monsoon than the rest', () => {
  const share = (isIncluded: (quarter: number) => boolean) =>
    mean(year.map((site) => mean(site.filter((_, i) => isIncluded(i)))));
  const hour = (i: number) => (i % QUARTERS) / 4;
  assert.ok(share((i) => hour(i) >= 14 && hour(i) < 18) > 1.5 * share((i) => hour(i) >= 22 || hour(i) < 3));
  const monthsIn = (i: number) => i / QUARTERS / 30.4;
  assert.ok(share((i) => monthsIn(i) >= 8.5 && monthsIn(i) < 10.5) > 1.3 * share((i) => monthsIn(i) < 8));
});

test('neighbours share their rain, distant pockets less so', () => {
  assert.ok(correlation(office, open) > 0.7);
  assert.ok(correlation(office, open) > correlation(office, east) + 0.2);
  assert.ok(correlation(office, east) > correlation(office, office.slice(9 * QUARTERS)));
  assert.ok(correlation(east, west) < 0.3);
});

test('rain travels with the wind: to the south-west in January', () => {
  const [upwind = [], downwind = []] = wetOver(
    [
      ['upwind', 1.36, 103.86],
      ['downwind', 1.32, 103.82],
    ],
    '2025-12-20',
    70,
  );
  assert.ok(correlation(upwind, downwind.slice(2)) > correlation(downwind, upwind.slice(2)) + 0.1);
});

test('rain continues over midnight', () => {
  // Rain at 23:45 goes on at 00:00 as often as rain at any other night hour does.
  const persistence = (at: (quarter: number) => boolean) =>
    mean(year.flatMap((site) => site.filter((_, i) => at(i % QUARTERS) && site[i - 1] === 1)));
  const atMidnight = persistence((quarter) => quarter < 2);
  assert.ok(atMidnight > 0.35, `${atMidnight}`);
});

test('the rain of a site does not depend on the other sites or on the order of calls', () => {
  const all = createSites(tinyCity().pockets, 'x');
  const together = rainOver(all, seed, 4);
  const alone = rainOver(all.slice(0, 1), seed, 4);
  const quarters = Array.from({ length: 200 }, (_, n) => quarterAt('2025-12-01') + ((n * 7919) % 2880));
  assert.deepEqual(
    quarters.map((quarter) => together(quarter)[0]),
    quarters
      .toReversed()
      .map((quarter) => alone(quarter)[0])
      .toReversed(),
  );
});
