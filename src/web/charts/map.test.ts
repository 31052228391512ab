import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { cityDir } from '../../registry/city-dir.ts';
import { loadRegistry } from '../../registry/load.ts';
import { layoutOf, type Spot, spotMap } from './map.ts';
import { overlap } from './map-labels.ts';
import { projectionOf } from './map-projection.ts';

const { pockets, outline } = loadRegistry(cityDir('singapore'));
const layout = layoutOf(pockets);
const at = (id: string) => {
  const place = layout.places[pockets.findIndex((pocket) => pocket.id === id)];
  assert.ok(place);
  return place;
};

test('north is up, east is right, and the scale is the same in both directions', () => {
  const [north, south] = [at('upperthomson').place, at('keongsaik').place];
  const [west, east] = [at('sunset').place, at('siglap').place];
  assert.ok(north.y < south.y && west.x < east.x);
  const perLat = (south.y - north.y) / (1.3539 - 1.2803);
  const perLng = (east.x - west.x) / ((103.9236 - 103.7683) * Math.cos((1.317 * Math.PI) / 180));
  assert.ok(Math.abs(perLat / perLng - 1) < 0.001);
  assert.ok(Math.abs(layout.scale.length - (layout.scale.km * perLat) / 111.2) < 0.01);
});

test('no label covers another or a mark, all are on the map, and marks stay near their coordinates', () => {
  const boxes = layout.places.flatMap(({ label }) => label ?? []);
  assert.ok(boxes.length >= 14, `${boxes.length} of ${pockets.length} labels have room`);
  for (const [i, a] of boxes.entries()) {
    assert.ok(a.x >= 0 && a.x + a.width <= 360 && a.y >= 0 && a.y + a.height <= layout.height);
    for (const b of boxes.slice(i + 1)) assert.ok(!overlap(a, b));
    for (const { dot } of layout.places)
      assert.ok(!overlap(a, { x: dot.x - 10, y: dot.y - 10, width: 20, height: 20 }));
  }
  for (const { place, dot } of layout.places) assert.ok(Math.hypot(place.x - dot.x, place.y - dot.y) < 40);
  for (const [i, { dot }] of layout.places.entries())
    for (const other of layout.places.slice(i + 1))
      assert.ok(Math.hypot(dot.x - other.dot.x, dot.y - other.dot.y) > 20);
});

test('of a hundred places the first have labels, and none of them overlap', () => {
  const many = Array.from({ length: 100 }, (_, n) => ({
    name: `Pl ${n}`,
    lat: 50 + Math.floor(n / 10) / 100,
    lng: 7 + (n % 10) / 100,
  }));
  const boxes = layoutOf(many).places.flatMap(({ label }) => label ?? []);
  assert.ok(boxes.length > 0 && boxes.length <= 30);
  for (const [i, a] of boxes.entries()) for (const b of boxes.slice(i + 1)) assert.ok(!overlap(a, b));
});

test('any city can be drawn: one point, all points in one place, a line of points', () => {
  const place = fc.record({
    name: fc.string({ minLength: 1, maxLength: 20 }),
    lat: fc.double({ min: -60, max: 60, noNaN: true }),
    lng: fc.double({ min: -170, max: 170, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(place, { minLength: 1, maxLength: 8 }), (places) => {
      const { height, places: drawn } = layoutOf(places);
      assert.ok(Number.isFinite(height) && height > 0 && height < 1000);
      for (const { dot, label } of drawn) {
        for (const n of [dot.x, dot.y, label?.x ?? 0, label?.y ?? 0]) assert.ok(Number.isFinite(n));
      }
    }),
    { numRuns: 30 },
  );
});

describe('land', () => {
  /** Of places inside and outside, the points of the path by the even-odd rule. */
  const isLand = (path: string, { x, y }: { x: number; y: number }): boolean => {
    let crossings = 0;
    for (const ring of pointsOf(path))
      for (const [at, a] of ring.entries()) {
        const b = ring[(at + 1) % ring.length] ?? a;
        if (a.y > y !== b.y > y && x < a.x + ((y - a.y) / (b.y - a.y)) * (b.x - a.x)) crossings++;
      }
    return crossings % 2 === 1;
  };
  const pointsOf = (path: string) =>
    path.split('z').flatMap((ring) => {
      const [x = 0, y = 0, ...steps] = (ring.match(/-?\d+/g) ?? []).map(Number);
      const points = [{ x, y }];
      for (let at = 0; at < steps.length; at += 2) {
        const before = points.at(-1) ?? { x, y };
        points.push({ x: before.x + (steps[at] ?? 0), y: before.y + (steps[at + 1] ?? 0) });
      }
      return steps.length ? [points] : [];
    });

  test('every pocket stands on it, and the strait is water', () => {
    const { land } = layoutOf(pockets, outline);
    assert.ok(land);
    for (const { place } of layout.places) assert.ok(isLand(land.path, place));
    const { pointOf } = projectionOf(pockets);
    assert.ok(!isLand(land.path, pointOf({ lat: 1.255, lng: 103.92 })), 'the Singapore Strait');
    assert.ok(isLand(land.path, pointOf({ lat: 1.35, lng: 103.82 })), 'the middle of the island');
  });

  test('it is light, and no farther than the map can be moved', () => {
    const { land, height } = layoutOf(pockets, outline);
    assert.ok(land && land.path.length < 4000, `${land?.path.length}`);
    const { x, y, width, height: high } = land.bounds;
    assert.ok(x <= 0 && y <= 0 && x + width >= 360 && y + high >= height);
    for (const point of pointsOf(land.path).flat())
      assert.ok(point.x >= x - 5 && point.x <= x + width + 5 && point.y >= y - 5 && point.y <= y + high + 5);
  });

  test('of any of the pockets alone too, since the outline reaches that far', () => {
    for (const pocket of pockets) assert.ok(layoutOf([pocket], outline).land, pocket.id);
  });

  test('none without an outline, nor where it describes another place', () => {
    assert.equal(layout.land, null);
    assert.equal(layoutOf([{ name: 'Elsewhere', lat: 50, lng: 7 }], outline).land, null);
  });
});

test('each spot is a link with a description, whatever characters its name has', () => {
  const spots: Spot[] = [
    {
      ...{ address: '/pocket/a', name: 'A <b>', lat: 1, lng: 2 },
      ...{ about: 'calm "now"', kind: 'calm', ringed: true },
    },
  ];
  const { markup } = spotMap('m', 'map', 'about', spots);
  assert.match(
    markup,
    /<a href="\/pocket\/a" class="spot calm" .*?<title>A &lt;b&gt;: calm &quot;now&quot;<\/title>/,
  );
  assert.match(markup, /class="ring"/);
  assert.doesNotMatch(markup, /<b>/);
});
