import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startMqttBroker } from '../../../test/support/feed-server/mqtt-broker.ts';
import { readFeedKeys } from '../../config.ts';
import type { Pocket } from '../../domain/city/city.ts';
import { cityDir } from '../../registry/city-dir.ts';
import { loadCity } from '../../registry/load.ts';
import type { Feed } from '../../sources/core/feed.ts';
import { feedProblems } from '../../sources/live/all.ts';
import { checkFeeds } from '../runtime/feeds/check-feeds.ts';
import { formatUserAgent } from '../runtime/user-agent.ts';
import { cityCheckText, refuseWithoutCrowd } from './feeds.ts';

const now = Date.parse('2026-06-10T10:00:00Z');
const seconds = now / 1000;
const pockets = [
  { id: 'dom', lat: 51.963, lng: 7.6255 },
  { id: 'hafen', lat: 51.9505, lng: 7.639 },
] as Pocket[];

const server = createServer(({ url }, response) => {
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const file = (data: object) => ({ last_updated: seconds, ttl: 60, data });
  const names = ['station_information', 'station_status'];
  const station = { is_installed: true, is_renting: true, is_returning: true, num_docks_available: 5 };
  const bodies: Record<string, object> = {
    '/gbfs.json': file({ feeds: names.map((name) => ({ name, url: `${base}/${name}.json` })) }),
    '/station_information.json': file({
      stations: [
        { station_id: 'square', lat: 51.9635, lon: 7.6255 },
        { station_id: 'swapped', lat: 7.6255, lon: 51.964 },
        { station_id: 'far', lat: 51.9, lon: 7.5 },
      ],
    }),
    '/station_status.json': file({
      stations: ['square', 'swapped', 'far'].map((station_id) => ({
        station_id,
        num_bikes_available: 4,
        last_reported: seconds - 180,
        ...station,
      })),
    }),
  };
  const body = bodies[url ?? ''];
  response.writeHead(body ? 200 : 503, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => server.close());
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const feed = (id: string, changes: Partial<Feed>): Feed => ({
  id,
  title: 'Bikes',
  adapter: 'gbfs',
  publisher: 'Bikes of Münster',
  attribution: 'bikes, {date}',
  licence: 'CC0',
  every_seconds: 60,
  allow_private: true,
  reach_m: 500,
  fields: {
    bikes_available: {
      measures: 'crowd',
      points: 'down',
      proxy: true,
      what: 'bikes in docks',
      fresh_minutes: 20,
    },
  },
  settings: { url: `${base}/gbfs.json`, datasets: ['stations'] },
  ...changes,
});
const check = (feeds: Feed[], some = pockets, environment = {}, messages = 4) =>
  checkFeeds({
    feeds,
    pockets: some,
    time_zone: 'Europe/Berlin',
    keys: readFeedKeys(environment),
    listening: { ms: 10_000, messages },
    userAgent: 'pocketwatch/test',
    clock: () => now,
  });

test('shows what a feed gives, for which pockets, how old and what is wrong', async () => {
  const checked = await check([feed('bikes', {})]);
  assert.equal(
    cityCheckText(checked),
    `bikes: Bikes, Bikes of Münster
  reads     bikes_available (bikes in docks; crowd): 2 values of 2 places, newest 3 min old, for dom (2 within reach, nearest 56 m)
  left out  rows by reason: bad_position 1
  licence   CC0
  credit    bikes, 2026-06-10`,
  );
  assert.deepEqual(checked.without_crowd, ['hafen']);
  assert.throws(
    () => refuseWithoutCrowd(checked),
    /^FeedCheckError: no crowd signal for hafen: no moments there$/,
  );
  refuseWithoutCrowd(await check([feed('bikes', {})], pockets.slice(0, 1)));
});

test('asks a question with POST', async (t) => {
  const asked: string[] = [];
  const database = createServer(async (request, response) => {
    asked.push(`${request.method} ${Buffer.concat(await request.toArray())}`);
    response.writeHead(200, { 'content-type': 'text/csv' });
    response.end('sensor,_time,_value\r\ngate,2026-06-10T09:55:00Z,12\r\n');
  }).listen(0, '127.0.0.1');
  t.after(() => database.close());
  await once(database, 'listening');
  const { feeds } = await check([
    feed('influx', {
      adapter: 'generic-csv',
      fields: { people: { measures: 'crowd', points: 'up', what: 'people', fresh_minutes: 20 } },
      places: { gate: { pockets: ['dom'] } },
      settings: {
        url: `http://127.0.0.1:${(database.address() as AddressInfo).port}/api/v2/query`,
        body: { query: 'from(bucket: "city")' },
        place: 'sensor',
        time: { at: '_time' },
        fields: { people: '_value' },
      },
    }),
  ]);
  assert.deepEqual(feeds[0]?.problems, []);
  assert.deepEqual(asked, ['POST {"query":"from(bucket: \\"city\\")"}']);
});

test('says what is wrong with each feed, and goes on with the next', async () => {
  const key = { env: 'FEED_KEY_BIKES', header: 'x-key' };
  const { feeds } = await check([
    feed('unknown', { adapter: 'telepathy' }),
    feed('unset', { settings: {} }),
    feed('keyless', { key }),
    feed('closed', { allow_private: false }),
    feed('far', { reach_m: 1 }),
  ]);
  const problems = new Map(feeds.map(({ feed: id, problems: [first = ''] }) => [id, first]));
  assert.match(problems.get('unknown') ?? '', /^adapter must be one of data-gov-sg, /);
  assert.match(problems.get('unset') ?? '', /^settings .*url/);
  assert.equal(problems.get('keyless'), 'its key FEED_KEY_BIKES is not set');
  assert.match(problems.get('closed') ?? '', /private network/);
  assert.equal(problems.get('far'), 'nothing that was read can be used for a pocket');
});

test('reads a folder and listens to a broker, as the files of a city describe them', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'pocketwatch-feeds-'));
  t.after(() => rmSync(dir, { recursive: true }));
  const places = [
    { id: 'gate', lat: 51.5074, lng: -0.1278 },
    { id: 'hall', lat: 51.5074, lng: -0.1278 },
  ];
  const broker = await startMqttBroker({ places, fields: ['people'], values: () => 4 });
  t.after(() => broker.close());
  const people = { measures: 'crowd', points: 'up', what: 'people', fresh_minutes: 20 } as const;
  const described = (id: string, adapter: string, settings: object): Feed => ({
    id,
    title: id,
    adapter,
    every_seconds: 60,
    publisher: 'the operator',
    allow_private: true,
    reach_m: 300,
    fields: { people },
    places: Object.fromEntries(places.map(({ id: place, lat, lng }) => [place, { lat, lng }])),
    settings: { ...settings },
  });
  const folder = join(dir, 'counts');
  cpSync(cityDir('template'), join(dir, 'city'), { recursive: true });
  cpSync(join(cityDir('template'), 'README.md'), join(folder, 'a.csv.part'));
  const row = (place: string, at: number) => `${new Date(at).toISOString()},counts,${place},,,people,7`;
  const rows = [row('gate', now - 60_000), row('hall', now - 3_600_000)];
  writeFileSync(join(folder, 'a.csv'), ['timestamp,feed,place_id,lat,lon,field,value', ...rows].join('\n'));
  const topics = [{ topic: 'city/+place/+field', payload: 'number', fields: { people: {} } }];
  const sources = [
    described('counts', 'files', { folder, ending: '.csv' }),
    described('recorded', 'files', {}),
    described('sensors', 'mqtt', { url: broker.url, username_env: 'FEED_KEY_USER', topics }),
  ];
  writeFileSync(join(dir, 'city', 'sources.json'), JSON.stringify({ sources }));
  const city = loadCity(join(dir, 'city'), feedProblems);

  const sending = setInterval(() => broker.send('9'), 20);
  t.after(() => clearInterval(sending));
  const named = { FEED_KEY_USER: 'sensor', FEED_KEY_USER_HOSTS: new URL(broker.url).host };
  const checked = await check([...city.feeds], [...city.registry.pockets], named);
  assert.equal(
    cityCheckText(checked),
    `counts: counts, the operator
  reads     people (people; crowd): 1 values of 1 places, newest 1 min old, for market-square (1 within reach, nearest 0 m)
  note      files that would be read: a.csv
  left out  rows by reason: stale 1
  licence   named in sources.json

recorded: recorded, the operator
  reads     people (people; crowd): nothing
  note      it has no folder: it says what the rows of replay files mean, and nothing is read while the city is live
  licence   named in sources.json

sensors: sensors, the operator
  reads     people (people; crowd): 2 values of 2 places, without a time, for market-square (2 within reach, nearest 0 m)
  note      4 messages came
  left out  rows by reason: stale 2
  licence   named in sources.json`,
  );
  assert.deepEqual(checked.without_crowd, []);

  const missing = described('counts', 'files', { folder: join(dir, 'away') });
  const keyless = described('sensors', 'mqtt', {
    url: broker.url,
    password_env: 'FEED_KEY_PASSWORD',
    topics,
  });
  const closed = { ...described('closed', 'mqtt', { url: broker.url, topics }), allow_private: false };
  const unsent = { ...closed, key: { env: 'FEED_KEY_A', header: 'b' } };
  const { feeds } = await check([missing, keyless, closed, unsent], [...city.registry.pockets]);
  assert.deepEqual(
    feeds.flatMap(({ problems }) => problems),
    [
      'its folder does not exist',
      'its key FEED_KEY_PASSWORD is not set',
      '127.0.0.1 is inside a private network; `allow_private` would allow it',
      'key is sent with requests over HTTP, and this adapter makes none',
    ],
  );
});

