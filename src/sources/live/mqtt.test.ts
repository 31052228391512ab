import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Compile } from 'typebox/schema';
import { assertSound, bodyBytes, parseOrRefuse, readRecorded, withPayloads } from './adapter.fixture.ts';
import { type MqttMessage, type MqttSettings, mqttSettings, parseMessage, topicFilters } from './mqtt.ts';
import { asLine, recipe, recipePoll, recipes } from './recipes.fixture.ts';

const poll = recipePoll();
const message = (topic: string, body: unknown, retained = false): MqttMessage => ({
  topic,
  payload: bodyBytes(body),
  retained,
});
function read(id: string, sent: MqttMessage) {
  const { measurements, faults } = parseMessage(sent, recipe<MqttSettings>(id), poll);
  const [{ arrived_at, expires_at = poll.now } = {}] = measurements;
  assert.ok(arrived_at === undefined || arrived_at === poll.now);
  return { read: measurements.map(asLine), faults, minutes: (expires_at - poll.now) / 60_000 };
}

describe('a recipe of docs/sources.md', () => {
  for (const { id, settings } of recipes.filter(({ adapter }) => adapter === 'mqtt'))
    test(`${id} has settings that the adapter accepts`, () => {
      const check = Compile(mqttSettings);
      assert.ok(check.Check(settings), JSON.stringify(check.Errors(settings)[1].slice(0, 3)));
    });
});

describe('a message', () => {
  test('with a plain number, whose topic names place and field', () => {
    const got = read('own-sensors', message('city/quay/temperature_c', '21.5'));
    assert.deepEqual(got, { read: ['quay temperature_c 21.5 -'], faults: {}, minutes: 20 });
    assert.deepEqual(read('own-sensors', message('city/quay/voltage', '3.1')).read, []);
    for (const none of ['unavailable', 'unknown', ' '])
      assert.deepEqual(
        read('own-sensors', message('city/quay/temperature_c', none)).faults,
        { no_data: 1 },
        none,
      );
    assert.deepEqual(read('own-sensors', message('city/quay/temperature_c', 'warm')).faults, {
      bad_value: 1,
    });
  });

  test('with JSON and a time of its own', () => {
    const body = { people: 12, seen: '2026-06-10T09:59:00Z' };
    const expected = ['gate people 12 2026-06-10T09:59'];
    const got = read('own-sensors', message('counters/gate/state', body));
    assert.deepEqual(got, { read: expected, faults: {}, minutes: 0 }, 'it does not expire');
    assert.deepEqual(read('own-sensors', message('counters/gate/state', body, true)).read, expected);
    assert.deepEqual(
      read('own-sensors', message('counters/gate/state', { people: null, seen: null })).faults,
      {
        no_data: 1,
      },
    );
  });

  test('that the broker kept, without a time, is stale', () => {
    const got = read('own-sensors', message('city/quay/temperature_c', '21.5', true));
    assert.deepEqual([got.read, got.faults], [[], { stale: 1 }]);
  });

  test('that is empty, or on another topic, is ignored', () => {
    for (const [topic, body] of [
      ['city/quay/temperature_c', ''],
      ['city/quay', '1'],
      ['city/a/b/c', '1'],
      ['town/a/b', '1'],
    ] as const) {
      const got = read('own-sensors', message(topic, body, true));
      assert.deepEqual([got.read, got.faults], [[], {}], topic);
    }
  });
});

test('the broker is asked for plain filters', () => {
  assert.deepEqual(topicFilters(recipe<MqttSettings>('own-sensors').settings), [
    'city/+/+',
    'counters/+/state',
  ]);
  const fields = { n: '' };
  assert.deepEqual(topicFilters({ url: 'mqtt://b', topics: [{ topic: 'a/#', fields }] }), ['a/#']);
  assert.throws(
    () => topicFilters({ url: 'mqtt://b', topics: [{ topic: 'a/#/b', fields }] }),
    /# before its end/,
  );
});

