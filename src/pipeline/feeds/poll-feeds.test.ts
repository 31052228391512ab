import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import Type from 'typebox';
import { dumpTables } from '../../../test/support/stores/dump-tables.ts';
import { openMigratedStore, openStores } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { readFeedKeys } from '../../config.ts';
import type { Pocket } from '../../domain/city/city.ts';
import { isFeedFresh } from '../../domain/city/city-feed.ts';
import type { Adapter, ParsedFeed } from '../../sources/core/adapter.ts';
import type { Feed, FieldUse } from '../../sources/core/feed.ts';
import { describeFeeds } from '../../sources/core/feed-terms.ts';
import { fetchLimits } from '../../sources/core/fetch-body.ts';
import { parseJson } from '../../sources/core/rows/decode.ts';
import { liveSource } from '../../sources/live/live-source.ts';
import { requireList, requireObject } from '../../sources/live/parse/json.ts';
import type { Engine } from '../../store/engine/store.ts';
import { readBody } from '../../store/feeds/archive.ts';
import { feedStates } from '../../store/feeds/feed-states.ts';
import { measurementsReceived } from '../../store/feeds/measurements.ts';
import { feedContext } from './feed-context.ts';
import { pollFeeds, runFeedPoller } from './poll-feeds.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const start = Date.parse('2026-06-10T10:00:00Z');
const SECRET = 's3cret+key/value';

