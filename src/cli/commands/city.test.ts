// `pocketwatch city`, called as the command line calls it.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, describe, test } from 'node:test';
import { citiesDir, cityDir, shippedCities } from '../../registry/city-dir.ts';
import { loadCity } from '../../registry/load.ts';
import { ltaDatamall } from '../../sources/live/lta-datamall.ts';
import { openStore } from '../../store/engine/open.ts';
import { writeExclusions } from '../../store/observation/excluded-sensors.ts';
import { migrate } from '../../store/schema/migrate.ts';
import { UsageError } from '../runtime/command.ts';
import { cityCommand, citySummary, fullestAtNight } from './city.ts';

const root = mkdtempSync(join(tmpdir(), 'pocketwatch-test-'));
after(() => rmSync(root, { recursive: true }));

const folder = () => mkdtempSync(join(root, 'city-'));
const options = [
  '--name',
  'Kolkata',
  '--time-zone',
  'Asia/Kolkata',
  '--pocket',
  'Park Street, 22.5535,88.3521',
];

describe('city check', () => {
  test('says which feed reaches which pocket, and what is not measured', () => {
    const summary = citySummary(loadCity(cityDir('muenster')));
    assert.match(summary, /^Münster: Europe\/Berlin, EUR, live, scales learned\n10 pockets, 0 outlets, /);
    assert.match(summary, /^no outline\.json: the map draws no land$/m);
    assert.match(summary, /^12 places that visitors name, © OpenStreetMap contributors, ODbL 1\.0$/m);
    const template = citySummary(loadCity(cityDir('template')));
    assert.match(template, /^no places\.json: only pockets are found by name$/m);
    assert.match(summary, /^parking +generic-csv +300 s +500 m +crowd$/m);
    assert.match(
      summary,
      /^hafen +parking \(5, 208 m\), open-meteo +transit_crowding, .*carpark_occupancy$/m,
    );
    assert.match(summary, /^aasee +parking \(1, 319 m\), bike_counter \(5, 156 m\), open-meteo /m);
    assert.match(summary, /^coesfelder-kreuz +parking \(1\), bike_counter \(1, 49 m\), open-meteo /m);
    assert.match(summary, /every pocket has a feed that measures its crowd\.$/);
  });

  test('every shipped city passes, and pockets without a crowd signal are named', async () => {
    const lacking: Record<string, string> = {
      template: 'market-square',
      'singapore-live': 'dempsey, frankel, joochiat, sunset, tanjongkatong',
    };
    for (const name of shippedCities()) {
      await cityCommand.run(['check', cityDir(name)]);
      const [, without] =
        /no feed measures the crowd of ([^:]+):/.exec(citySummary(loadCity(cityDir(name)))) ?? [];
      assert.equal(without, lacking[name], name);
    }
    const singapore = citySummary(loadCity(cityDir('singapore')));
    assert.match(singapore, /\noutline of the land: \d+ points, © OpenStreetMap contributors, ODbL 1\.0\n/);
    assert.match(singapore, /\nsimulated: no feeds are needed$/);
  });

  test('names stand-ins that the store has found to be as full at night as by day', async () => {
    const { feeds } = loadCity(cityDir('muenster'));
    const dataDir = folder();
    assert.deepEqual(await fullestAtNight(feeds, { databaseUrl: undefined, dataDir }), []);
    assert.deepEqual(readdirSync(dataDir), [], 'no store is made for the question');
    const store = openStore({ databaseUrl: undefined, dataDir });
    await migrate(store, 0);
    const found = ['parking/ph-bremer-platz/free_spaces', 'taxis/rank/free'];
    await store.transaction((tx) =>
      writeExclusions(
        tx,
        0,
        found.map((sensor) => ({ sensor, excluded: true })),
      ),
    );
    await store.close();
    assert.deepEqual(await fullestAtNight(feeds, { databaseUrl: undefined, dataDir }), [
      'parking/ph-bremer-platz/free_spaces is usually as full from 02:00 to 05:00 as by day, or fuller: it does not show a crowd',
    ]);
  });

  test('names the key without which a pocket has no crowd', () => {
    const { registry, feeds } = loadCity(cityDir('singapore-live'));
    const env = ltaDatamall.about.key?.env ?? assert.fail();
    const line = (some: typeof feeds) =>
      /^the crowd of (.+) is measured only with the key in (\w+): no moment without it\.$/m.exec(
        citySummary({ registry, feeds: some }),
      );
    assert.match(line(feeds)?.[1] ?? '', /^buonavista, chipbee, cluny, hajilane, .*upperthomson$/);
    assert.equal(line(feeds)?.[2], env);
    const own = { env: 'FEED_KEY_OWN', header: 'x-key' };
    assert.equal(line(feeds.map((feed) => ({ ...feed, key: own })))?.[2], own.env);
    assert.equal(line(loadCity(cityDir('muenster')).feeds), null, 'feeds without a key');
  });

  test('a folder without files measures nothing, and neither does a feed for replays alone', () => {
    const { registry, feeds } = loadCity(cityDir('muenster'));
    const [parking] = feeds;
    assert.ok(parking);
    const from = (settings: object) =>
      citySummary({ registry, feeds: [{ ...parking, adapter: 'files', settings: { ...settings } }] });
    const folderOf = folder();
    assert.match(from({ folder: folderOf }), /^parking .* nothing: its folder has no file$/m);
    assert.match(from({ folder: folderOf }), /^hafen +none +rain_mm, /m);
    assert.match(from({ folder: folderOf }), /no feed measures the crowd of .*prinzipalmarkt,/);
    writeFileSync(join(folderOf, 'half.csv.part'), '');
    assert.match(from({ folder: folderOf }), /its folder has no file$/m);
    assert.match(from({ folder: join(folderOf, 'away') }), /its folder cannot be read$/m);
    assert.match(from({}), /nothing while the city is live: it is for replays$/m);
    writeFileSync(join(folderOf, 'counts.csv'), '');
    assert.match(from({ folder: folderOf }), /^parking +files +300 s +500 m +crowd$/m);
    assert.match(
      from({ folder: folderOf }),
      /every pocket has a feed|no feed measures the crowd of (?!.*hafen)/,
    );
  });

  test('names file, entry and field of what is wrong', async () => {
    const dir = folder();
    await cityCommand.run(['new', dir, ...options]);
    const file = join(dir, 'sources.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"reach_m": 1000', '"reach_m": -1'));
    await assert.rejects(cityCommand.run(['check', dir]), {
      name: 'RegistryError',
      message: 'sources.json: entry 1 (open-meteo): reach_m must be a whole number, 1 to 100000',
    });
  });
});

