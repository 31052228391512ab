import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outlet } from '../../domain/city/city.ts';
import { cityDir } from '../../registry/city-dir.ts';
import { loadRegistry } from '../../registry/load.ts';
import type { Reader } from '../../store/engine/store.ts';
import { LiveOutlets } from './live-outlets.ts';

const city = loadRegistry(cityDir('singapore'));
const { id } = city.outlets[0] as Outlet;
const change = (seq: number, fields: Partial<Outlet>) => ({
  seq,
  outlet_id: id,
  body: JSON.stringify(fields),
});

test('a refresh that is overtaken by another undoes nothing', async () => {
  const rows = [change(1, { seats: 1 })];
  const answers: (() => void)[] = [];
  const all = (_sql: string, after: number) => {
    const found = rows.filter(({ seq }) => seq > after);
    return new Promise((done) => answers.push(() => done(found)));
  };
  const store = { all } as unknown as Reader;
  const outlets = new LiveOutlets(city);
  const slow = outlets.refresh(store, assert.fail);
  rows.push(change(2, { seats: 2 }));
  const quick = outlets.refresh(store, assert.fail);
  answers[1]?.();
  assert.equal(await quick, true);
  answers[0]?.();
  assert.equal(await slow, false);
  assert.equal(outlets.registry.outlets[0]?.seats, 2);
});

test('an invalid change is reported once, and without new changes nothing is refreshed', async () => {
  const rows = [change(1, { seats: -1 }), change(2, { seats: 2 })];
  const all = async (_sql: string, after: number) => rows.filter(({ seq }) => seq > after);
  const store = { all } as unknown as Reader;
  const outlets = new LiveOutlets(city);
  const warnings: string[] = [];
  assert.equal(await outlets.refresh(store, (line) => warnings.push(line)), true);
  const { registry } = outlets;
  assert.equal(await outlets.refresh(store, assert.fail), false);
  assert.equal(outlets.registry, registry);
  assert.equal(warnings.length, 1);
  assert.match(
    warnings[0] ?? '',
    new RegExp(`^a change of outlet ${id} does not fit this city .*seats must be`),
  );
});
