import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import type { Pocket } from '../../domain/city/city.ts';
import type { Feed } from '../../sources/core/feed.ts';
import { checkFeeds } from '../runtime/feeds/check-feeds.ts';
import { userAgentOf } from '../runtime/user-agent.ts';
import { refuseWithoutCrowd, textOf } from './feeds.ts';

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
const check = (feeds: Feed[], some = pockets) =>
  checkFeeds({
    feeds,
    pockets: some,
    time_zone: 'Europe/Berlin',
    environment: {},
    userAgent: 'pocketwatch/test',
    clock: () => now,
  });

test('shows what a feed gives, for which pockets, how old and what is wrong', async () => {
  const checked = await check([feed('bikes', {})]);
  assert.equal(
    textOf(checked),
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

test('says what is wrong with each feed, and goes on with the next', async () => {
  const key = { env: 'BIKE_KEY', header: 'x-key' };
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
  assert.equal(problems.get('keyless'), 'its key BIKE_KEY is not set');
  assert.match(problems.get('closed') ?? '', /private network/);
  assert.equal(problems.get('far'), 'nothing that was read can be used for a pocket');
});

test('the user agent says who asks', () => {
  const agent = (BASE_URL?: string, CONTACT_DOMAIN?: string) => userAgentOf({ BASE_URL, CONTACT_DOMAIN });
  assert.match(agent(), /^pocketwatch\/\d+\.\d+\.\d+$/);
  assert.match(agent('https://watch.example'), / \(\+https:\/\/watch\.example\)$/);
  assert.match(agent(undefined, 'mail.example'), / \(\+https:\/\/mail\.example\)$/);
});