// A server of its own: each test says how a path is answered.
const listeners = new Map<string, RequestListener>();
const requests: { path: string; key: unknown; agent: unknown }[] = [];
const server = createServer((request, response) => {
  const path = request.url ?? '';
  requests.push({ path, key: request.headers['x-key'], agent: request.headers['user-agent'] });
  (listeners.get(path) ?? ((_, { writeHead }) => writeHead(404)))(request, response);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
after(() => {
  server.closeAllConnections();
  server.close();
});

interface Row {
  id: string;
  value: number;
  at: number | null;
  lat?: number;
}
const json =
  (rows: unknown, headers = {}): RequestListener =>
  (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(rows));
const row = (id: string, at: number | null, value = 7, lat = 51.963): Row => ({ id, at, value, lat });

/** Rows as a JSON list; an object `{next}` leads to another address. */
const listAdapter: Adapter<{ url: string }> = {
  name: 'list',
  about: {
    publisher: 'Test city',
    limit: null,
    changes_every_seconds: 60,
    licence: 'none',
    attribution: 'test city',
    key: null,
  },
  settings: Type.Object({ url: Type.String() }),
  requests: ({ settings }) => [{ url: settings.url }],
  parse(body, feed): ParsedFeed {
    const value = parseJson(body);
    if (!Array.isArray(value)) {
      const { next } = requireObject(value, 'the body');
      return { measurements: [], faults: {}, next: [{ url: String(next) }] };
    }
    const measurements = requireList(value, 'the body').map((item) => {
      const { id, value, at, lat = null } = item as Row;
      return { feed: feed.id, place_id: id, field: 'people', value, observed_at: at, lat, lng: 7.626 };
    });
    return { measurements, faults: {}, next: [] };
  },
};

const feedAt = (id: string, changes: Partial<Feed> = {}): Feed => ({
  id,
  title: id,
  adapter: 'list',
  every_seconds: 300,
  allow_private: true,
  reach_m: 500,
  fields: { people: { measures: 'crowd', points: 'up', what: 'people', fresh_minutes: 20 } },
  settings: { url: `${base}/${id}` },
  ...changes,
});

const cityKey = readFeedKeys({ FEED_KEY_CITY: SECRET, FEED_KEY_CITY_HOSTS: new URL(base).host });

/** A poller on a clock that the test moves. */
function startPoller(
  store: Engine,
  feeds: Feed[],
  clock = { now: start },
  keys = cityKey,
  timeout_ms = 1_000,
) {
  const lines: string[] = [];
  const log = (level: string) => (fields: object, message: string) =>
    void lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
  const context = feedContext({
    store,
    feeds,
    pockets: [{ id: 'dom', lat: 51.963, lng: 7.6255 }] as Pocket[],
    time_zone: 'Europe/Berlin',
    worker: 'test',
    userAgent: 'pocketwatch/test (+https://watch.example)',
    keys,
    log: { info: log('info'), warn: log('warn') },
    keep: { feed_days: 14, archive_days: 7, archive_bytes: 1e9 },
    clock: () => clock.now,
    adapters: [listAdapter],
    limits: { ...fetchLimits, timeout_ms, max_bytes: 1e6 },
    policy: { retries: 1, pause_ms: 1, failures: 50, open_ms: 1 },
  });
  const idle = new AbortController().signal;
  return { context, clock, lines, poll: (signal = idle) => pollFeeds(context, clock.now, signal) };
}

const readState = async (store: Engine, feed = 'gates') =>
  (await feedStates(store)).find((state) => state.feed === feed);
const received = (store: Engine, now: number) => measurementsReceived(store, now, 24 * HOUR);

describeStores('polling feeds', (makePlace) => {
  test('stores what a feed gives with its times, and leads back to the bytes', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const { poll, clock } = startPoller(store, [feedAt('gates')]);
    const rows = [
      row('north', start - MINUTE),
      row('far', start - MINUTE, 1, 40),
      row('north', start - MINUTE, 9),
    ];
    listeners.set('/gates', json(rows, { etag: '"1"' }));
    assert.deepEqual(await poll(), [{ feed: 'gates', outcome: 'read', rows: 1 }]);
    const [stored, ...others] = await received(store, start);
    assert.deepEqual(
      [others, stored?.value, stored?.observed_at, stored?.received_at],
      [[], 7, start - MINUTE, start],
    );
    const body = await readBody(store, 'gates', stored?.body ?? '');
    assert.deepEqual(
      [Buffer.from(body?.raw ?? []).toString(), body?.url],
      [JSON.stringify(rows), `${base}/gates`],
    );
    const state = await readState(store);
    assert.deepEqual(
      [
        state?.last_success,
        state?.next_due,
        state?.pockets,
        state?.places,
        state?.faults,
        state?.newest_observed,
      ],
      [start, start + 300_000, ['dom'], 1, { duplicate: 1 }, start - MINUTE],
    );
    assert.equal(requests.at(-1)?.agent, 'pocketwatch/test (+https://watch.example)');

    clock.now += 299_000;
    assert.deepEqual(await poll(), [], 'not before it is due');
    clock.now += 1_000;
    listeners.set('/gates', ({ headers }, response) =>
      response.writeHead(headers['if-none-match'] === '"1"' ? 304 : 500).end(),
    );
    assert.deepEqual(await poll(), [{ feed: 'gates', outcome: 'read', rows: 0 }]);
    const unchanged = await readState(store);
    assert.deepEqual([unchanged?.last_success, unchanged?.places], [start + 300_000, 1]);
    clock.now += 300_000;
    assert.equal((await poll())[0]?.outcome, 'read', 'conditional after an answer of 304 as well');
  });

  test('a feed that fails stores nothing, harms no other, and is logged once', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const feeds = [feedAt('gates'), feedAt('bridges', { publisher: 'Another' })];
    const { poll, clock, lines } = startPoller(store, feeds);
    const faults: RequestListener[] = [
      (_, response) => response.writeHead(500).end(),
      (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
      (_, response) =>
        response.writeHead(200, { 'content-length': '99' }).write('[', () => response.destroy()),
      json({ rows: 'of another shape' }),
      ({ socket }) => socket.destroy(),
    ];
    for (const [n, fault] of faults.entries()) {
      listeners.set('/gates', fault);
      listeners.set('/bridges', json([row('b', clock.now)]));
      const outcomes = await poll();
      assert.deepEqual(
        outcomes.map(({ feed, outcome }) => [feed, outcome]),
        [
          ['gates', 'failed'],
          ['bridges', 'read'],
        ],
      );
      assert.equal((await readState(store))?.failures, n + 1);
      clock.now += 5 * MINUTE;
    }
    assert.ok((await received(store, clock.now)).every(({ feed }) => feed === 'bridges'));
    listeners.set('/gates', json([]));
    assert.deepEqual(
      (await poll()).find(({ feed }) => feed === 'gates'),
      { feed: 'gates', outcome: 'read', rows: 0 },
    );
    const state = await readState(store);
    assert.deepEqual([state?.failures, state?.last_error, state?.pockets], [0, null, []]);
    assert.deepEqual(lines, [
      `warn feed went down {"feed":"gates","error":"${new URL(base).host} answers with status 500"}`,
      'info feed came back {"feed":"gates"}',
    ]);
  });

  test('a feed that answers with nothing usable is not fresh, and says so once it had been', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const feed = feedAt('gates');
    const { poll, clock, lines } = startPoller(store, [feed]);
    const [described] = describeFeeds([feed], [listAdapter]);
    assert.ok(described);
    const isFresh = async () => isFeedFresh(described, await readState(store), clock.now);
    listeners.set('/gates', json([]));
    await poll();
    assert.deepEqual(
      [await isFresh(), (await readState(store))?.last_error],
      [false, null],
      'from the start',
    );
    clock.now += 5 * MINUTE;
    listeners.set('/gates', json([row('a', clock.now)]));
    await poll();
    const read = clock.now;
    assert.equal(await isFresh(), true);
    const answers = [
      json([]),
      json([row('a', start - 24 * HOUR)], { etag: '"old"' }),
      ((_, response) => response.writeHead(304).end()) as RequestListener,
      json([row('far', read, 3, 40)]),
    ];
    for (const answer of answers) {
      clock.now += 5 * MINUTE;
      listeners.set('/gates', answer);
      assert.deepEqual(await poll(), [{ feed: 'gates', outcome: 'read', rows: 0 }]);
      const state = await readState(store);
      assert.deepEqual(
        [state?.last_success, state?.last_error],
        [read, 'it answered with nothing that can be used for a pocket'],
      );
    }
    assert.equal(await isFresh(), false, 'after three intervals');
    clock.now += 5 * MINUTE;
    listeners.set('/gates', json([row('a', clock.now)]));
    await poll();
    assert.equal(await isFresh(), true);
    assert.deepEqual(lines, [
      'warn feed went down {"feed":"gates","error":"it answered with nothing that can be used for a pocket"}',
      'info feed came back {"feed":"gates"}',
    ]);
  });

  test('a place that closes is stored as closed, and keeps its feed fresh', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const shut: Feed = {
      ...feedAt('gates'),
      fields: { people: { ...(feedAt('gates').fields.people as FieldUse), zero: 'closed' } },
    };
    const { poll, clock, context } = startPoller(store, [shut]);
    listeners.set('/gates', json([row('a', start, 7)]));
    await poll();
    clock.now += 5 * MINUTE;
    listeners.set('/gates', json([row('a', clock.now, 0)]));
    assert.deepEqual(await poll(), [{ feed: 'gates', outcome: 'read', rows: 1 }]);
    assert.equal((await readState(store))?.last_success, clock.now);
    const source = liveSource([...context.pockets], [shut], (until, lookback) =>
      measurementsReceived(store, until, lookback),
    );
    const signals = await source.observe(clock.now);
    assert.deepEqual(
      signals.map(({ kind, closed, observed_at }) => [kind, closed, observed_at]),
      [['crowd', true, clock.now]],
    );
  });

  test('rows of a clock that is wrong and old rows are counted and left out', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const { poll } = startPoller(store, [feedAt('gates')]);
    const rows = [
      row('ahead', start + 30_000),
      row('future', start + HOUR),
      row('old', start - HOUR),
      row('none', null),
    ];
    listeners.set('/gates', json(rows, { etag: '"1"' }));
    await poll();
    assert.deepEqual(
      (await received(store, start)).map(({ place_id, observed_at }) => [place_id, observed_at]).sort(),
      [
        ['ahead', start],
        ['none', null],
      ],
    );
    const state = await readState(store);
    assert.deepEqual(state?.faults, { future: 1, stale: 1 });
    assert.deepEqual(state?.validators, {}, 'values without a time are asked for again as a whole');
  });

  test('after a 429 the publisher is left alone, by all its feeds', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const { poll, clock } = startPoller(store, [feedAt('gates'), feedAt('bridges')]);
    listeners.set('/gates', (_, response) => response.writeHead(429, { 'retry-after': '1200' }).end());
    listeners.set('/bridges', json([row('b', start)]));
    const outcomes = async () => (await poll()).map(({ outcome }) => outcome);
    assert.deepEqual(await outcomes(), ['failed', 'waiting']);
    listeners.set('/gates', json([row('a', start)]));
    clock.now += 1_199_000;
    assert.deepEqual(await outcomes(), []);
    clock.now += 1_000;
    assert.deepEqual(await outcomes(), ['read', 'read']);
    // Without a time to wait it is a minute, then two.
    listeners.set('/gates', (_, response) => response.writeHead(429).end());
    for (const wait of [5 * MINUTE, 5 * MINUTE, 5 * MINUTE, 8 * MINUTE]) {
      clock.now = (await readState(store))?.next_due ?? 0;
      await poll();
      assert.equal((await readState(store))?.next_due, clock.now + wait);
    }
  });

  test('a key is sent to the feed alone and reaches no log line and no row', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const key = { env: 'FEED_KEY_CITY', header: 'x-key' };
    const url = `${base}/keyed?api_key=${encodeURIComponent(SECRET)}`;
    const feeds = [
      feedAt('keyed', { key, settings: { url } }),
      feedAt('echo', { key }),
      feedAt('broken', { key }),
      feedAt('without', { key: { env: 'FEED_KEY_OTHER', header: 'x-key' } }),
    ];
    const { poll, lines } = startPoller(store, feeds);
    // The same server by another name is another host.
    const elsewhere = `${base.replace('127.0.0.1', 'localhost')}/next`;
    listeners.set(new URL(url).pathname + new URL(url).search, json({ next: elsewhere }));
    listeners.set('/next', json([row('a', start)]));
    listeners.set('/echo', json([{ ...row('b', start), note: SECRET }]));
    listeners.set('/broken', json({ next: `nonsense ${SECRET}` }));
    requests.length = 0;
    const outcomes = await poll();
    assert.deepEqual(
      requests.map(({ path, key: sent }) => [path.split('?')[0], sent]),
      [
        ['/keyed', SECRET],
        ['/next', undefined],
        ['/echo', SECRET],
        ['/broken', SECRET],
      ],
    );
    assert.equal(outcomes.at(-1)?.error, 'its key FEED_KEY_OTHER is not set');
    const everything = JSON.stringify([await dumpTables(store), lines, outcomes]);
    for (const form of [SECRET, encodeURIComponent(SECRET), JSON.stringify(SECRET)])
      assert.ok(!everything.includes(form), form);
    const rows = await received(store, start);
    assert.deepEqual(rows.map(({ place_id, body }) => [place_id, body !== null]).sort(), [
      ['a', true],
      ['b', false],
    ]);
  });

  test('a slow feed delays neither others nor the next look, and is given up at a stop', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const feeds = [feedAt('slow'), feedAt('gates', { publisher: 'Another', every_seconds: 60 })];
    // Not given up before the stop, however slow the machine is.
    const { poll, clock } = startPoller(store, feeds, { now: start }, cityKey, 60_000);
    const arrived = new Promise<void>((done) => listeners.set('/slow', () => done()));
    listeners.set('/gates', json([row('a', start)]));
    const stop = new AbortController();
    const first = poll(stop.signal);
    await arrived;
    clock.now += MINUTE;
    while ((await readState(store))?.last_success !== start + MINUTE) {
      await poll(stop.signal);
      await new Promise(setImmediate);
    }
    stop.abort();
    assert.deepEqual(await first, [
      { feed: 'slow', outcome: 'stopped', rows: 0 },
      { feed: 'gates', outcome: 'read', rows: 1 },
    ]);
    const state = await readState(store, 'slow');
    assert.deepEqual([state?.failures, state?.last_attempt, state?.next_due], [0, null, 0]);
  });

  test('three pollers never exceed the limit of a publisher in a day', async (t) => {
    const stores = await openStores(t, makePlace, 3);
    const limit = { requests: 4, seconds: 3600 };
    const feeds = ['gates', 'bridges'].map((id) => feedAt(id, { limit, every_seconds: 1200 }));
    const clock = { now: start };
    const sent: number[] = [];
    for (const { id } of feeds)
      listeners.set(`/${id}`, (request, response) => {
        sent.push(clock.now);
        // Some of them fail: a retry counts as well.
        if (sent.length % 5 === 0) response.writeHead(500).end();
        else json([row(id, clock.now)])(request, response);
      });
    const pollers = stores.map((store) => startPoller(store, feeds, clock));
    for (; clock.now < start + 24 * HOUR; clock.now += 20 * MINUTE)
      await Promise.all(pollers.map(({ poll }) => poll()));
    for (const from of sent) {
      const within = sent.filter((at) => at >= from && at < from + HOUR).length;
      assert.ok(within <= limit.requests, `${within} requests within an hour`);
    }
    assert.ok(sent.length > 60, `${sent.length} requests`);
  });

  test('the poller runs until it is stopped, and outlives a store that is away', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    listeners.set('/gates', json([row('a', start)]));
    const { context, lines } = startPoller(store, [feedAt('gates')]);
    const stop = new AbortController();
    const away = {
      ...context,
      store: { ...store, all: () => Promise.reject(new Error('datastore unavailable')) },
    };
    const running = [runFeedPoller(context, stop.signal), runFeedPoller(away, stop.signal)];
    while (!(await readState(store))?.last_success) await new Promise(setImmediate);
    stop.abort();
    await Promise.all(running);
    assert.deepEqual(lines, ['warn feeds cannot be stored {"error":"datastore unavailable"}']);
  });
});
