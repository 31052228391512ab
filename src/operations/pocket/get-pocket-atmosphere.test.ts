import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { describeStores, type StorePlace } from '../../../test/support/stores/store-places.ts';
import type { Reading } from '../../domain/atmosphere/reading.ts';
import { buildLookup } from '../../domain/city/lookup.ts';
import { voiceFaults } from '../../domain/text/voice.ts';
import { HOUR, MINUTE, SLOT } from '../../domain/time/slot.ts';
import { singapore } from '../../domain/time/zones.fixture.ts';
import { cityDir } from '../../registry/city-dir.ts';
import { loadRegistry } from '../../registry/load.ts';
import { noStore, openStore } from '../../store/engine/open.ts';
import { type Engine, type Reader, StoreError } from '../../store/engine/store.ts';
import { writeReadings } from '../../store/observation/readings.ts';
import { migrate } from '../../store/schema/migrate.ts';
import { getPocketAtmosphere } from './get-pocket-atmosphere.ts';

const registry = loadRegistry(cityDir('singapore'));
const lookup = buildLookup(registry.pockets);
const noon = Date.parse('2026-11-11T04:00:00Z');

const reading = (slot: number, more: Partial<Reading> = {}): Reading => ({
  pocket_id: 'tiongbahru',
  slot,
  stress: 0.25,
  calm: 0.5,
  social_energy: 0.125,
  productive: 0.75,
  primary_state: 'calm-productive',
  anomaly_flag: false,
  completeness: 1,
  ...more,
});

const ask = (store: Reader, pocket_id: string, hours = 4, now = noon) =>
  getPocketAtmosphere.answer(
    { pocket_id, hours },
    { registry, zone: singapore, lookup, store, substrate: 'simulated', now, baseUrl: '' },
  );

describeStores('get_pocket_atmosphere', (makePlace) => {
  let place: StorePlace;
  let store: Engine;
  before(async () => {
    place = await makePlace();
    store = openStore(place);
    await migrate(store, noon);
    // Ten hours of steady readings, then a restless one; and another pocket's reading in the same window.
    const steady = Array.from({ length: 40 }, (_, i) => reading(noon - (40 - i) * SLOT));
    const restless = reading(noon, { stress: 0.875, calm: 0.062, anomaly_flag: true });
    const neighbour = reading(noon, { pocket_id: 'dempsey' });
    await store.transaction((tx) => writeReadings(tx, [...steady, restless, neighbour]));
  });
  after(async () => {
    await store.close();
    await place.remove();
  });

  test('the latest reading, the trend and the count', async () => {
    const { structured, text } = await ask(store, 'tiongbahru');
    assert.deepEqual(structured, {
      pocket_id: 'tiongbahru',
      window_hours: 4,
      latest: {
        stress: 0.875,
        calm: 0.062,
        social_energy: 0.125,
        productive: 0.75,
        primary_state: 'calm-productive',
        anomaly_flag: true,
        captured_at: '2026-11-11T04:00:00.000Z',
      },
      trend: { direction: 'rising_stress', magnitude: structured.trend?.magnitude },
      reading_count: 16,
    });
    assert.equal(
      text,
      [
        'tiongbahru at 12:00 SGT: calm-productive. this is unusual for the hour.',
        'calm level 0.062, stress 0.875, social energy 0.125, productive 0.75.',
        `over 4h stress is rising (${structured.trend?.magnitude}, 16 readings).`,
      ].join(' '),
    );
    assert.deepEqual(voiceFaults(text), []);
  });

  test('the window includes its end and excludes its start', async () => {
    const count = async (hours: number, now = noon) =>
      (await ask(store, 'tiongbahru', hours, now)).structured.reading_count;
    assert.equal(await count(1), 4);
    assert.equal(await count(1.25), 5);
    assert.equal(await count(1.01), 5);
    assert.equal(await count(1.0000001), 5);
    assert.equal(await count(24), 41);
    assert.equal(await count(1, noon - 1), 4);
    assert.equal(await count(1, noon + HOUR), 0);
    assert.equal(await count(1, noon + HOUR - 1), 1);
  });

  test('a reading after now is not used', async () => {
    const { structured, text } = await ask(store, 'tiongbahru', 1, noon - MINUTE);
    assert.equal(structured.latest?.captured_at, '2026-11-11T03:45:00.000Z');
    assert.equal(structured.trend?.direction, 'stable');
    assert.doesNotMatch(text, /unusual/);
    assert.match(text, /little has changed/);
  });

  test('a single reading has a stable trend', async () => {
    const { structured } = await ask(store, 'dempsey');
    assert.deepEqual(structured.trend, { direction: 'stable', magnitude: 0 });
    assert.equal(structured.reading_count, 1);
  });

  const empty = { window_hours: 4, latest: null, trend: null, reading_count: 0 };
  test('a pocket without readings', async () => {
    const { structured, text } = await ask(store, 'siglap');
    const missing = {
      reason: 'not_observed',
      text: 'nothing has been measured here',
      since: null,
      until: null,
    };
    assert.deepEqual(structured, { pocket_id: 'siglap', ...empty, observed: true, missing });
    assert.equal(text, 'siglap has no recent readings over the last 4h. nothing has been measured here.');
    assert.deepEqual(voiceFaults(text), []);
  });

  test('a pocket that is not in the registry', async () => {
    const { structured, text } = await ask(store, 'atlantis');
    assert.deepEqual(structured, { pocket_id: 'atlantis', ...empty, observed: false });
    assert.equal(text, 'atlantis has no recent readings over the last 4h.');
  });

  test('names that could break a statement find nothing', async () => {
    for (const name of ["' or 1=1 --", '%', '__proto__', '$1', '?', '\ud800', 'TIONGBAHRU']) {
      assert.equal((await ask(store, name)).structured.reading_count, 0, name);
    }
  });
});

describe('get_pocket_atmosphere without a store', () => {
  test('a store that is not configured or not reachable is a store error', async () => {
    await assert.rejects(ask(noStore(), 'siglap'), { name: 'StoreError', code: 'not_configured' });
    const down = async () => {
      throw new StoreError('unavailable');
    };
    await assert.rejects(ask({ all: down, get: down }, 'siglap'), { message: 'datastore unavailable' });
  });
});
