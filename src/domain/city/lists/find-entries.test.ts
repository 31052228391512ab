import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cityDir } from '../../../registry/city-dir.ts';
import { loadRegistry } from '../../../registry/load.ts';
import {
  findOutlet,
  findPocket,
  findPockets,
  outletsAt,
  outletsNamed,
  pocketsInOrder,
} from './find-entries.ts';
import { indexHashes } from './hash-index.ts';

const registry = loadRegistry(cityDir('singapore'));

test('a pocket and an outlet are found by id, and the outlets of a pocket in their order', () => {
  for (const pocket of registry.pockets) {
    assert.equal(findPocket(registry, pocket.id), pocket);
    assert.deepEqual(
      outletsAt(registry, pocket.id),
      registry.outlets.filter(({ pocket_id }) => pocket_id === pocket.id),
    );
  }
  for (const outlet of registry.outlets) assert.equal(findOutlet(registry, outlet.id), outlet);
  for (const name of ['', 'nowhere', 'holland ']) {
    assert.equal(findPocket(registry, name), undefined);
    assert.equal(findOutlet(registry, name), undefined);
    assert.deepEqual(outletsAt(registry, name), []);
  }
  assert.equal(findPocket({ pockets: [] }, 'holland'), undefined);
});

test('several pockets are found in the order of the list, each once', () => {
  const [first, second, third] = registry.pockets.map(({ id }) => id);
  const asked = [third, 'nowhere', first, second, third].map(String);
  assert.deepEqual(findPockets(registry, asked), registry.pockets.slice(0, 3));
  assert.deepEqual(findPockets(registry, []), []);
});

test('outlets are found by a name in any case, and by an id in capitals', () => {
  const [outlet] = registry.outlets;
  assert.ok(outlet);
  const alike = { ...outlet, id: 'another', name: outlet.name.toLowerCase() };
  const outlets = [...registry.outlets, alike];
  assert.deepEqual(outletsNamed({ outlets }, ` ${outlet.name.toUpperCase()}!`), [outlet, alike]);
  assert.deepEqual(outletsNamed(registry, outlet.id.toUpperCase()), [outlet]);
  assert.deepEqual(outletsNamed(registry, '  '), []);
  assert.deepEqual(outletsNamed(registry, 'no such outlet'), []);
});

test('pockets are listed by id', () => {
  const ids = pocketsInOrder(registry).map(({ id }) => id);
  assert.deepEqual(ids, registry.pockets.map(({ id }) => id).sort());
});

test('positions of one hash are given in their order, and those that share its slot with them', () => {
  const find = indexHashes(Uint32Array.of(7, 0xffffffff, 7, 0));
  assert.deepEqual(find(0xffffffff), [1]);
  assert.deepEqual(find(7), [0, 2, 3]);
  assert.deepEqual(indexHashes(new Uint32Array())(7), []);
});
