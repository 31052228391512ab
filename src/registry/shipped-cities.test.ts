// The cities beside Singapore: what must be true of each of them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cityDir } from './city-dir.ts';
import { measuredAt } from './coverage.ts';
import { loadCity, loadRegistry } from './load.ts';

const noon = (date: string) => new Date(`${date}T12:00:00Z`);

const real: [
  name: string,
  zone: string,
  currency: string,
  middle: [lat: number, lng: number],
  years: string[],
][] = [
  ['melbourne', 'Australia/Melbourne', 'AUD', [-37.81, 144.96], ['2026', '2027']],
  ['muenster', 'Europe/Berlin', 'EUR', [51.96, 7.62], ['2019', '2026', '2027']],
];
for (const [name, zone, currency, [lat, lng], years] of real) {
  describe(name, () => {
    const { registry, feeds } = loadCity(cityDir(name));
    const { city, pockets, outlets, intents, holidays } = registry;

    test('is live, with its own zone and currency, and invents no outlet', () => {
      assert.deepEqual([city.time_zone, city.currency], [zone, currency]);
      assert.deepEqual([city.substrate, city.scales], ['live', 'learned']);
      assert.deepEqual(outlets, []);
      assert.ok(intents.some(({ public_page }) => public_page));
    });

    test('has pockets in its middle, each with a crowd signal and weather', () => {
      assert.ok(pockets.length >= 8);
      for (const pocket of pockets) {
        assert.ok(Math.abs(pocket.lat - lat) < 0.03 && Math.abs(pocket.lng - lng) < 0.03, pocket.id);
        assert.deepEqual(pocket.expects, measuredAt(pocket, feeds));
        assert.deepEqual(pocket.expects, ['rain_mm', 'temperature_c', 'humidity_pct', 'pm25', 'crowd']);
      }
    });

    test('lists its holidays in order', () => {
      assert.deepEqual(holidays, holidays.toSorted());
      for (const year of years)
        assert.ok(holidays.filter((date) => date.startsWith(year)).length >= 11, year);
    });

    test('has Good Friday on a Friday and Easter Monday on a Monday', () => {
      for (const [friday, monday] of [
        ['2026-04-03', '2026-04-06'],
        ['2027-03-26', '2027-03-29'],
      ] as const) {
        assert.ok(holidays.includes(friday) && noon(friday).getUTCDay() === 5);
        assert.ok(holidays.includes(monday) && noon(monday).getUTCDay() === 1);
      }
    });
  });
}

test('the live Singapore has the places of the simulated one', () => {
  const { registry, feeds } = loadCity(cityDir('singapore-live'));
  const simulated = loadRegistry(cityDir('singapore'));
  const places = ({ pockets }: typeof simulated) =>
    pockets.map(({ expects: _, sensors: __, ...pocket }) => pocket);
  assert.deepEqual(places(registry), places(simulated));
  assert.deepEqual(registry.outlets, simulated.outlets);
  assert.deepEqual(registry.holidays, simulated.holidays);
  // Residents' car parks are fullest and free taxis fewest at night, when the streets are empty: neither is a crowd.
  const { fields = {} } = feeds.find(({ id }) => id === 'lta-platforms') ?? {};
  assert.deepEqual(Object.keys(fields), ['platform_crowding']);
  const measuring = feeds.filter((feed) =>
    Object.values(feed.fields).some(({ measures }) => measures === 'crowd'),
  );
  assert.deepEqual(
    measuring.map(({ id }) => id),
    ['lta-platforms'],
  );
  assert.deepEqual(
    registry.pockets.filter(({ expects }) => !expects.includes('crowd')).map(({ id }) => id),
    ['dempsey', 'frankel', 'joochiat', 'sunset', 'tanjongkatong'],
    'no station is within reach of these',
  );
  assert.deepEqual(
    [...new Set(feeds.map(({ adapter }) => adapter))],
    ['data-gov-sg', 'lta-datamall', 'open-meteo'],
  );
});

test('the intents of other cities name nothing of Singapore', () => {
  const { intents } = loadRegistry(cityDir('template'));
  assert.doesNotMatch(JSON.stringify(intents), /hawker|singapore/i);
});
