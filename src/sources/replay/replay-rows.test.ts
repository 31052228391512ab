import assert from 'node:assert/strict';
import { createReadStream, existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { FeedShapeError } from '../core/adapter.ts';
import { stateReader } from '../core/meaning/place-state.ts';
import type { Measurement } from '../core/measurement.ts';
import { noReplayCounts, type ReplayFile, readReplayRows } from './replay-rows.ts';

const header = 'timestamp,feed,place_id,lat,lon,field,value';
const first = '2026-06-01T00:00:00+02:00,parking,ph-theater,51.965676,7.626454,free_spaces,659';
const measured: Measurement = {
  feed: 'parking',
  place_id: 'ph-theater',
  lat: 51.965676,
  lng: 7.626454,
  field: 'free_spaces',
  value: 659,
  observed_at: Date.parse('2026-05-31T22:00:00Z'),
};

const file: ReplayFile = { name: 'days.csv' };

async function read(body: string | Uint8Array, options: ReplayFile = file, chunk = 1 << 16) {
  const bytes = Buffer.from(body);
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += chunk) chunks.push(bytes.subarray(at, at + chunk));
  const counts = noReplayCounts();
  const measurements: Measurement[] = [];
  for await (const measurement of readReplayRows(chunks, options, counts)) measurements.push(measurement);
  return { measurements, counts };
}

