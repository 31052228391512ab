import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalJson } from './canonical-json.ts';
import { entryBundle, entryLeaf, entryText } from './entry.ts';
import { leafHash } from './merkle.ts';
import { computeSeal } from './seal.ts';

test('an entry built from a canonical payload is canonical JSON', () => {
  const payload = { z: 1, a: { ü: ['"', null] } };
  const seal = computeSeal(payload);
  const entry = entryText('prediction', 'prd_1', seal);
  const plain = { type: 'prediction', id: 'prd_1', payload, payload_hash: seal.payload_hash };
  assert.equal(entry, canonicalJson(plain));
  assert.equal(entryLeaf(entry), leafHash(entry));
});

test('an id with other characters is refused', () => {
  for (const id of ['', '"', 'a"b', 'a b', 'ü', '../x', '-a', 'a'.repeat(129), 'a\n']) {
    assert.throws(() => entryText('reveal', id, computeSeal({})), { code: 'bad_entry' }, id);
  }
});

test('an entry too large for a bundle is refused as a leaf', () => {
  assert.throws(() => entryLeaf('x'.repeat(65_536)), { code: 'entry_too_large' });
  assert.throws(() => entryLeaf('€'.repeat(22_000)), { code: 'entry_too_large' });
  assert.throws(() => entryBundle(['x'.repeat(65_536)]), { code: 'entry_too_large' });
  assert.ok(entryLeaf('x'.repeat(65_535)));
});

test('a bundle holds the length of each entry in bytes', () => {
  assert.deepEqual(entryBundle(['a', '€', '']), Buffer.from('000161' + '0003e282ac' + '0000', 'hex'));
  assert.deepEqual([...entryBundle(['x'.repeat(258)]).subarray(0, 3)], [1, 2, 0x78]);
});
