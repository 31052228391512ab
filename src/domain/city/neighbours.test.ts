import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { city } from '../../../test/support/answers/ask-operation.ts';
import { neighbourActivity, neighbours, type OutletActivity } from './neighbours.ts';

const place = (id: string, lat: number, lng: number) => ({ id, lat, lng });

test('pockets within 15 minutes on foot are neighbours of each other', () => {
  const near = neighbours([place('a', 1.3, 103.8), place('b', 1.3, 103.811), place('c', 1.3, 103.8125)]);
  assert.deepEqual(Object.fromEntries(near), { a: ['b'], b: ['a', 'c'], c: ['b'] });
  const singapore = neighbours(city.pockets);
  assert.ok(singapore.get('holland')?.includes('chipbee') && singapore.get('serene')?.includes('cluny'));
  for (const [id, others] of singapore)
    for (const other of others) assert.ok(singapore.get(other)?.includes(id));
});

test('for pockets anywhere, exactly those within walking distance are found', () => {
  const degrees = (from: number, to: number) => fc.double({ min: from, max: to, noNaN: true });
  const spots = fc
    .tuple(degrees(-85, 85), degrees(-170, 170))
    .chain(([lat, lng]) =>
      fc
        .array(fc.tuple(degrees(-0.03, 0.03), degrees(-0.06, 0.06)), { maxLength: 25 })
        .map((around) => around.map(([north, east], n) => place(`p${n}`, lat + north, lng + east))),
    );
  fc.assert(
    fc.property(spots, (pockets) => {
      for (const [id, near] of neighbours(pockets)) {
        const here = pockets.find((pocket) => pocket.id === id);
        const alone = pockets.filter((there) => {
          const pair = here && neighbours([here, there]);
          return there !== here && pair?.get(id)?.length;
        });
        assert.deepEqual(
          near,
          alone.map((pocket) => pocket.id),
        );
      }
    }),
    { numRuns: 60 },
  );
});

const usual = { samples: 8, mean: 0.5, variance: 0 };
const outletActivity = (
  pocket_id: string,
  activity: number | null,
  more: Partial<OutletActivity> = {},
): OutletActivity => ({
  ...{ pocket_id, activity, usual, open_for: 1 },
  ...more,
});

test('neighbour activity counts the other open outlets here and nearby, and the highest footfall nearby', () => {
  const near = new Map([
    ['here', ['near', 'nearer']],
    ['near', ['here']],
    ['nearer', ['here']],
    ['far', []],
  ]);
  const self = outletActivity('here', 0.2);
  const outlets = [
    self,
    outletActivity('here', 0.4),
    outletActivity('near', 0.6),
    outletActivity('far', 0.9),
    outletActivity('near', 0.9, { open_for: 0 }),
    outletActivity('near', null),
    outletActivity('near', 0),
    outletActivity('near', 0.9, { usual: { ...usual, samples: 7 } }),
  ];
  const crowds = new Map([
    ['here', 2],
    ['near', 0.7],
    ['nearer', 0.9],
  ]);
  const around = neighbourActivity(near, outlets, crowds);
  const { use, ...rest } = around(self);
  assert.deepEqual(rest, { outlets: 3, usual_use: 1.5, crowd: 0.9 });
  assert.ok(Math.abs(use - 1) < 1e-12);
  assert.deepEqual(around(outlets[3] as OutletActivity), { outlets: 0, use: 0, usual_use: 0, crowd: null });
  assert.equal(around(outletActivity('near', 0, { open_for: 0 })).outlets, 4);
});

test('an outlet is not counted in its own neighbour activity', () => {
  const anyOutlet = fc.record({
    pocket_id: fc.constantFrom('a', 'b'),
    open_for: fc.constantFrom(0, 1),
    activity: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    usual: fc.constantFrom(usual, { ...usual, samples: 0 }),
  });
  const near = new Map([
    ['a', ['b']],
    ['b', ['a']],
  ]);
  fc.assert(
    fc.property(fc.array(anyOutlet, { minLength: 1, maxLength: 12 }), (outlets) => {
      const around = neighbourActivity(near, outlets, new Map());
      for (const [at, outlet] of outlets.entries()) {
        const others = outlets.filter(
          (one, n) => n !== at && one.open_for && one.activity !== null && one.usual.samples >= 8,
        );
        const found = around(outlet);
        assert.equal(found.outlets, others.length);
        const use = others.reduce((sum, { activity }) => sum + (activity ?? 0), 0);
        assert.ok(Math.abs(found.use - use) < 1e-9);
      }
    }),
  );
});
