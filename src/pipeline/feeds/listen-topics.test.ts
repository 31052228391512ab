// Sensors that send by themselves, from a broker to stored rows.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { startMqttBroker } from '../../../test/support/feed-server/mqtt-broker.ts';
import { dumpTables } from '../../../test/support/stores/dump-tables.ts';
import { openMigratedStore, openStores } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { readFeedKeys } from '../../config.ts';
import type { Pocket } from '../../domain/city/city.ts';
import { isFeedFresh } from '../../domain/city/city-feed.ts';
import type { Feed } from '../../sources/core/feed.ts';
import { describeFeeds } from '../../sources/core/feed-terms.ts';
import { allAdapters, feedProblems } from '../../sources/live/all.ts';
import type { Engine } from '../../store/engine/store.ts';
import { readBody } from '../../store/feeds/archive.ts';
import { feedStates, leaseFeed } from '../../store/feeds/feed-states.ts';
import { measurementsReceived } from '../../store/feeds/measurements.ts';
import { feedContext } from './feed-context.ts';
import { runTopicListeners } from './listen-topics.ts';

const HOUR = 3_600_000;
const PASSWORD = 's3cret+word';
const pockets = [{ id: 'dom', lat: 51.963, lng: 7.6255 }] as Pocket[];
const places = [
  { id: 'gate', lat: 51.963, lng: 7.626 },
  { id: 'hall', lat: 51.963, lng: 7.625 },
];

const sensorFeed = (url: string, changes: Partial<Feed> = {}): Feed => ({
  id: 'sensors',
  title: 'sensors',
  adapter: 'mqtt',
  every_seconds: 60,
  allow_private: true,
  reach_m: 500,
  fields: { people: { measures: 'crowd', points: 'up', what: 'people', fresh_minutes: 20 } },
  places: Object.fromEntries(places.map(({ id, lat, lng }) => [id, { lat, lng }])),
  settings: {
    url,
    username_env: 'FEED_KEY_USER',
    password_env: 'FEED_KEY_PASSWORD',
    topics: [{ topic: 'city/+place/+field', payload: 'number', expires_minutes: 5, fields: { people: {} } }],
  },
  ...changes,
});

async function brokerFor(t: TestContext, port?: number) {
  const broker = await startMqttBroker({
    places,
    fields: ['people'],
    values: () => 4,
    ...(port && { port }),
  });
  t.after(() => broker.close());
  return broker;
}

const keysFor = ({ settings }: Feed, host = new URL(String(settings.url)).host) =>
  readFeedKeys({
    FEED_KEY_USER: 'sensor',
    FEED_KEY_USER_HOSTS: host,
    FEED_KEY_PASSWORD: PASSWORD,
    FEED_KEY_PASSWORD_HOSTS: host,
  });

/** Listens with short intervals until the test ends or stops it. */
function startListener(t: TestContext, store: Engine, feed: Feed, keys = keysFor(feed)) {
  const lines: string[] = [];
  const log = (fields: object, message: string) => void lines.push(`${message} ${JSON.stringify(fields)}`);
  const context = feedContext({
    store,
    feeds: [feed],
    pockets,
    time_zone: 'Europe/Berlin',
    worker: 'test',
    userAgent: 'pocketwatch/test',
    keys,
    log: { info: log, warn: log },
    keep: { feed_days: 14, archive_days: 7, archive_bytes: 1e9 },
    listening: { batch: 20, lease: 2_000, retry: 20, rest: 50, reconnect: 20 },
  });
  const abort = new AbortController();
  const done = runTopicListeners(context, abort.signal);
  const stop = () => {
    abort.abort();
    return done;
  };
  t.after(stop);
  return { context, lines, stop };
}

/** A test that waits in vain ends. */
const PATIENCE_MS = 20_000;

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const began = performance.now();
  while (!(await holds())) {
    assert.ok(performance.now() - began < PATIENCE_MS, `in vain: ${holds}`);
    await delay(10);
  }
}
const receivedRows = async (store: Engine) =>
  measurementsReceived(store, (await store.clock()) + HOUR, 2 * HOUR);
const readState = async (store: Engine) => (await feedStates(store))[0];
const isConnected = async (store: Engine) => (await readState(store))?.faults_total.stale === 2;

