import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assignDistricts, MOST_POCKETS, WHOLE_CITY } from './districts.ts';

const grid = (size: number, from = 0) => {
  const side = Math.ceil(Math.sqrt(size));
  return Array.from({ length: size }, (_, n) => ({
    id: `p${n + from}`,
    lat: 1.2 + Math.floor((n + from) / side) / 100,
    lng: 103.5 + ((n + from) % side) / 100,
  }));
};
const none = new Map<string, string>();
const sizesOf = (assigned: ReadonlyMap<string, string>) =>
  [...Map.groupBy(assigned.values(), (district) => district).values()].map((own) => own.length);

describe('districts', () => {
  test('a city of a usual size is one', () => {
    const assigned = assignDistricts(grid(MOST_POCKETS), none);
    assert.deepEqual([...new Set(assigned.values())], [WHOLE_CITY]);
  });

  test('of a larger one each has 250 to 500 pockets', () => {
    for (const size of [501, 999, 1_000, 1_001, 2_000, 3_333, 10_000]) {
      const sizes = sizesOf(assignDistricts(grid(size), none));
      assert.ok(Math.min(...sizes) >= 250 && Math.max(...sizes) <= 500, `${size}: ${sizes}`);
    }
  });

  test('their pockets lie together', () => {
    const pockets = grid(10_000);
    const places = new Map(pockets.map((pocket) => [pocket.id, pocket]));
    for (const ids of Map.groupBy(assignDistricts(pockets, none), ([, district]) => district).values()) {
      const own = ids.flatMap(([id]) => places.get(id) ?? []);
      const wide = (values: number[]) => Math.max(...values) - Math.min(...values) + 0.01;
      const area = wide(own.map(({ lat }) => lat)) * wide(own.map(({ lng }) => lng)) * 10_000;
      assert.ok(area < own.length * 1.6, `${own.length} pockets on ${area}`);
    }
  });

  test('pockets that come and go change those of no other', () => {
    const before = assignDistricts(grid(1_000), none);
    const gone = new Set(['p3', 'p500', 'p999']);
    const now = [...grid(1_000).filter(({ id }) => !gone.has(id)), ...grid(2, 1_000)];
    const after = assignDistricts(now, before);
    for (const { id } of now.slice(0, -2)) assert.equal(after.get(id), before.get(id));
    assert.ok([...before.values()].includes(after.get('p1000') ?? ''));
    // Also when so many have gone that one district would do.
    const few = grid(10);
    assert.deepEqual(
      [...assignDistricts(few, before)],
      few.map(({ id }) => [id, before.get(id)]),
    );
  });

  test('a new pocket joins the district next to it that has room; where none has, there is a new one', () => {
    const known = new Map([
      ['a', 'd0001'],
      ['b', 'd0001'],
      ['c', 'd0002'],
    ]);
    const place = (id: string, lng: number) => ({ id, lat: 0, lng });
    const pockets = [place('a', 0), place('b', 1), place('c', 9)];
    const one = assignDistricts([...pockets, place('x', 1.5)], known, 2);
    assert.equal(one.get('x'), 'd0002');
    const two = assignDistricts([...pockets, place('x', 1.5), place('y', 1.6)], known, 2);
    assert.equal(two.get('y'), 'd0003');
  });

  test('what the files state counts', () => {
    const pockets = grid(4).map((pocket, n) => ({ ...pocket, district: n < 3 ? 'north' : 'south' }));
    assert.deepEqual(
      [...assignDistricts(pockets, new Map([['p0', 'd0001']])).values()],
      ['north', 'north', 'north', 'south'],
    );
  });
});
