// What holds for every generator of the list: a new one is named here by what it lacks.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { MINUTE, SLOT } from '../../time/slot.ts';
import { HORIZONS, projectionGenerator, STATE_TYPE } from '../prediction.ts';
import { generators, generatorTypes, predictionTypes, sideGenerators } from './all.ts';
import { sideGenerator } from './side.ts';

test('no two generators have one name', () => {
  const names = generators.map(({ name }) => name);
  assert.deepEqual(names, [...new Set(names)]);
});

test('the state has a type of its own, by which reports tell its forecasts from the others', () => {
  for (const { name, kind, type } of generators)
    assert.equal(kind === 'state', type === STATE_TYPE, `${name} is a ${kind} of the type ${type}`);
});

test('one forecast of the state counts at each horizon: submissions are scored on it', () => {
  const counted = generators.filter(({ kind, shadow }) => kind === 'state' && !shadow);
  assert.deepEqual(
    counted.map(({ name }) => name),
    HORIZONS.map(projectionGenerator),
  );
});

test('forecasts are sealed and revealed at slots', () => {
  for (const { name, every, horizon } of generators)
    assert.deepEqual([every % SLOT, (horizon * MINUTE) % SLOT], [0, 0], name);
});

test('docs/formulas.md has a row of every side forecast, with its baseline', () => {
  const formulas = readFileSync(join(import.meta.dirname, '../../../../docs/formulas.md'), 'utf8');
  for (const { name, shadow, usual } of sideGenerators) {
    const row = formulas
      .split('\n')
      .find((line) => line.startsWith(`| ${name}${shadow ? ' (shadow)' : ''} |`));
    assert.ok(row?.endsWith(` | ${usual} |`), `${name} has the row ${row}`);
  }
});

test('a new type comes before that of the state, which is the last', () => {
  const [first, ...others] = sideGenerators;
  assert.ok(first);
  const another = sideGenerator({ ...first, type: 'glare' });
  assert.equal(another.name, 'glare_60m');
  assert.deepEqual(generatorTypes([...generators, another]), [
    ...predictionTypes.slice(0, -1),
    'glare',
    STATE_TYPE,
  ]);
  assert.deepEqual(generatorTypes([first, another, ...others]).slice(0, 2), [first.type, 'glare']);
});