describeStores('feeds that send by themselves', (makePlace) => {
  test('messages become rows that lead back to the bytes; the password stays out', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const broker = await brokerFor(t);
    const feed = sensorFeed(broker.url);
    assert.deepEqual(feedProblems(feed), []);
    const { lines, stop } = startListener(t, store, feed);
    // The broker sends what it kept, without a time: of unknown age.
    await until(() => isConnected(store));
    assert.deepEqual(await receivedRows(store), []);
    assert.equal((await readState(store))?.last_success, null, 'messages of which nothing can be used');
    broker.send('7');
    await until(async () => (await receivedRows(store)).length === 2);
    const [row] = await receivedRows(store);
    assert.deepEqual([row?.place_id, row?.value, row?.observed_at], ['gate', 7, null]);
    const kept = (row?.expires_at ?? 0) - (row?.received_at ?? 0);
    assert.ok(kept > 0 && kept <= 5 * 60_000, `${kept} ms from its receipt`);
    const body = await readBody(store, 'sensors', row?.body ?? '');
    assert.equal(body?.url, broker.url);
    const sent = JSON.parse(Buffer.from(body?.raw ?? []).toString());
    assert.deepEqual([sent[0].topic, sent[0].payload], ['city/gate/people', '7']);
    assert.ok(Date.parse(sent[0].at) <= (row?.received_at ?? 0));

    const state = await readState(store);
    assert.deepEqual(
      [state?.last_success, state?.last_error, state?.pockets, state?.places, state?.failures],
      [row?.received_at, null, ['dom'], 2, 0],
    );
    const [described] = describeFeeds([feed], allAdapters);
    assert.ok(described && isFeedFresh(described, state, row?.received_at ?? 0));

    broker.send(`{"n": "${PASSWORD}"}`);
    await until(async () => (await readState(store))?.faults_total.bad_value === 2);
    await stop();
    assert.deepEqual(lines, ['feed connected {"feed":"sensors"}']);
    assert.ok(!JSON.stringify(await dumpTables(store)).includes(PASSWORD));
  });

  test('of several workers one listens; when it stops or dies another takes over', async (t) => {
    const stores = await openStores(t, makePlace, 2);
    const [store] = stores;
    assert.ok(store);
    const broker = await brokerFor(t);
    // A worker that died: its lease ends by itself.
    const now = await store.clock();
    assert.ok(await leaseFeed(store, 'sensors', 'dead', now, now + 300));
    const listeners = stores.map((each) => startListener(t, each, sensorFeed(broker.url)));
    await until(() => isConnected(store));
    assert.ok((await store.clock()) >= now + 300);
    assert.equal(broker.connections(), 1);
    broker.send('7');
    await until(async () => (await receivedRows(store)).length === 2);
    assert.equal(broker.connections(), 1);
    const holder = listeners.findIndex(({ lines }) => lines.length > 0);
    await listeners[holder]?.stop();
    const other = listeners[1 - holder];
    await until(() => other?.lines.length === 1);
    broker.send('8');
    await until(async () => (await receivedRows(store)).length === 4);
    assert.equal(broker.connections(), 1);

    // The lease is lost, for example after a long pause of the process: nothing more is stored under it.
    await store.transaction(async (tx) => {
      await tx.run("update feed_states set lease = 'another', lease_until = ?", (await store.clock()) + HOUR);
    });
    broker.send('9');
    await until(() => broker.connections() === 0);
    assert.equal((await receivedRows(store)).length, 4);
    await other?.stop();
    assert.match(other?.lines[1] ?? '', /^another worker listens to the feed now/);
  });

  test('a broker that stops and returns is logged once each, and an error of the feed meanwhile', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const broker = await startMqttBroker({ places, fields: ['people'], values: () => 4 });
    const { lines, stop } = startListener(t, store, sensorFeed(broker.url));
    await until(() => isConnected(store));
    await broker.close();
    await until(async () => ((await readState(store))?.failures ?? 0) > 0);
    const down = await readState(store);
    assert.match(down?.last_error ?? '', /^127\.0\.0\.1:\d+ (closed the connection|cannot be reached)/);
    await delay(100);
    const again = await brokerFor(t, Number(new URL(broker.url).port));
    await until(async () => (await readState(store))?.failures === 0);
    again.send('7');
    await until(async () => (await receivedRows(store)).length === 2);
    await stop();
    assert.equal((await readState(store))?.last_error, null);
    assert.deepEqual(
      lines.map((line) => line.replace(/ \{.*/, '')),
      ['feed connected', 'feed went down', 'feed came back'],
    );
  });

  test('settings that cannot work are an error of the feed, told once, and nothing is connected', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const broker = await brokerFor(t);
    const closed = startListener(t, store, sensorFeed(broker.url, { allow_private: false }));
    await until(async () => ((await readState(store))?.failures ?? 0) >= 2);
    await closed.stop();
    assert.equal(closed.lines.length, 1);
    assert.match(closed.lines[0] ?? '', /^feed went down .*127\.0\.0\.1 is inside a private network/);
    const { settings } = sensorFeed(broker.url);
    const keyless = sensorFeed(broker.url, { settings: { ...settings, password_env: 'FEED_KEY_UNSET' } });
    const { stop } = startListener(t, store, keyless);
    await until(async () => (await readState(store))?.last_error === 'its key FEED_KEY_UNSET is not set');
    await stop();
    assert.equal(broker.connections(), 0);
  });

  test('what comes while the store fails is stored afterwards', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const broker = await brokerFor(t);
    const { context, lines, stop } = startListener(t, store, sensorFeed(broker.url));
    await until(() => isConnected(store));
    const { transaction } = context.store;
    context.store.transaction = () => Promise.reject(new Error('the disk is full'));
    broker.send('7');
    await until(() => lines.length === 2);
    context.store.transaction = transaction;
    await until(async () => (await receivedRows(store)).length === 2);
    await stop();
    assert.equal(lines[1], 'feeds cannot be stored {"feed":"sensors","error":"the disk is full"}');
  });
});
