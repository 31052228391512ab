// Keys of feeds with real servers: what each of them was sent, by the poller, the listener and `feeds check`, and that
// no key comes into what is stored, logged or answered. Two ports of this machine are two hosts.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, beforeEach, type TestContext, test } from 'node:test';
import { checkFeeds } from '../../src/cli/runtime/feeds/check-feeds.ts';
import { readFeedKeys } from '../../src/config.ts';
import { iso } from '../../src/domain/time/slot.ts';
import { feedContext } from '../../src/pipeline/feeds/feed-context.ts';
import { runTopicListeners } from '../../src/pipeline/feeds/listen-topics.ts';
import { pollFeeds } from '../../src/pipeline/feeds/poll-feeds.ts';
import { cityDir } from '../../src/registry/city-dir.ts';
import { loadRegistry } from '../../src/registry/load.ts';
import type { Feed } from '../../src/sources/core/feed.ts';
import { describeFeeds } from '../../src/sources/core/feed-terms.ts';
import { allAdapters } from '../../src/sources/live/all.ts';
import { feedStates } from '../../src/store/feeds/feed-states.ts';
import { startMqttBroker } from '../support/feed-server/mqtt-broker.ts';
import { ask } from '../support/services/http-client.ts';
import { eventually } from '../support/services/operator-commands.ts';
import { NOON, startService } from '../support/services/service.ts';
import { dumpTables } from '../support/stores/dump-tables.ts';

const SECRET = 's3cret+key/value';
/** A test that waits in vain ends. */
const PATIENCE_MS = 20_000;
const forms = [SECRET, encodeURIComponent(SECRET), 's3cret'];

interface Asked {
  url: string;
  header: unknown;
}