test('any topic and payload give sound measurements or a FeedShapeError', () => {
  const level = fc.oneof(
    fc.constantFrom('city', 'counters', 'gate', 'state', 'temperature_c'),
    fc.string({ maxLength: 4 }),
  );
  const topic = fc.array(level, { minLength: 1, maxLength: 4 }).map((levels) => levels.join('/'));
  const sent = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.double().map(String).map(bodyBytes),
    fc.jsonValue().map((json) => bodyBytes(JSON.stringify(json))),
  );
  fc.assert(
    fc.property(topic, sent, fc.boolean(), (to, body, retained) => {
      const feed = recipe<MqttSettings>('own-sensors');
      const parsed = parseOrRefuse(() => parseMessage({ topic: to, payload: body, retained }, feed, poll));
      if (parsed) assertSound(parsed);
    }),
    { numRuns: 300 },
  );
});

describe('recorded messages', withPayloads, () => {
  const lines = (): MqttMessage[] =>
    new TextDecoder()
      .decode(readRecorded('mqtt/messages.jsonl'))
      .trim()
      .split('\n')
      .map((line) => {
        const { topic, retained, payload: text } = JSON.parse(line);
        return message(topic, text, retained);
      });
  const readAll = (topics: MqttSettings['topics']) =>
    lines().flatMap((sent) => {
      const settings: MqttSettings = { url: 'mqtt://broker.example', topics };
      return parseMessage(sent, { id: 'a', settings }, poll).measurements.map(asLine);
    });

  test('of Zigbee2MQTT: a state in JSON, true and false, and availability on a topic below', () => {
    assert.deepEqual(
      readAll([
        { topic: 'zigbee2mqtt/+place', fields: { temperature_c: 'temperature', humidity_pct: 'humidity' } },
      ]),
      ['hall_climate temperature_c 27.34 -', 'hall_climate humidity_pct 44.72 -'],
    );
    assert.deepEqual(
      readAll([
        {
          topic: 'zigbee2mqtt/+place',
          fields: { occupied: { at: 'occupancy', texts: { true: 1, false: 0 } } },
        },
      ]),
      ['hall_motion occupied 1 -'],
    );
  });

  test('of Shelly: a topic for each quantity, and a full status with its time', () => {
    assert.deepEqual(
      readAll([
        { topic: '+place/status/temperature:0', fields: { temperature_c: 'tC' } },
        { topic: '+place/status/humidity:0', fields: { humidity_pct: 'rh' } },
        {
          topic: '+place/events/rpc',
          time: { at: '/params/ts', format: 'epoch_s' },
          fields: { humidity_pct: '/params/humidity:0/rh' },
        },
      ]),
      [
        'shellyht-livingroom temperature_c 20.1 -',
        'shellyht-livingroom humidity_pct 57 -',
        'shellyhtg3-543204539b34 humidity_pct 50.8 2025-07-04T14:20',
      ],
    );
  });

  test('of Ruuvi: the time is a text or a number', () => {
    const rssi = readAll([
      { topic: 'ruuvi/+gateway/+place', time: { at: 'ts', format: 'epoch_s' }, fields: { rssi: 'rssi' } },
    ]);
    assert.deepEqual(rssi, [
      'F4:1F:0C:28:CB:D6 rssi -26 2022-05-27T16:13',
      '6B:EF:59:3C:53:D9 rssi -49 2026-01-11T17:15',
    ]);
  });

  test('of people counters and air sensors, whole or just started', () => {
    const parse = (path: string, topic: MqttSettings['topics'][number]) =>
      parseMessage(
        { topic: 'd/1', payload: readRecorded(path), retained: false },
        { id: 'a', settings: { url: 'mqtt://b', topics: [topic] } },
        poll,
      );
    const zones = parse('mqtt/shelly_presence_gen4_rpc_state.json', {
      topic: 'd/+place',
      rows: '/status/*',
      filter: [{ at: 'num_objects' }],
      place: '0#',
      time: { at: '$/status/sys/unixtime', format: 'epoch_s' },
      fields: { people: 'num_objects' },
    });
    assert.deepEqual(zones.measurements.map(asLine), [
      'presencezone:200 people 1 2025-11-02T11:51',
      'presencezone:201 people 1 2025-11-02T11:51',
      'presencezone:202 people 0 2025-11-02T11:51',
    ]);
    const air = { topic: 'd/+place', fields: { pm25: '/channels/1/pm02' } };
    assert.deepEqual(parse('mqtt/airgradient_current_measures_outdoor.json', air).measurements.map(asLine), [
      '1 pm25 5 -',
    ]);
    assert.deepEqual(parse('mqtt/airgradient_after_boot_missing_fields.json', air).faults, { no_data: 1 });
  });
});
