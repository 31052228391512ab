import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cityDir } from '../../registry/city-dir.ts';
import { loadRegistry } from '../../registry/load.ts';
import { pageOfPockets, pocketPager } from './pocket-pages.ts';

const registry = loadRegistry(cityDir('singapore'));
const [first] = registry.pockets;
assert.ok(first);
const pockets = Array.from({ length: 250 }, (_, n) => ({
  ...first,
  id: `p${n}`,
  name: `Place ${n}`,
  aliases: [],
}));
const many = { registry: { ...registry, pockets } };
const ids = pockets.map(({ id }) => id);
const page = (q: string, offset = 0) => pageOfPockets(many, ids, (id) => id, { q, offset });

test('a hundred at a time, by part of a name', () => {
  assert.deepEqual([page('').total, page('').rows.length, page('', 200).rows.length], [250, 100, 50]);
  assert.deepEqual(page('PLACE 24').rows, [
    'p24',
    'p240',
    'p241',
    'p242',
    'p243',
    'p244',
    'p245',
    'p246',
    'p247',
    'p248',
    'p249',
  ]);
  for (const q of ['nowhere', '%', '??']) assert.deepEqual(page(q), { rows: [], total: 0 });
  assert.equal(page('', 1000).rows.length, 0);
});

test('the form keeps the other parameters; its links lead to the hundreds before and after', () => {
  const shown = (q: string, offset: number) =>
    pocketPager(many, '/silence', 'pockets', { q, offset }, page(q, offset), { window: '7d' })?.markup ?? '';
  assert.match(shown('', 0), /<input type="hidden" name="window" value="7d">/);
  assert.match(shown('', 0), /250 pockets, 1 to 100 shown here\./);
  assert.doesNotMatch(shown('', 0), /Previous/);
  assert.match(shown('', 0), /href="\/silence\?window=7d&amp;offset=100#pockets">Next hundred/);
  assert.match(shown('', 100), /href="\/silence\?window=7d#pockets">Previous hundred/);
  assert.doesNotMatch(shown('', 200), /Next/);
  assert.match(shown('<b>', 0), /No pocket matches “&lt;b&gt;”\./);
});

test('a city of up to a hundred has neither', () => {
  const few = pageOfPockets({ registry }, ids, (id) => id, { q: '', offset: 0 });
  assert.equal(pocketPager({ registry }, '/silence', 'pockets', { q: '', offset: 0 }, few), null);
});