describe('city new', () => {
  test('writes a city that has weather alone, and says which feed is missing', async () => {
    const dir = join(folder(), 'kolkata');
    await cityCommand.run([
      'new',
      dir,
      ...options,
      '--pocket',
      'Gariahat,22.5177,88.3659',
      '--currency',
      'INR',
    ]);
    const loaded = loadCity(dir);
    const { city, pockets, outlets } = loaded.registry;
    assert.deepEqual(
      [city.name, city.time_zone, city.currency, city.locale],
      ['Kolkata', 'Asia/Kolkata', 'INR', 'en-GB'],
    );
    assert.deepEqual(
      pockets.map(({ id, lat, lng }) => [id, lat, lng]),
      [
        ['park-street', 22.5535, 88.3521],
        ['gariahat', 22.5177, 88.3659],
      ],
    );
    assert.deepEqual(pockets[0]?.expects, ['rain_mm', 'temperature_c', 'humidity_pct', 'pm25']);
    assert.deepEqual(outlets, []);
    assert.equal(city.priors.temperature_c?.low, 22);
    const summary = citySummary(loaded);
    assert.match(summary, /no feed measures the crowd of park-street, gariahat: .*no moment is composed\./);
    assert.match(summary, /a feed with a field that measures crowd is missing/);
    for (const file of readdirSync(dir)) {
      const { $schema } = JSON.parse(readFileSync(join(dir, file), 'utf8'));
      assert.equal(resolve(dir, $schema), join(citiesDir, 'schema', file.replace('.json', '.schema.json')));
    }
  });

  test('refuses a folder that is not empty, and writes nothing where something is wrong', async () => {
    const full = folder();
    writeFileSync(join(full, 'notes.txt'), '');
    const wrong: [dir: string, args: string[], message: RegExp][] = [
      [full, options, /is not empty: nothing was written$/],
      [join(full, 'notes.txt'), options, /is not a folder$/],
      [join(root, 'a'), ['--name', 'X'], /^--name, --time-zone and at least one --pocket must be given$/],
      [
        join(root, 'a'),
        [...options, '--pocket', 'Nowhere'],
        /^--pocket must be "NAME,LAT,LNG" in degrees, but Nowhere is not$/,
      ],
      [
        join(root, 'a'),
        [...options, '--pocket', 'North,91,0'],
        /^pockets\.json: entry 2 \(north\): lat must be a number/,
      ],
      [
        join(root, 'a'),
        [...options, '--pocket', 'Park Street,1,1'],
        /^pockets\.json: entry 2 \(park-street\): id must be unique/,
      ],
      [
        join(root, 'a'),
        [...options, '--currency', 'rupee'],
        /^city\.json: currency must be a currency of ISO 4217/,
      ],
      [
        join(root, 'a'),
        [...options, '--time-zone', 'Asia/Atlantis'],
        /^city\.json: time_zone Asia\/Atlantis is not in the IANA database$/,
      ],
    ];
    for (const [dir, args, message] of wrong)
      await assert.rejects(
        cityCommand.run(['new', dir, ...args]),
        (error: Error) => error instanceof UsageError && message.test(error.message),
        args.join(' '),
      );
    assert.deepEqual(readdirSync(full), ['notes.txt']);
    assert.ok(!existsSync(join(root, 'a')));
  });
});