async function recordingServer() {
  const asked: Asked[] = [];
  const behaviour: { answer: RequestListener } = { answer: (_, response) => response.end() };
  const server = createServer((request, response) => {
    asked.push({ url: request.url ?? '', header: request.headers['x-key'] });
    behaviour.answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { host, url: `http://${host}`, asked, behaviour };
}

const named = await recordingServer();
const stranger = await recordingServer();
const rows: RequestListener = (_, response) =>
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify([{ place: 'gate', people: 7, at: iso(NOON) }]));

beforeEach(() => {
  for (const { asked, behaviour } of [named, stranger]) {
    asked.length = 0;
    behaviour.answer = rows;
  }
});

const registry = loadRegistry(cityDir('muenster'));
const [pocket] = registry.pockets;
assert.ok(pocket);
const { lat, lng } = pocket;

const feedAt = (url: string, changes: Partial<Feed> = {}): Feed => ({
  id: 'counters',
  title: 'Counters',
  adapter: 'generic-json',
  every_seconds: 60,
  allow_private: true,
  key: { env: 'FEED_KEY_TOWN', header: 'x-key' },
  reach_m: 500,
  fields: { people: { measures: 'crowd', points: 'up', what: 'people', fresh_minutes: 20 } },
  places: { gate: { lat, lng } },
  settings: { url: `${url}/rows?a=1%2C2`, place: 'place', time: { at: 'at' }, fields: { people: 'people' } },
  ...changes,
});
const carParks = (settings: object, env: string): Feed => {
  const { people = assert.fail() } = feedAt('').fields;
  const lta = { datasets: ['car-parks'], ...settings };
  return feedAt('', {
    adapter: 'lta-datamall',
    key: { env, header: 'x-key' },
    fields: { free_lots: people },
    settings: lta,
  });
};
const inQuery = { key: { env: 'FEED_KEY_TOWN', query: 'app.key' } };
const sensors = (url: string): Feed => {
  const { key: _, ...feed } = feedAt('', { adapter: 'mqtt' });
  const topics = [{ topic: 'city/+place/+field', payload: 'number', fields: { people: {} } }];
  const keys = { username_env: 'FEED_KEY_USER', password_env: 'FEED_KEY_TOWN' };
  return { ...feed, settings: { url, ...keys, topics } };
};

const townKey = {
  FEED_KEY_TOWN: SECRET,
  FEED_KEY_TOWN_HOSTS: `${named.host},town.example`,
  DATABASE_URL: SECRET,
};

/** A service whose poller reads these feeds. */
async function watching(t: TestContext, feeds: Feed[], environment: Record<string, string>) {
  const described = { ...registry, feeds: describeFeeds(feeds, allAdapters) };
  const { url, store } = await startService(t, { registry: described, days: 0, substrate: 'live' });
  const lines: string[] = [];
  const log = (fields: object, message: string) => void lines.push(`${message} ${JSON.stringify(fields)}`);
  const keys = readFeedKeys(environment);
  const context = feedContext({
    store,
    feeds,
    keys,
    pockets: registry.pockets,
    time_zone: registry.city.time_zone,
    worker: 'test',
    userAgent: 'pocketwatch/test',
    log: { info: log, warn: log },
    keep: { feed_days: 14, archive_days: 7, archive_bytes: 1e9 },
    clock: () => NOON,
    policy: { retries: 0, pause_ms: 1, failures: 50, open_ms: 1 },
    listening: { batch: 20, lease: 2_000, retry: 20, rest: 50, reconnect: 20 },
  });
  return {
    url,
    store,
    context,
    poll: () => pollFeeds(context, NOON, AbortSignal.timeout(20_000)),
    error: async () => (await feedStates(store))[0]?.last_error ?? null,
    check: () =>
      checkFeeds({
        feeds,
        keys,
        pockets: registry.pockets,
        time_zone: registry.city.time_zone,
        userAgent: 'pocketwatch/test',
        clock: () => NOON,
        listening: { ms: 5_000, messages: 1 },
      }),
    /** All that is stored, logged and answered. */
    everything: async () => {
      const paths = [
        '/status',
        '/feeds',
        '/api/feeds',
        '/api/heartbeat',
        `/api/provenance?pocket=${pocket?.id}`,
      ];
      const answers = await Promise.all(paths.map(async (path) => (await ask(url + path)).text));
      return JSON.stringify([await dumpTables(store), lines, answers]);
    },
  };
}

const assertSecret = (text: string) => {
  for (const form of forms) assert.ok(!text.includes(form), form);
};

const line = `its key may not be sent to that host: add ${stranger.host} to FEED_KEY_TOWN_HOSTS`;
const elsewhere: [what: string, feed: Feed, line: string][] = [
  ['in a header', feedAt(stranger.url), line],
  ['in the query', feedAt(stranger.url, inQuery), line],
  [
    'by a name of the same machine that is not named',
    feedAt(named.url.replace('127.0.0.1', 'localhost')),
    line.replace(stranger.host, named.host.replace('127.0.0.1', 'localhost')),
  ],
  [
    'of an adapter that is sent to another host',
    carParks({ base_url: stranger.url }, 'FEED_KEY_LTA'),
    `its key may not be sent to that host: set FEED_KEY_LTA_HOSTS=${stranger.host}`,
  ],
  [
    'of another publisher, to the hosts of an adapter',
    carParks({}, 'FEED_KEY_TOWN'),
    'its key may not be sent to that host: add datamall2.mytransport.sg to FEED_KEY_TOWN_HOSTS',
  ],
  [
    'that is any other variable',
    feedAt(named.url, { key: { env: 'DATABASE_URL', header: 'x-key' } }),
    'its key DATABASE_URL is not set',
  ],
];
for (const [what, feed, expected] of elsewhere)
  test(`a key is not sent ${what}: nothing is asked, and one line says why`, async (t) => {
    const service = await watching(t, [feed], { ...townKey, FEED_KEY_LTA: SECRET });
    await service.poll();
    const { feeds } = await service.check();
    assert.deepEqual([named.asked, stranger.asked], [[], []]);
    assert.equal(await service.error(), expected);
    assert.deepEqual(feeds[0]?.problems, [expected]);
    for (const path of ['/status', '/feeds', '/api/feeds'])
      assert.ok((await ask(service.url + path)).text.includes(expected.slice('its '.length)), path);
    assertSecret((await service.everything()) + JSON.stringify(feeds));
  });

test('to a host that is named it is sent, in a header or in the query, and is seen nowhere else', async (t) => {
  for (const [changes, sent] of [
    [{}, { url: '/rows?a=1%2C2', header: SECRET }],
    [inQuery, { url: `/rows?a=1%2C2&app.key=${encodeURIComponent(SECRET)}`, header: undefined }],
  ] as const) {
    named.asked.length = 0;
    const service = await watching(t, [feedAt(named.url, changes)], townKey);
    assert.deepEqual(await service.poll(), [{ feed: 'counters', outcome: 'read', rows: 1 }]);
    const { feeds } = await service.check();
    assert.deepEqual(feeds[0]?.problems, []);
    assert.deepEqual(named.asked, [sent, sent]);
    const bodies = await service.store.all<{ url: string }>('select url from feed_bodies');
    assert.deepEqual(
      bodies.map((body) => body.url),
      [`${named.url}/rows?a=1%2C2`],
    );
    assertSecret((await service.everything()) + JSON.stringify(feeds));
  }
});

test('a publisher that repeats the key, refuses it or sends it on does not spread it', async (t) => {
  const echo = (body: (url: string) => string, status = 200): RequestListener => {
    return ({ url = '' }, response) =>
      response
        .writeHead(status, { 'content-type': 'application/json', etag: `"${url.split('=').at(-1)}"` })
        .end(body(url));
  };
  const answers: RequestListener[] = [
    echo((url) => JSON.stringify([{ place: 'gate', people: 7, lat, lng, at: iso(NOON), self: url }])),
    echo((url) => JSON.stringify({ error: `the key in ${url} has expired` })),
    echo((url) => url, 403),
    echo((url) => `<html>${url}`),
    ({ socket }) => socket.destroy(),
  ];
  for (const [n, answer] of answers.entries()) {
    named.behaviour.answer = answer;
    const feed = feedAt(named.url, inQuery);
    const byAddress = {
      ...feed,
      id: 'by-address',
      settings: { ...feed.settings, place: 'self', lat: 'lat', lng: 'lng' },
    };
    const service = await watching(t, [feed, byAddress], townKey);
    const outcomes = await service.poll();
    const { feeds } = await service.check();
    assert.ok(named.asked.length > n, 'it was asked');
    assert.deepEqual(await service.store.all('select hash from feed_bodies'), [], 'no body is kept');
    assert.deepEqual(
      outcomes.map(({ rows }) => rows),
      n === 0 ? [1, 0] : [0, 0],
    );
    assertSecret((await service.everything()) + JSON.stringify([outcomes, feeds]));
  }
});

test('a key does not follow a redirect or a link to another host', async (t) => {
  for (const changes of [{}, inQuery]) {
    named.asked.length = 0;
    named.behaviour.answer = ({ url }, response) =>
      response.writeHead(302, { location: `${stranger.url}${url}` }).end();
    const service = await watching(t, [feedAt(named.url, changes)], townKey);
    await service.poll();
    await service.check();
    assert.deepEqual([named.asked.length, stranger.asked], [2, []]);
    assert.equal(await service.error(), `${named.host} redirects to another host`);
    assertSecret(await service.everything());
  }
  // gbfs.json may list files at other hosts, which the city's file allows: they are asked without the key.
  const lists = { data: { feeds: [{ name: 'station_status', url: `${stranger.url}/status` }] } };
  named.behaviour.answer = (_, response) => response.end(JSON.stringify(lists));
  const gbfs = feedAt('', {
    adapter: 'gbfs',
    settings: { url: `${named.url}/gbfs.json`, hosts: [stranger.host] },
  });
  await (await watching(t, [gbfs], townKey)).poll();
  assert.deepEqual(stranger.asked, [{ url: '/status', header: undefined }]);
});

test('on the same host a redirect is followed with the key', async (t) => {
  named.behaviour.answer = (request, response) =>
    request.url?.startsWith('/rows')
      ? response.writeHead(302, { location: '/moved?b=2' }).end()
      : rows(request, response);
  const service = await watching(t, [feedAt(named.url, inQuery)], townKey);
  assert.equal((await service.poll())[0]?.outcome, 'read');
  const key = `app.key=${encodeURIComponent(SECRET)}`;
  assert.deepEqual(
    named.asked.map(({ url }) => url),
    [`/rows?a=1%2C2&${key}`, `/moved?b=2&${key}`],
  );
  assertSecret(await service.everything());
});

test('a broker that is not named is not even connected to', async (t) => {
  const broker = await startMqttBroker({ places: [{ id: 'gate', lat, lng }], fields: ['people'] });
  t.after(() => broker.close());
  const { host } = new URL(broker.url);
  const users = { ...townKey, FEED_KEY_USER: 'sensor', FEED_KEY_USER_HOSTS: host };
  const tables: [environment: Record<string, string>, line: string][] = [
    [users, `add ${host} to FEED_KEY_TOWN_HOSTS`],
    [
      { FEED_KEY_TOWN: SECRET, FEED_KEY_USER: 'sensor' },
      `set FEED_KEY_USER_HOSTS=${host} and FEED_KEY_TOWN_HOSTS=${host}`,
    ],
  ];
  for (const [environment, words] of tables) {
    const service = await watching(t, [sensors(broker.url)], environment);
    const stop = new AbortController();
    const done = runTopicListeners(service.context, stop.signal);
    await eventually(async () => (await service.error()) !== null, PATIENCE_MS);
    stop.abort();
    await done;
    const expected = `its key may not be sent to that host: ${words}`;
    assert.equal(await service.error(), expected);
    const { feeds } = await service.check();
    assert.deepEqual(feeds[0]?.problems, [expected]);
    assert.deepEqual([broker.logins, broker.connections()], [[], 0]);
    assertSecret((await service.everything()) + JSON.stringify(feeds));
  }
  const service = await watching(t, [sensors(broker.url)], { ...users, FEED_KEY_TOWN_HOSTS: host });
  await service.check();
  assert.deepEqual(broker.logins, [{ username: 'sensor', password: SECRET }]);
});

test('a broker that repeats the password as the name of a place does not spread it', async (t) => {
  const PASSWORD = 's3cret-word';
  const places = { gate: { lat, lng }, [PASSWORD]: { lat, lng } };
  const broker = await startMqttBroker({
    places: Object.entries(places).map(([id, at]) => ({ id, ...at })),
    fields: ['people'],
  });
  t.after(() => broker.close());
  const { host } = new URL(broker.url);
  const service = await watching(t, [{ ...sensors(broker.url), places }], {
    FEED_KEY_USER: 'sensor',
    FEED_KEY_USER_HOSTS: host,
    FEED_KEY_TOWN: PASSWORD,
    FEED_KEY_TOWN_HOSTS: host,
  });
  const stop = new AbortController();
  const done = runTopicListeners(service.context, stop.signal);
  await eventually(async () => {
    broker.send('7');
    return (await feedStates(service.store))[0]?.last_success != null;
  }, PATIENCE_MS);
  stop.abort();
  await done;
  const rows = await service.store.all<{ place_id: string }>('select distinct place_id from measurements');
  assert.deepEqual(
    rows.map(({ place_id }) => place_id),
    ['gate'],
  );
  assertSecret(await service.everything());
});
