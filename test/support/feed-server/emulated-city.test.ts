// The emulator for whole cities and as a command, and the broker for sensors that send by themselves.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { cityDir } from '../../../src/registry/city-dir.ts';
import { loadCity } from '../../../src/registry/load.ts';
import type { ParsedFeed } from '../../../src/sources/core/adapter.ts';
import { placeFinder } from '../../../src/sources/core/place.ts';
import { adapters } from '../../../src/sources/live/all.ts';
import { type MqttSettings, parseMessage } from '../../../src/sources/live/mqtt.ts';
import { listen } from '../../../src/sources/live/mqtt-connection.ts';
import { emulatedAdapters, emulatedCity } from './emulated-city.ts';
import { startMqttBroker } from './mqtt-broker.ts';
import { pollFeed } from './poll-feed.ts';
import { startFeedServer } from './server.ts';

const root = join(import.meta.dirname, '../../..');
const NOW = Date.parse('2026-06-10T10:07:00Z');
const byName = new Map(adapters.map((adapter) => [adapter.name, adapter]));

const scratch = mkdtempSync(join(tmpdir(), 'emulated-city-'));
after(() => rmSync(scratch, { recursive: true }));

test('every adapter of a fixed format is emulated', () => {
  const fixed = adapters.filter(({ about }) => about.fields).map(({ name }) => name);
  assert.deepEqual(emulatedAdapters.toSorted(), fixed.toSorted());
});

for (const name of ['singapore-live', 'melbourne', 'muenster'])
  test(`${name}: a copy of the city finds a value of each emulated feed for its pockets`, async () => {
    const original = loadCity(cityDir(name));
    const city = emulatedCity(cityDir(name));
    const server = await startFeedServer({ now: () => NOW, places: city.places });
    const dir = join(scratch, name);
    city.write(dir, server.url);
    const { registry, feeds } = loadCity(dir);
    assert.deepEqual(registry, original.registry);
    assert.deepEqual(city.others, []);

    const { pockets } = registry;
    const poll = {
      now: NOW,
      points: pockets.map(({ id, lat, lng }) => ({ pocket_id: id, lat, lng })),
      time_zone: registry.city.time_zone,
    };
    const find = placeFinder(pockets);
    for (const { id } of city.feeds) {
      const feed = feeds.find((candidate) => candidate.id === id);
      const adapter = byName.get(feed?.adapter ?? '');
      assert.ok(feed && adapter, id);
      assert.equal(feed.allow_private, true);
      const { measurements, faults }: ParsedFeed = await pollFeed(adapter, feed.settings, poll, {
        AccountKey: 'any',
      });
      assert.deepEqual(faults, {}, id);
      const used = measurements.filter(({ field }) => Object.hasOwn(feed.fields, field));
      for (const { field, value } of used) {
        const { least = value, most = value } = feed.fields[field] ?? {};
        assert.ok(value >= least && value <= most, `${id} ${field} ${value}`);
      }
      assert.deepEqual(new Set(used.map(({ field }) => field)), new Set(Object.keys(feed.fields)), id);
      assert.ok(
        used.some((row) => find(feed, row).length > 0),
        id,
      );
    }
    await server.close();
  });

test('the command prints how to start the service, serves, and takes its folder away at the end', async () => {
  const command = spawn(
    process.execPath,
    [join(root, 'scripts/feeds.ts'), '--port', '0', '--fault', 'html'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let text = '';
  for await (const chunk of command.stdout) {
    text += chunk;
    if (text.includes('what was asked for')) break;
  }
  const [, dir = '', host = ''] =
    /CITY_DIR=(\S+) .*FEED_KEY_LTA=any FEED_KEY_LTA_HOSTS=(\S+) npm start/.exec(text) ?? [];
  const [, url = ''] = /(http:\/\/127\.0\.0\.1:\d+)\/lta-datamall/.exec(text) ?? [];
  assert.ok(loadCity(dir).feeds.length > 0);
  assert.equal(`http://${host}`, url);
  assert.match(await (await fetch(`${url}/data-gov-sg/v2/rainfall`)).text(), /^<!doctype html>/);
  command.kill('SIGTERM');
  assert.deepEqual(await once(command, 'exit'), [0, null]);
  assert.ok(!existsSync(dir));
});

test('sensors over MQTT: chosen values come, retained ones first', async () => {
  const broker = await startMqttBroker({
    places: [
      { id: 'gate', lat: 1.3, lng: 103.8 },
      { id: 'hall', lat: 1.3, lng: 103.8 },
    ],
    fields: ['people'],
    values: (feed, { id }) => (feed === 'mqtt.people' && id === 'gate' ? 17 : 4),
  });
  const settings: MqttSettings = {
    url: broker.url,
    topics: [{ topic: 'city/+place/+field', payload: 'number', fields: { people: '' } }],
  };
  const feed = { id: 'sensors', settings };
  const poll = { now: NOW, points: [], time_zone: 'UTC' };
  const stop = new AbortController();
  const seen: string[] = [];
  const onMessage = (message: Parameters<typeof parseMessage>[0]) => {
    const { measurements, faults } = parseMessage(message, feed, poll);
    seen.push(...measurements.map(({ place_id, field, value }) => `${place_id} ${field} ${value}`));
    if (message.retained) seen.push(`retained ${faults.stale}`);
    if (seen.length === 2) broker.send();
    if (seen.length === 4) stop.abort();
  };
  await listen(feed, { onMessage, onState: () => {} }, stop.signal, { allow_private: true });
  assert.deepEqual(seen, ['retained 1', 'retained 1', 'gate people 17', 'hall people 4']);
  await broker.close();
});