describe('a replay file', () => {
  const csv = `${header}\n${first}\n`;
  const jsonl = `${JSON.stringify({
    timestamp: '2026-06-01T00:00:00+02:00',
    feed: 'parking',
    place_id: 'ph-theater',
    lat: '51.965676',
    lng: 7.626454,
    field: 'free_spaces',
    value: 659,
  })}\n`;
  const forms: [name: string, body: string | Uint8Array][] = [
    ['CSV', csv],
    ['CSV with a BOM, CRLF and no last line break', `\uFEFF${header}\r\n${first}`],
    [
      'CSV with quotes and other columns in another order',
      'value,note,field,lon,lat,place_id,feed,timestamp\n659,"a, ""b""",free_spaces,7.626454,51.965676,ph-theater,parking,2026-06-01T00:00:00+02:00\n',
    ],
    ['JSONL', jsonl],
    ['gzipped CSV', gzipSync(csv)],
    ['gzipped JSONL', gzipSync(jsonl)],
  ];
  for (const [name, body] of forms)
    for (const chunk of [1, 7, 1 << 16])
      test(`${name}, in chunks of ${chunk}`, async () => {
        assert.deepEqual((await read(body, file, chunk)).measurements, [measured]);
      });

  test('words and empty values are passed over and counted', async () => {
    const { measurements, counts } = await read(
      `${header}\n${first}\n${first.replace('659', 'closed')}\n${first.replace('659', '')}\n\n`,
    );
    assert.equal(measurements.length, 1);
    assert.deepEqual(counts, { rows: 3, measurements: 1, texts: 1, empty: 1 });
  });

  test('a word to which the feed gives a meaning is read as the state of the field that it decides', async () => {
    const free = { measures: 'crowd', what: 'free places', points: 'down', fresh_minutes: 30 } as const;
    const states = stateReader([
      {
        id: 'parking',
        fields: {
          free_spaces: { ...free, words: { bes: 'full' }, status: { field: 'state', closed: ['closed', 0] } },
        },
      },
    ]);
    const said = (field: string, value: string) => first.replace('free_spaces,659', `${field},${value}`);
    const rows = [
      said('free_spaces', 'bes'),
      said('state', 'closed'),
      said('state', '0'),
      said('state', 'open'),
      said('free_spaces', 'odd'),
    ];
    const { measurements, counts } = await read(`${header}\n${rows.join('\n')}\n`, { ...file, states });
    assert.deepEqual(
      measurements,
      ['full', 'closed', 'closed'].map((state) => ({ ...measured, value: Number.NaN, state })),
    );
    assert.deepEqual(counts, { rows: 5, measurements: 4, texts: 1, empty: 0 });
  });

  test('a place without a position', async () => {
    const { measurements } = await read(`${header}\n${first.replace('51.965676,7.626454', ',')}\n`);
    assert.deepEqual(measurements, [{ ...measured, lat: null, lng: null }]);
  });

  test('times without offset need the zone of the city; the repeated hour is read in order', async () => {
    const local = (at: string) => first.replace('2026-06-01T00:00:00+02:00', at);
    const body = `${header}\n${local('2026-10-25 02:00')}\n${local('2026-10-25 02:00')}\n`;
    await assert.rejects(read(body), /days.csv, line 2, column timestamp: expected ISO 8601 with an offset/);
    const { measurements } = await read(body, { ...file, time_zone: 'Europe/Berlin' });
    assert.deepEqual(
      measurements.map(({ observed_at }) => new Date(observed_at ?? 0).toISOString()),
      ['2026-10-25T00:00:00.000Z', '2026-10-25T01:00:00.000Z'],
    );
  });

  const faults: [name: string, body: string | Uint8Array, message: RegExp][] = [
    ['nothing', '', /days.csv: the file is empty/],
    ['no header', `${first}\n`, /days.csv, line 1: the header has no column timestamp/],
    ['a column less', `${header}\n${first}\n1,2\n`, /days.csv, line 3: 2 cells where the header has 7/],
    [
      'an invalid time',
      `${header}\n${first.replace('-06-', '-16-')}\n`,
      /line 2, column timestamp: not a time/,
    ],
    [
      'an impossible latitude',
      `${header}\n${first.replace('51.9', '151.9')}\n`,
      /line 2, column lat: expected degrees/,
    ],
    [
      'no place',
      `${header}\n${first.replace('ph-theater', '')}\n`,
      /line 2, column place_id: expected 1-128/,
    ],
    ['a quote that does not end', `${header}\n"${first}\n`, /line 2: a quoted cell does not end on it/],
    ['broken JSON', '{"timestamp": 1}\n{', /line 1, column feed/],
    ['a list after an object', '{"a":1', /line 1: expected a JSON object/],
    ['a long line', `${header}\n${'x'.repeat(70_000)}`, /line 2: longer than/],
    ['another character set', Buffer.from([0x74, 0xfc, 0x0a]), /expected UTF-8/],
    ['half a gzip', gzipSync(csv).subarray(0, 40), /gzip data is damaged or cut off/],
  ];
  for (const [name, body, message] of faults)
    test(name, async () => {
      await assert.rejects(
        read(body),
        (error) => error instanceof FeedShapeError && message.test(error.message),
      );
    });

  test('an error of the disk is not taken for one of the file', async () => {
    const broken = (async function* () {
      yield Buffer.from(gzipSync(csv)).subarray(0, 20);
      throw Object.assign(new Error('read failed'), { code: 'EIO' });
    })();
    await assert.rejects(readReplayRows(broken, file).next(), /read failed/);
  });

  test('any bytes give rows or a FeedShapeError', async () => {
    const body = fc.oneof(
      fc.uint8Array({ maxLength: 100 }),
      fc.string({ maxLength: 100 }).map((text) => Buffer.from(`${header}\n${text}`)),
      fc.uint8Array({ maxLength: 60 }).map((text) => gzipSync(text).subarray(0, 50)),
    );
    await fc.assert(
      fc.asyncProperty(body, async (bytes) => {
        try {
          await read(bytes);
        } catch (error) {
          assert.ok(error instanceof FeedShapeError, String(error));
        }
      }),
    );
  });
});

const data = join(import.meta.dirname, '../../../../shared/data');

test('recorded weeks are read whole', {
  skip: !existsSync(data) && `no recorded data in ${data}`,
}, async () => {
  const names = globSync('replay_*/*_{citizen_centre_5min,pm25_hourly,forecast_changes}.csv.gz', {
    cwd: data,
  });
  assert.ok(names.length > 0);
  for (const name of names) {
    const counts = noReplayCounts();
    for await (const { value } of readReplayRows(createReadStream(join(data, name)), { name }, counts))
      assert.ok(Number.isFinite(value));
    assert.ok(counts.rows > 1000, name);
    assert.equal(counts.measurements + counts.texts + counts.empty, counts.rows);
    assert.equal(counts.texts > 0, name.includes('forecast'), name);
  }
});

test('empty lines are passed over, and not without end: a small gzip may hold billions', async () => {
  const { measurements } = await read(`${header}\n${'\n'.repeat(9_999)}${first}\n`);
  assert.equal(measurements.length, 1);
  await assert.rejects(
    read(gzipSync(Buffer.alloc(50_000_000, '\n'))),
    /^FeedShapeError: days\.csv, line 10001: more than 10000 empty lines$/,
  );
});
