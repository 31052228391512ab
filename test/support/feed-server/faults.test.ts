// Each fault of the emulator does what it says, on the addresses that it is switched on for and on no other.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { after, afterEach, before, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import {
  type Adapter,
  FeedShapeError,
  type ParsedFeed,
  type Poll,
} from '../../../src/sources/core/adapter.ts';
import { lines } from '../../../src/sources/live/adapter.fixture.ts';
import { dataGovSg } from '../../../src/sources/live/data-gov-sg.ts';
import { gbfs } from '../../../src/sources/live/gbfs.ts';
import { genericCsv } from '../../../src/sources/live/generic-csv.ts';
import { genericJson } from '../../../src/sources/live/generic-json.ts';
import { gtfsRealtime } from '../../../src/sources/live/gtfs-realtime.ts';
import { ltaDatamall } from '../../../src/sources/live/lta-datamall.ts';
import { openMeteo } from '../../../src/sources/live/open-meteo.ts';
import { type FaultKind, faultKinds } from './faults.ts';
import { pollFeed } from './poll-feed.ts';
import { type FeedServer, startFeedServer } from './server.ts';

const START = Date.parse('2026-01-12T02:17:40Z');
const MINUTE = 60_000;
const place = { id: '100', name: 'Deck', lat: 1.3, lng: 103.8 };
const path = '/data-gov-sg/v2/air-temperature';

let now = START;
let server: FeedServer;
before(async () => {
  // The value is the minute since the start, plus 500.
  const values = (_feed: string, _place: object, time: number) => 500 + Math.floor((time - START) / MINUTE);
  server = await startFeedServer({ now: () => now, values, places: { '*': [place] } });
});
after(() => server.close());
afterEach(() => {
  now = START;
  for (const start of ['/', path]) server.setFault(start, null);
});

const ask = (headers: Record<string, string> = {}) => fetch(`${server.url}${path}`, { headers });
const poll = (): Poll => ({
  now,
  points: [{ pocket_id: 'here', lat: place.lat, lng: place.lng }],
  time_zone: 'Asia/Singapore',
});

