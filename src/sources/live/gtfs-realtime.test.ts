import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertSound,
  lines,
  pollAt,
  read,
  readRecorded,
  recordedNames,
  refuses,
  withPayloads,
} from './adapter.fixture.ts';
import { type GtfsSample, gtfsFeed, NOW } from './gtfs-feed.fixture.ts';
import { gtfsRealtime } from './gtfs-realtime.ts';
import { readVehicleFeed } from './parse/gtfs-message.ts';

const settings = { url: 'https://transit.example/vehicles.pb' };
const poll = pollAt([
  { pocket_id: 'square', lat: 43.59, lng: -79.64 },
  { pocket_id: 'harbour', lat: 43.55, lng: -79.58 },
]);

const readFeed = (...args: Parameters<typeof gtfsFeed>) =>
  read(gtfsRealtime, settings, gtfsFeed(...args), { poll });

test('vehicles near a pocket: how many, and means over those that state a value', () => {
  const parsed = readFeed([
    { id: 'a', status: 5, speed: 10 },
    { id: 'b', percent: 20, speed: 5 },
    { id: 'c' },
    { id: 'far', lat: 43.8, lng: -79.2, status: 5 },
  ]);
  assert.deepEqual(lines(parsed), [
    'square vehicles 3 @ 2024-10-05T23:12:07',
    'square occupancy_share 0.6 @ 2024-10-05T23:12:07',
    'square speed_kmh 27 @ 2024-10-05T23:12:07',
    'harbour vehicles 0 @ 2024-10-05T23:12:07',
  ]);
  assert.deepEqual(parsed.faults, {});
});

test('an absent occupancy is not an empty vehicle', () => {
  const share = (sample: GtfsSample) =>
    readFeed([sample]).measurements.find(({ field }) => field === 'occupancy_share')?.value;
  const table: [GtfsSample, number | undefined][] = [
    [{}, undefined],
    [{ status: 0 }, 0],
    [{ status: 1 }, 0.25],
    [{ status: 3, percent: 40 }, 0.4],
    [{ percent: 0 }, 0],
    [{ percent: 140 }, 1],
    [{ percent: 60_000, status: 2 }, 0.55],
    [{ status: 6 }, undefined],
    [{ status: 7 }, undefined],
    [{ status: 8 }, undefined],
    [{ status: -3 }, undefined],
  ];
  for (const [sample, expected] of table) assert.equal(share(sample), expected, JSON.stringify(sample));
});

test('vehicles that no longer report, twice listed, deleted or without a position are left out', () => {
  const parsed = readFeed([
    { id: 'a', timestamp: NOW - 30 },
    { id: 'a', timestamp: NOW - 30 },
    { id: 'gone', timestamp: NOW - 3600 },
    { id: 'nowhere', lat: 0, lng: 0 },
    { id: 'unplaced', lat: Number.NaN },
    { id: 'deleted', deleted: true },
    { id: 'fast', speed: 900 },
  ]);
  assert.deepEqual(lines(parsed), [
    'square vehicles 2 @ 2024-10-05T23:12:07',
    'harbour vehicles 0 @ 2024-10-05T23:12:07',
  ]);
  assert.deepEqual(parsed.faults, { duplicate: 1, stale: 1, bad_position: 2, bad_value: 1 });
});

test('the time is that of the header, else of the newest vehicle, else unknown', () => {
  const time = (...args: Parameters<typeof gtfsFeed>) => readFeed(...args).measurements[0]?.observed_at;
  assert.equal(time([{ timestamp: NOW - 60 }], NOW), NOW * 1000);
  assert.equal(
    time(
      [
        { id: 'a', timestamp: NOW - 60 },
        { id: 'b', timestamp: NOW - 90 },
      ],
      0,
    ),
    (NOW - 60) * 1000,
  );
  assert.equal(time([{ timestamp: 0 }], 0), null);
});

test('an empty feed is no data, and a differential one is refused', () => {
  const parsed = readFeed([]);
  assert.deepEqual([parsed.measurements, parsed.faults], [[], { no_data: 1 }]);
  refuses(() => readFeed([{}], NOW, true), /full data set/);
});

test('other bytes, half a message and a message without a header are refused', () => {
  const whole = gtfsFeed([{ id: 'a' }]);
  const bodies = [
    Buffer.from('not valid pb data'),
    Buffer.from('<html>'),
    whole.subarray(0, whole.length - 5),
    new Uint8Array(),
    whole.subarray(whole.indexOf(0x12, 2)),
  ];
  for (const body of bodies)
    refuses(() => read(gtfsRealtime, settings, body, { poll }), /GTFS-realtime message/);
});

interface Expected {
  decodes?: boolean;
  header_timestamp?: string | null;
  gtfs_realtime_version?: string;
  entities?: Record<string, number>;
  occupancy_status?: Record<string, number>;
  with_occupancy_percentage?: number;
}
const statusNames = [
  'EMPTY',
  'MANY_SEATS_AVAILABLE',
  'FEW_SEATS_AVAILABLE',
  'STANDING_ROOM_ONLY',
  'CRUSHED_STANDING_ROOM_ONLY',
  'FULL',
];

test('recorded feeds decode to what an independent decoder found', withPayloads, () => {
  const all = JSON.parse(Buffer.from(readRecorded('gtfs-rt/expected.json')).toString()) as Record<
    string,
    Expected
  >;
  for (const [file, expected] of Object.entries(all)) {
    const body = readRecorded(`gtfs-rt/${file}`);
    if (expected.decodes === false) {
      refuses(() => readVehicleFeed(body), /GTFS-realtime message/);
      continue;
    }
    const { vehicles, version, timestamp, entities } = readVehicleFeed(body);
    const time = timestamp ? new Date(timestamp * 1000).toISOString().replace('.000', '') : null;
    const statuses: Record<string, number> = {};
    for (const { occupancy_status: status } of vehicles) {
      const name = status === undefined ? 'absent' : (statusNames[status] ?? 'other');
      statuses[name] = (statuses[name] ?? 0) + 1;
    }
    assert.equal(time, expected.header_timestamp, file);
    assert.equal(version, expected.gtfs_realtime_version, file);
    assert.equal(vehicles.length, expected.entities?.vehicle ?? 0, file);
    const total = Object.values(expected.entities ?? {}).reduce((sum, count) => sum + count, 0);
    assert.equal(entities, total, file);
    assert.deepEqual(statuses, expected.occupancy_status, file);
    const percentages = vehicles.filter(({ occupancy_percentage }) => occupancy_percentage !== undefined);
    assert.equal(percentages.length, expected.with_occupancy_percentage, file);
  }
});

test('every recorded feed is read or refused as a whole', withPayloads, () => {
  for (const file of recordedNames('gtfs-rt'))
    try {
      assertSound(read(gtfsRealtime, settings, readRecorded(file), { poll }));
    } catch (error) {
      assert.equal((error as Error).name, 'FeedShapeError', `${file}: ${error}`);
    }
});

test('a recorded city: buses near its centre, some of them with people', withPayloads, () => {
  const body = readRecorded('gtfs-rt/miway_vehicle_positions_occupancy.pb');
  const parsed = read(gtfsRealtime, { ...settings, reach_m: 3_000 }, body, { poll });
  const [count, share] = parsed.measurements;
  assert.ok(count?.field === 'vehicles' && count.value > 5, JSON.stringify(count));
  assert.ok(share?.field === 'occupancy_share' && share.value > 0 && share.value < 1, JSON.stringify(share));
});
