import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { cityDir, shippedCities } from '../../registry/city-dir.ts';
import { loadRegistry } from '../../registry/load.ts';
import { overlap, spread } from './label-placement.ts';
import { computeLayout, mapCredits, type Spot, spotMap } from './map.ts';
import { createProjection } from './map-projection.ts';

const { pockets, outline, places, placesCredit } = loadRegistry(cityDir('singapore'));
const layout = computeLayout(pockets);
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
  const boxes = layout.places.flatMap(({ label }) => label?.box ?? []);
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

describe('marks', () => {
  /** Of a mark with its ring: two whose middles are farther apart do not overlap. A unit is at most a px at 360 px. */
  const WIDE = 20.4;
  const least = (dots: readonly { x: number; y: number }[]) =>
    Math.min(...dots.flatMap((a, at) => dots.slice(at + 1).map((b) => Math.hypot(a.x - b.x, a.y - b.y))));

  for (const name of shippedCities())
    test(`of ${name} do not overlap, on the narrowest phone either`, () => {
      const { places: drawn, height } = computeLayout(loadRegistry(cityDir(name)).pockets);
      assert.ok(least(drawn.map(({ dot }) => dot)) > WIDE);
      for (const { dot } of drawn)
        assert.ok(dot.x >= 12 && dot.x <= 348 && dot.y >= 12 && dot.y <= height - 24, JSON.stringify(dot));
    });

  test('of eighteen pockets do not overlap, wherever they lie: in one point, on a line, in a corner', () => {
    const within = { x: 12, y: 12, width: 336, height: 200 };
    const axis = fc.oneof(
      fc.constant(12),
      fc.double({ min: -50, max: 60, noNaN: true }),
      fc.integer({ min: 0, max: 360 }),
    );
    const points = fc.array(fc.record({ x: axis, y: axis }), { minLength: 2, maxLength: 18 });
    fc.assert(
      fc.property(points, (all) => {
        const dots = spread(all, 26, within);
        assert.ok(least(dots) > WIDE, `${least(dots)}`);
        for (const { x, y } of dots) assert.ok(x >= 12 && x <= 348 && y >= 12 && y <= 212);
      }),
    );
  });

  test('without a label have no line that is seen: each line leads to a name', () => {
    const spots = pockets.map(({ id, name, lat, lng }): Spot => {
      return { address: `#${id}`, name, lat, lng, about: 'calm', kind: 'calm', ringed: false };
    });
    const drawn = spotMap('m', 'map', 'about', spots).markup.split('<a ').slice(1);
    const unnamed = drawn.filter((spot) => spot.includes('class="extra"'));
    assert.ok(unnamed.length > 0 && unnamed.length < drawn.length);
    for (const spot of drawn) {
      assert.equal(spot.includes('class="pin unnamed"'), unnamed.includes(spot));
      if (unnamed.includes(spot)) assert.doesNotMatch(spot, /leader to/);
    }
  });
});

