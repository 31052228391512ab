import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation, city } from '../../../test/support/answers/ask-operation.ts';
import { SECRET, townRegistry, writeTown } from '../../../test/support/rows/feeds.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { writeExclusions } from '../../store/observation/excluded-sensors.ts';
import { listFeeds } from './list-feeds.ts';

const noon = Date.parse('2026-10-20T10:00:00Z');
const town = townRegistry();

describeStores('list_feeds', (makePlace) => {
  const store = storeFor(makePlace, (empty) => writeTown(empty, noon));
  const ask = (registry = town, now = noon) => askOperation(listFeeds, store(), now, {}, registry);

  test('shows how each feed is doing', async () => {
    const { structured, text } = await ask();
    const [parking, counters] = structured.feeds;
    assert.deepEqual(parking, {
      id: 'parking',
      title: 'Car parks',
      publisher: 'The Town',
      licence: 'CC BY 4.0',
      attribution: 'Car parks of The Town, read on 2026-10-20',
      every_seconds: 300,
      fresh: true,
      last_success_at: '2026-10-20T09:59:00.000Z',
      last_attempt_at: '2026-10-20T09:59:00.000Z',
      age_minutes: 1,
      newest_observed_at: '2026-10-20T09:56:00.000Z',
      places: 1,
      pockets: ['domplatz'],
      share_of_pockets: Number((1 / town.pockets.length).toFixed(3)),
      consecutive_failures: 0,
      breaker: 'closed',
      last_error: null,
      faults: { stale: 2 },
      faults_total: { stale: 5, no_data: 1 },
      excluded_sensors: [],
      budget: { limit: 10, per_seconds: 3600, used: 2 },
    });
    assert.ok(counters);
    const { fresh, age_minutes, consecutive_failures, breaker, last_error } = counters;
    assert.deepEqual(
      { fresh, age_minutes, consecutive_failures, breaker, last_error },
      {
        fresh: false,
        age_minutes: 47,
        consecutive_failures: 9,
        breaker: 'open',
        last_error: 'the answer has status 500',
      },
    );
    assert.deepEqual([structured.substrate, structured.note], ['live', null]);
    assert.equal(text, '1 of 2 feeds is fresh.');
  });

  test('says on which day the norms of each pocket are ready, across a change of clocks', async () => {
    const { norms } = (await ask()).structured;
    assert.equal(norms.length, town.pockets.length);
    assert.deepEqual(
      norms.find(({ pocket_id }) => pocket_id === 'domplatz'),
      { pocket_id: 'domplatz', first_reading_at: '2026-10-20T10:00:00.000Z', norm_ready_on: '2026-11-03' },
    );
    const others = norms.filter(({ pocket_id }) => pocket_id !== 'domplatz');
    assert.ok(others.every(({ norm_ready_on, first_reading_at }) => !norm_ready_on && !first_reading_at));
    const before = (await ask(town, noon - 1)).structured.norms;
    assert.ok(before.every(({ norm_ready_on }) => norm_ready_on === null));
  });

  test('says which step of learning the city is in, and names stand-ins that are no crowd', async () => {
    const { learning } = (await ask()).structured;
    assert.equal(learning?.step, 'usual');
    assert.equal(learning?.until, '2026-11-03T10:00:00.000Z');
    const taxis = [{ sensor: 'parking/theatre/free', excluded: true }];
    await store().transaction((tx) => writeExclusions(tx, noon, taxis));
    const { structured, text } = await ask();
    assert.deepEqual(
      structured.feeds.map(({ excluded_sensors }) => excluded_sensors),
      [['parking/theatre/free'], []],
    );
    assert.match(text, /as full at night as by day, and so not a crowd: sensors of parking\.$/);
    const counted = taxis.map((one) => ({ ...one, excluded: false }));
    await store().transaction((tx) => writeExclusions(tx, noon, counted));
    assert.deepEqual((await ask()).structured.feeds[0]?.excluded_sensors, []);
  });

  test('a feed that was not polled yet is listed with its terms', async () => {
    const [known] = town.feeds ?? [];
    assert.ok(known);
    const { feeds } = (await ask({ ...town, feeds: [{ ...known, id: 'new' }] })).structured;
    assert.deepEqual(
      feeds.map(({ id, fresh, last_success_at, age_minutes }) => [id, fresh, last_success_at, age_minutes]),
      [['new', false, null, null]],
    );
  });

  test('a simulated city has none, and a sentence', async () => {
    const { structured, text } = await ask(city);
    assert.deepEqual([structured.feeds, structured.norms, structured.count], [[], [], 0]);
    assert.equal(structured.note, 'no feed is configured: a model of the city makes the signals.');
    assert.equal(text, structured.note);
  });

  test('shows no key', async () => {
    assert.doesNotMatch(JSON.stringify(await ask()), new RegExp(`${SECRET}|FEED_KEY_TOWN|x-town-key`));
  });
});
