import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outlet } from '../domain/city/city.ts';
import { listColumns, plainEntry } from '../domain/city/lists/columns.ts';
import type { OutletChange } from '../domain/city/outlet-change.ts';
import { cityDir } from './city-dir.ts';
import { loadCity, loadRegistry } from './load.ts';
import { applyOutletChanges, outletFaults } from './outlets.ts';

const city = loadRegistry(cityDir('singapore'));
const first = city.outlets[0] as Outlet;
const added: Outlet = {
  ...first,
  id: 'b1f0c1de-8a55-4e0c-9d3a-0a4c8f7a9b11',
  name: 'Ferry Bell',
  pocket_id: 'siglap',
};
const changes = (...made: [outlet_id: string, fields: Partial<Outlet>][]): OutletChange[] =>
  made.map(([outlet_id, fields], i) => ({ seq: i + 1, outlet_id, fields }));

test('changes are applied to the files in their order', () => {
  const { registry, skipped } = applyOutletChanges(
    city,
    changes(
      [added.id, added],
      [first.id, { active: false }],
      [added.id, { name: 'Bell', seats: 3 }],
      [added.id, { seats: 4 }],
    ),
  );
  assert.deepEqual(skipped, []);
  assert.equal(registry.outlets.length, city.outlets.length + 1);
  assert.deepEqual(registry.outlets[0], { ...first, active: false });
  assert.deepEqual(registry.outlets.at(-1), { ...added, name: 'Bell', seats: 4 });
  assert.deepEqual(registry.outlets.slice(1, -1), city.outlets.slice(1));
  assert.deepEqual([registry.pockets, registry.intents], [city.pockets, city.intents]);
  assert.ok(Object.isFrozen(registry.outlets) && Object.isFrozen(registry.outlets.at(-1)));
  assert.equal(first.active, true);
});

test('a change of an outlet in columns gives the outlet that a change of an object gives', () => {
  const made = changes([first.id, { seats: 7 }], [added.id, added], [first.id, { margin: 0.2 }]);
  const inColumns = loadCity(cityDir('singapore'), undefined, 'columns').registry;
  const { registry, skipped } = applyOutletChanges(inColumns, made);
  assert.deepEqual(skipped, []);
  assert.deepEqual(registry.outlets.map(plainEntry), applyOutletChanges(city, made).registry.outlets);
  assert.ok(listColumns(registry.outlets));
});

test('applying them in parts gives the same result', () => {
  const made = changes([added.id, added], [first.id, { margin: 0.2 }], [added.id, { active: false }]);
  let registry = city;
  for (const change of made) ({ registry } = applyOutletChanges(registry, [change]));
  assert.deepEqual(registry, applyOutletChanges(city, made).registry);
});

test('a change that is not valid in this city is skipped and reported, the others are applied', () => {
  const elsewhere = { ...added, pocket_id: 'harbour' };
  const unknown = 'a2f0c1de-8a55-4e0c-9d3a-0a4c8f7a9b12';
  const { registry, skipped } = applyOutletChanges(
    city,
    changes(
      [elsewhere.id, elsewhere],
      [unknown, { seats: 3 }],
      [first.id, { seats: 1 }],
      [first.id, { seats: -1 }],
    ),
  );
  assert.deepEqual(
    skipped.map(({ outlet_id }) => outlet_id),
    [elsewhere.id, unknown, first.id],
  );
  assert.match(skipped[0]?.faults.join() ?? '', /^pocket_id harbour is not in pockets\.json$/);
  assert.match(skipped[1]?.faults.join() ?? '', /name is missing/);
  assert.equal(registry.outlets.length, city.outlets.length);
  assert.equal(registry.outlets[0]?.seats, 1);
});

test('an outlet has the same rules wherever it comes from', () => {
  const table: [change: Partial<Record<keyof Outlet, unknown>>, fault: RegExp][] = [
    [{ name: 'a\u202Eb' }, /^name must be plain text/],
    [{ name: 'a\u200Bb' }, /^name must be plain text/],
    [{ name: 'x'.repeat(81) }, /^name must be plain text/],
    [{ name: ' ' }, /^name must be plain text/],
    [{ pocket_id: 'harbour' }, /^pocket_id harbour is not in/],
    [{ opens_at: '24:00' }, /^opens_at must be HH:MM$/],
    [{ closes_at: added.opens_at }, /^closes_at must differ from opens_at$/],
    [{ category: 'pub' }, /^category must be one of cafe, /],
    [{ margin: 1.01 }, /^margin must be a number, 0 to 1$/],
    [{ seats: 1.5 }, /^seats must be a whole number/],
    [{ typical_spend: Number.NaN }, /^typical_spend must be a number/],
    [{ id: 'x' }, /^id must be a UUID/],
    [{ owner: 'someone' } as object, /^owner is not a known field$/],
  ];
  assert.deepEqual(outletFaults(city, added), []);
  for (const [change, fault] of table)
    assert.match(outletFaults(city, { ...added, ...change } as Outlet).join('; '), fault);
});
