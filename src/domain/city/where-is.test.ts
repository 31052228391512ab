import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cityDir } from '../../registry/city-dir.ts';
import { loadRegistry } from '../../registry/load.ts';
import { buildLookup } from './lookup.ts';
import type { Place } from './place.ts';
import { buildPlaceIndex, nearestPockets, whereIs } from './where-is.ts';

const { pockets, places: listed } = loadRegistry(cityDir('singapore'));
const places = buildPlaceIndex(listed);
const names = { lookup: buildLookup(pockets), places, pockets };

describe('findPlace', () => {
  const first: [query: string, id: string, least: number, most: number][] = [
    ['Bugis', 'bugis-station', 1, 1],
    ['bugis MRT', 'bugis-station', 1, 1],
    ['Bugis MRT station', 'bugis-station', 1, 1],
    ['武吉士', 'bugis-station', 1, 1],
    ['buona vista mrt', 'buona-vista-station', 1, 1],
    ['Orchard', 'orchard-station', 1, 1],
    ['Orchard Road', 'orchard-road', 1, 1],
    ['orchad rd', 'orchard-station', 0.5, 0.99],
    ['乌节路', 'orchard-road', 1, 1],
    ['is it calm around dhoby ghaut now?', 'dhoby-ghaut-station', 0.7, 0.99],
    ['Tanjong Pagar', 'tanjong-pagar-station', 1, 1],
    ['one north', 'one-north-station', 1, 1],
    ['MBS', 'marina-bay-sands', 1, 1],
  ];
  for (const [query, id, least, most] of first)
    test(`${query} → ${id}`, () => {
      const [match] = places.findPlace(query);
      assert.equal(match?.place.id, id);
      assert.ok(match.confidence >= least && match.confidence <= most, `${match.confidence}`);
    });

  for (const query of ['', '🙂', 'zzzzqqq', 'changi airport', 'constructor'])
    test(`${JSON.stringify(query)} finds nothing`, () => assert.deepEqual(places.findPlace(query), []));

  test('at most three, and none without places', () => {
    assert.ok(places.findPlace('marina').length <= 3);
    assert.deepEqual(buildPlaceIndex([]).findPlace('bugis'), []);
  });
});

describe('nearestPockets', () => {
  const orchard = listed.find(({ id }) => id === 'orchard-station') as Place;

  test('gives the nearest first, with metres', () => {
    assert.deepEqual(nearestPockets(orchard, pockets, 3), [
      { pocket_id: 'tiongbahru', display_name: 'Tiong Bahru', metres: 2139 },
      { pocket_id: 'dempsey', display_name: 'Dempsey Hill', metres: 2444 },
      { pocket_id: 'keongsaik', display_name: 'Keong Saik', metres: 2795 },
    ]);
  });

  test('equally near ones are in the order of ids, and a small city has fewer', () => {
    const here = { lat: 1, lng: 103 };
    const twins = ['b', 'a'].map((id) => ({ ...here, id, name: id.toUpperCase() }));
    assert.deepEqual(
      nearestPockets(here, twins, 3).map(({ pocket_id, metres }) => [pocket_id, metres]),
      [
        ['a', 0],
        ['b', 0],
      ],
    );
    assert.deepEqual(nearestPockets(here, [], 3), []);
  });
});

describe('whereIs', () => {
  const cases: [query: string, kind: 'pocket' | 'place' | 'unknown', id: string][] = [
    // Watched, though a station has the name too.
    ['Tiong Bahru', 'pocket', 'tiongbahru'],
    ['tiong bahru mrt', 'pocket', 'tiongbahru'],
    ['buona vista mrt', 'pocket', 'buonavista'],
    ['Holland Village MRT station', 'pocket', 'holland'],
    ['Outram Park', 'pocket', 'keongsaik'],
    ['hollnd vilage', 'pocket', 'holland'],
    ['hol', 'pocket', 'holland'],
    ['holland road', 'pocket', 'holland'],
    ['is it calm in tiong baru now?', 'pocket', 'tiongbahru'],
    // A region stands for its pockets, unless a place has exactly its name.
    ['east coast', 'pocket', 'frankel'],
    ['Chinatown', 'place', 'chinatown-station'],
    // Listed and not watched.
    ['Bugis', 'place', 'bugis-station'],
    ['bugis mrt', 'place', 'bugis-station'],
    ['Orchard', 'place', 'orchard-station'],
    ['Orchard Road', 'place', 'orchard-road'],
    ['orchrd road', 'place', 'orchard-road'],
    ['somewhere near raffles place', 'place', 'raffles-place-station'],
    ['Tanjong Pagar', 'place', 'tanjong-pagar-station'],
    ['丹戎巴葛', 'place', 'tanjong-pagar-station'],
    ['Katong Park MRT', 'place', 'katong-park-station'],
    ['Marina Bay Sands', 'place', 'marina-bay-sands'],
    // Its position is not known.
    ['Changi Airport', 'unknown', ''],
    ['Johor Bahru', 'unknown', 'Tiong Bahru'],
    ['Woodlands', 'unknown', ''],
    ['zzzz', 'unknown', ''],
    ['', 'unknown', ''],
  ];
  for (const [query, kind, id] of cases)
    test(`${query || '(nothing)'} is ${kind === 'unknown' ? 'not known' : `the ${kind} ${id}`}`, () => {
      const found = whereIs(query, names);
      assert.equal(found.kind, kind, JSON.stringify(found));
      if (found.kind === 'pocket') assert.equal(found.matches[0]?.pocket_id, id);
      if (found.kind === 'place') {
        assert.equal(found.place.id, id);
        assert.equal(found.nearest.length, 3);
        assert.deepEqual(found.nearest, nearestPockets(found.place, pockets, 3));
      }
      if (found.kind === 'unknown') assert.equal(found.suggestions.join(), id);
    });

  test('a city without places still tells pockets from what it does not know', () => {
    const bare = { ...names, places: buildPlaceIndex([]) };
    assert.equal(whereIs('siglap', bare).kind, 'pocket');
    assert.deepEqual(whereIs('Orchard', bare), { kind: 'unknown', suggestions: [] });
  });
});