describe('listed places', () => {
  const lines = (...given: Parameters<typeof computeLayout>) => computeLayout(...given).listed.split('\n');

  test('are a short line each: position, kind and name', () => {
    const all = lines(pockets, outline, places);
    assert.equal(all.length, places.length);
    assert.ok(all.join('\n').length < 4000, 'light');
    const { toPoint } = createProjection(pockets);
    for (const line of all) assert.match(line, /^-?[\d.]+ -?[\d.]+ [slt] \S.*$/);
    const orchard =
      all
        .find((line) => line.endsWith(' s Orchard'))
        ?.split(' ')
        .map(Number) ?? [];
    const at = toPoint({ lat: 1.30344, lng: 103.83187 });
    assert.ok(Math.abs((orchard[0] ?? 0) - at.x) < 0.1 && Math.abs((orchard[1] ?? 0) - at.y) < 0.1);
  });

  test('come in the order in which they are named: stations, landmarks, streets', () => {
    const letters = lines(pockets, outline, places)
      .map((line) => line.split(' ')[2])
      .join('');
    assert.match(letters, /^s+l+t+$/);
  });

  test('with the name of a pocket say what they are, so that no name stands twice', () => {
    const names = lines(pockets, outline, places).map((line) => line.split(' ').slice(3).join(' '));
    assert.ok(names.includes('Tiong Bahru station') && !names.includes('Tiong Bahru'));
    assert.ok(names.includes('Bugis'));
  });

  test('beyond what the map can show are left out, and more than a page should carry', () => {
    const [place] = places;
    assert.ok(place);
    assert.deepEqual(lines(pockets, outline, [{ ...place, lat: 2.5 }]), ['']);
    assert.equal(
      lines(
        pockets,
        outline,
        Array.from({ length: 400 }, () => place),
      ).length,
      250,
    );
  });

  test('are in the markup once, escaped; a city without them has none', () => {
    const spot: Spot = {
      ...{ address: '/pocket/a', name: 'A', lat: 1, lng: 103 },
      ...{ about: 'calm', kind: 'calm', ringed: false },
    };
    const odd = { id: 'o', name: '"B" <i>', kind: 'station', lat: 1, lng: 103, aliases: [] } as const;
    const drawn = (known: typeof places) => spotMap('m', 'map', 'about', [spot], undefined, known).markup;
    assert.match(
      drawn([{ ...odd, aliases: [] }]),
      /<g class="listed" [^>]*data-places="180 \d+ s &quot;B&quot; &lt;i&gt;"><\/g>/,
    );
    assert.doesNotMatch(drawn([]), /listed/);
  });

  test('have their source and licence beside that of the coast', () => {
    const text = mapCredits(outline, placesCredit).markup.replace(/<[^>]+>/g, '|');
    assert.match(
      text,
      /Coast: \|© OpenStreetMap contributors\|, \|ODbL 1\.0\|.*Stations and other places: \|Urban Redevelopment Authority/,
    );
    assert.equal(mapCredits(undefined, undefined).markup, '');
  });
});

test('of a hundred places the first have labels, and none of them overlap', () => {
  const many = Array.from({ length: 100 }, (_, n) => ({
    name: `Pl ${n}`,
    lat: 50 + Math.floor(n / 10) / 100,
    lng: 7 + (n % 10) / 100,
  }));
  const boxes = computeLayout(many).places.flatMap(({ label }) => label?.box ?? []);
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
      const { height, places: drawn } = computeLayout(places);
      assert.ok(Number.isFinite(height) && height > 0 && height < 1000);
      for (const { dot, label } of drawn) {
        for (const n of [dot.x, dot.y, label?.box.x ?? 0, label?.box.y ?? 0]) assert.ok(Number.isFinite(n));
      }
    }),
    { numRuns: 30 },
  );
});

describe('land', () => {
  /** Of places inside and outside, the points of the path by the even-odd rule. */
  const isLand = (path: string, { x, y }: { x: number; y: number }): boolean => {
    let crossings = 0;
    for (const ring of ringPoints(path))
      for (const [at, a] of ring.entries()) {
        const b = ring[(at + 1) % ring.length] ?? a;
        if (a.y > y !== b.y > y && x < a.x + ((y - a.y) / (b.y - a.y)) * (b.x - a.x)) crossings++;
      }
    return crossings % 2 === 1;
  };
  const ringPoints = (path: string) =>
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
    const { land } = computeLayout(pockets, outline);
    assert.ok(land);
    for (const { place } of layout.places) assert.ok(isLand(land.path, place));
    const { toPoint } = createProjection(pockets);
    assert.ok(!isLand(land.path, toPoint({ lat: 1.255, lng: 103.92 })), 'the Singapore Strait');
    assert.ok(isLand(land.path, toPoint({ lat: 1.35, lng: 103.82 })), 'the middle of the island');
  });

  test('it is light, and no farther than the map can be moved', () => {
    const { land, height } = computeLayout(pockets, outline);
    assert.ok(land && land.path.length < 4000, `${land?.path.length}`);
    const { x, y, width, height: high } = land.bounds;
    assert.ok(x <= 0 && y <= 0 && x + width >= 360 && y + high >= height);
    for (const point of ringPoints(land.path).flat())
      assert.ok(point.x >= x - 5 && point.x <= x + width + 5 && point.y >= y - 5 && point.y <= y + high + 5);
  });

  test('of any of the pockets alone too, since the outline reaches that far', () => {
    for (const pocket of pockets) assert.ok(computeLayout([pocket], outline).land, pocket.id);
  });

  test('none without an outline, nor where it describes another place', () => {
    assert.equal(layout.land, null);
    assert.equal(computeLayout([{ name: 'Elsewhere', lat: 50, lng: 7 }], outline).land, null);
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
