import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pocket } from '../../domain/city/city.ts';
import type { Feed } from './feed.ts';
import { placeFinder } from './place.ts';
import { admitRows, type PlaceLimits } from './place-limits.ts';

const limits: PlaceLimits = { places: 4, of_pocket: 2, rows: 100, of_sensor: 3 };
const known = (ids: string[], counts: [string, number][]) => ({
  has: (id: string) => ids.includes(id),
  counts: new Map(counts),
});

test('new places are admitted up to the limits of the feed and of their pocket, known and listed ones always', () => {
  const admit = admitRows({ places: { listed: {} } }, known(['old', 'older'], [['dom', 2]]), limits);
  const row = (place_id: string, pocket = 'dom') => admit({ place_id, field: 'n' }, pocket);
  assert.deepEqual(
    [row('new'), row('old'), row('listed'), row('a', 'see'), row('a', 'see'), row('b', 'see'), row('older')],
    ['too_many_places', undefined, undefined, undefined, undefined, 'too_many_places', undefined],
  );
  // No name of a place is taken for one that the file lists.
  assert.equal(row('constructor', 'other'), 'too_many_places');
});

test('rows of one sensor and of one poll are bounded', () => {
  const admit = admitRows({}, known([], []), { ...limits, rows: 5 });
  const row = (place_id: string) => admit({ place_id, field: 'n' }, 'dom');
  assert.deepEqual(['a', 'a', 'a', 'a', 'b', 'b', 'b'].map(row), [
    undefined,
    undefined,
    undefined,
    'too_many_rows',
    undefined,
    undefined,
    'too_many_rows',
  ]);
});

test('a finder forgets places that are not asked for again, and not those that are', () => {
  let computed = 0;
  const feed = {
    id: 'f',
    get reach_m() {
      computed += 1;
      return 500;
    },
  } as Feed;
  const find = placeFinder([{ id: 'dom', lat: 51.963, lng: 7.6255 }] as Pocket[], 10);
  const ask = (place_id: string) => find(feed, { place_id, lat: 51.963, lng: 7.6255 }).length;
  ask('once');
  ask('always');
  for (let n = 0; n < 100; n++) {
    ask(`invented ${n}`);
    ask('always');
  }
  assert.equal(computed, 102);
  ask('once');
  assert.equal(computed, 103);
  assert.equal(ask('always'), 1);
  assert.equal(computed, 103);
});