describe('in sending', () => {
  const withFault = async (kind: FaultKind, seconds?: number): Promise<Response> => {
    server.setFault(path, kind, seconds === undefined ? {} : { seconds });
    return ask();
  };
  const whole = async () => {
    server.setFault(path, null);
    return (await ask()).text();
  };

  test('500, and 429 with and without Retry-After', async () => {
    assert.equal((await withFault('error_500')).status, 500);
    const plain = await withFault('rate_limited');
    assert.deepEqual([plain.status, plain.headers.get('retry-after')], [429, null]);
    const stated = await withFault('rate_limited_retry_after', 7);
    assert.deepEqual([stated.status, stated.headers.get('retry-after')], [429, '7']);
  });

  test('an answer that never comes', async () => {
    server.setFault(path, 'timeout');
    const before = server.requests.length;
    const stop = new AbortController();
    const asked = fetch(`${server.url}${path}`, { signal: stop.signal });
    const failed = assert.rejects(asked, /abort/);
    while (server.requests.length === before) await setImmediate();
    stop.abort();
    await failed;
  });

  test('a byte at a time', async () => {
    const { body } = await withFault('slow');
    const reader = body?.getReader();
    assert.equal((await reader?.read())?.value?.length, 1);
    await reader?.cancel();
  });

  test('half a body: the connection ends, or the rest is missing', async () => {
    const text = await whole();
    await assert.rejects((await withFault('half_body')).text());
    const half = await (await withFault('truncated')).text();
    assert.equal(half, text.slice(0, half.length));
    assert.equal(half.length, Math.floor(text.length / 2));
  });

  test('HTML with 200', async () => {
    const response = await withFault('html');
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type') ?? '', /html/);
    assert.match(await response.text(), /^<!doctype html>/);
  });

  test('a gzip bomb', async () => {
    server.setFault(path, 'gzip_bomb');
    const [response] = (await once(get(`${server.url}${path}`), 'response')) as [IncomingMessage];
    assert.equal(response.headers['content-encoding'], 'gzip');
    assert.ok(Number(response.headers['content-length']) < 2_000_000);
    let size = 0;
    for await (const chunk of response.pipe(createGunzip())) {
      size += chunk.length;
      if (size > 60_000_000) break;
    }
    assert.ok(size > 60_000_000);
    response.destroy();
  });

  test('50 MB of JSON, with the true answer at its end', async () => {
    const text = await whole();
    const { body } = await withFault('huge_json');
    let size = 0;
    let end = '';
    let start = '';
    for await (const chunk of body ?? []) {
      size += chunk.length;
      if (start === '') start = Buffer.from(chunk.subarray(0, 100)).toString();
      end = (end + Buffer.from(chunk.subarray(-text.length)).toString()).slice(-text.length);
    }
    assert.ok(size > 50_000_000);
    assert.match(start, /^\{"padding":\[\{"id":/);
    assert.equal(end.slice(1), text.slice(1));
  });

  test('UTF-16 that is declared as UTF-8', async () => {
    const text = await whole();
    const response = await withFault('wrong_charset');
    assert.match(response.headers.get('content-type') ?? '', /utf-8/);
    assert.equal(new TextDecoder('utf-16le').decode(await response.arrayBuffer()), text);
  });

  test('without a fault: an ETag, and 304 for the same answer', async () => {
    const etag = (await ask()).headers.get('etag') ?? '';
    assert.equal((await ask({ 'if-none-match': etag })).status, 304);
    now += MINUTE;
    assert.equal((await ask({ 'if-none-match': etag })).status, 200);
  });
});

/** A feed of each adapter. */
const feeds: Record<string, () => Promise<ParsedFeed>> = {
  'data.gov.sg': () =>
    pollFeed(dataGovSg, { datasets: ['air-temperature'], v2_url: `${server.url}/data-gov-sg/v2` }, poll()),
  'LTA DataMall': () =>
    pollFeed(
      ltaDatamall as Adapter,
      { datasets: ['speed-bands', 'train-alerts'], base_url: `${server.url}/lta-datamall` },
      poll(),
      { AccountKey: 'k' },
    ),
  'Open-Meteo': () =>
    pollFeed(openMeteo, { datasets: ['weather'], weather_url: `${server.url}/open-meteo` }, poll()),
  GBFS: () => pollFeed(gbfs, { url: `${server.url}/gbfs/3/gbfs.json`, datasets: ['stations'] }, poll()),
  'GTFS-realtime': () =>
    pollFeed(gtfsRealtime, { url: `${server.url}/gtfs-realtime/vehicle-positions.pb` }, poll()),
  Opendatasoft: () =>
    pollFeed(
      genericJson,
      {
        url: `${server.url}/opendatasoft/api/explore/v2.1/catalog/datasets/pedestrian-counting-system-past-hour-counts-per-minute/records?limit=100`,
        rows: '/results',
        place: 'location_id',
        time: { at: 'sensing_datetime' },
        fields: { people_per_minute: 'total_of_directions' },
      },
      poll(),
    ),
  Münster: () =>
    pollFeed(
      genericCsv,
      {
        url: `${server.url}/muenster-parking/{now:YYYY-MM-DD}.csv`,
        skip_rows: 1,
        wide: { columns: { Deck: place.id } },
        place: '{column}',
        time: { at: 'Datum und Uhrzeit', format: 'YYYY-MM-DD HH:mm', zone: 'Europe/Berlin' },
        fields: { free_spaces: '{cell}' },
      },
      poll(),
    ),
};

/** Null where the adapter refuses the body. */
async function read(feed: () => Promise<ParsedFeed>): Promise<ParsedFeed | null> {
  try {
    return await feed();
  } catch (error) {
    if (error instanceof FeedShapeError) return null;
    throw error;
  }
}

const newest = ({ measurements }: ParsedFeed): number =>
  Math.max(...measurements.map(({ observed_at }) => observed_at ?? 0));

for (const [name, feed] of Object.entries(feeds))
  describe(`in the data of ${name}`, () => {
    test('empty lists give no measurement', async () => {
      server.setFault('/', 'empty');
      assert.deepEqual((await read(feed))?.measurements ?? [], []);
    });

    test('duplicated rows give the same measurements, counted or refused', async () => {
      const good = lines(await feed());
      assert.ok(good.length > 0);
      server.setFault('/', 'duplicated_rows');
      const doubled = await read(feed);
      if (!doubled) return;
      const times = new Set(lines(doubled));
      // A page of a doubled list reaches less far back.
      assert.ok(good.every((line) => times.has(line)) || name === 'Opendatasoft');
      assert.ok([...times].every((line) => good.includes(line)));
      assert.ok((doubled.faults.duplicate ?? 0) > 0);
    });

    test('a renamed field is no value', async () => {
      const good = await feed();
      server.setFault('/', 'renamed_field');
      const renamed = await read(feed);
      assert.ok(!renamed || renamed.measurements.length < good.measurements.length);
    });

    test('a clock ahead or behind moves the times and not the values', async () => {
      const good = await feed();
      for (const [kind, hours] of [
        ['clock_ahead', 1],
        ['clock_behind', -1],
      ] as const) {
        server.setFault('/', kind, { seconds: 3600 });
        const skewed = await feed();
        assert.equal(newest(skewed), newest(good) + hours * 3_600_000, kind);
        const valueAtNewest = (read: ParsedFeed) =>
          read.measurements.find(({ observed_at }) => observed_at === newest(read))?.value;
        assert.equal(valueAtNewest(skewed), valueAtNewest(good), kind);
      }
    });

    test('frozen values have new times', async () => {
      server.setFault('/', 'frozen');
      const first = await feed();
      now += 60 * MINUTE;
      const second = await feed();
      assert.equal(newest(second), newest(first) + 60 * MINUTE);
      const fieldValues = ({ measurements }: ParsedFeed) =>
        new Set(measurements.map(({ field, value }) => `${field} ${value}`));
      assert.deepEqual(fieldValues(second), fieldValues(first));
    });

    test('old values are stated as old, or left out', async () => {
      const good = await feed();
      server.setFault('/', 'old_values', { seconds: 1800 });
      const old = await feed();
      const isLeftOut = old.measurements.length === 0 && (old.faults.stale ?? 0) > 0;
      assert.ok(isLeftOut || newest(old) === newest(good) - 1_800_000);
    });
  });

test('a fault holds below its path alone, the longest path first, and for so many requests', async () => {
  const fetchStatus = async (address: string) => (await fetch(`${server.url}${address}`)).status;
  server.setFault('/', 'error_500');
  server.setFault(path, 'rate_limited', { requests: 1 });
  assert.deepEqual([await fetchStatus(path), await fetchStatus(path)], [429, 500]);
  server.setFault('/', null);
  server.setFault('/data-gov', 'error_500');
  assert.equal(await fetchStatus(path), 200);
  server.setFault('/data-gov', null);
});

test('faults are switched over HTTP too', async () => {
  const post = (query: string) => fetch(`${server.url}/faults?${query}`, { method: 'POST' });
  assert.match(await (await post(`path=${path}&kind=html`)).text(), /fault html below \/data-gov-sg/);
  assert.match(await (await ask()).text(), /^<!doctype/);
  assert.equal((await post(`path=${path}&kind=fire`)).status, 400);
  await post(`path=${path}&kind=none`);
  assert.match(await (await ask()).text(), /^\{/);
  const help = await (await fetch(`${server.url}/faults`)).text();
  for (const kind of Object.keys(faultKinds)) assert.match(help, new RegExp(`^  ${kind}: `, 'm'));
});