test('the user agent says who asks', () => {
  const agent = (BASE_URL?: string, CONTACT_DOMAIN?: string) => formatUserAgent({ BASE_URL, CONTACT_DOMAIN });
  assert.match(agent(), /^pocketwatch\/\d+\.\d+\.\d+$/);
  assert.match(agent('https://watch.example'), / \(\+https:\/\/watch\.example\)$/);
  assert.match(agent(undefined, 'mail.example'), / \(\+https:\/\/mail\.example\)$/);
});

test('a place that is closed is shown as such, and one that shows more than it holds is named', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'feeds-check-'));
  const row = (place: string, value: unknown) =>
    `2026-06-10T09:55:00Z,counts,${place},51.963,7.6255,free,${value}\n`;
  writeFileSync(
    join(folder, 'now.csv'),
    `timestamp,feed,place_id,lat,lon,field,value\n${row('a', 'ges')}${row('b', 625)}${row('c', 0)}`,
  );
  const use = { measures: 'crowd', points: 'down', what: 'free places', fresh_minutes: 20 } as const;
  const checked = await check([
    feed('counts', {
      adapter: 'files',
      settings: { folder },
      fields: { free: { ...use, words: { ges: 'closed' } } },
      places: { b: { lat: 51.963, lng: 7.6255, capacity: 350 } },
    }),
  ]);
  rmSync(folder, { recursive: true });
  const text = cityCheckText(checked);
  assert.match(text, /free \(free places; crowd\): 1 values and 1 times "closed" of 2 places/);
  assert.match(text, /b shows 625 where 350 is stated: the stated capacity is too small/);
  assert.match(text, /rows by reason: (zero_unknown 1, over_capacity 1|over_capacity 1, zero_unknown 1)/);
});
