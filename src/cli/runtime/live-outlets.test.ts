import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outlet } from '../../domain/city/city.ts';
import { loadRegistry, singaporeDir } from '../../registry/load.ts';
import type { Reader } from '../../store/engine/store.ts';
import { LiveOutlets } from './live-outlets.ts';

const city = loadRegistry(singaporeDir);
const { id } = city.outlets[0] as Outlet;
const change = (seq: number, fields: Partial<Outlet>) => ({
  seq,
  outlet_id: id,
  body: JSON.stringify(fields),
});

test('a look that was overtaken by another undoes nothing', async () => {
  const rows = [change(1, { seats: 1 })];
  const answers: (() => void)[] = [];
  const all = (_sql: string, after: number) => {
    const found = rows.filter(({ seq }) => seq > after);
    return new Promise((done) => answers.push(() => done(found)));
  };
  const store = { all } as unknown as Reader;
  const roster = new LiveOutlets(city);
  const slow = roster.look(store, assert.fail);
  rows.push(change(2, { seats: 2 }));
  const quick = roster.look(store, assert.fail);
  answers[1]?.();
  assert.equal(await quick, true);
  answers[0]?.();
  assert.equal(await slow, false);
  assert.equal(roster.registry.outlets[0]?.seats, 2);
});

test('what does not fit is told once, and nothing is new while nothing was written', async () => {
  const rows = [change(1, { seats: -1 }), change(2, { seats: 2 })];
  const all = async (_sql: string, after: number) => rows.filter(({ seq }) => seq > after);
  const store = { all } as unknown as Reader;
  const roster = new LiveOutlets(city);
  const told: string[] = [];
  assert.equal(await roster.look(store, (line) => told.push(line)), true);
  const { registry } = roster;
  assert.equal(await roster.look(store, assert.fail), false);
  assert.equal(roster.registry, registry);
  assert.equal(told.length, 1);
  assert.match(told[0] ?? '', new RegExp(`^a change of outlet ${id} does not fit this city .*seats must be`));
});
