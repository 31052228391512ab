import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computeSeal } from './seal.ts';

test('the hash is of the UTF-8 bytes of the canonical text', () => {
  // Both digests are from sha256sum over the canonical bytes.
  assert.deepEqual(computeSeal({}), {
    canonical: '{}',
    payload_hash: 'sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
  });
  assert.deepEqual(computeSeal({ b: 1, a: '€' }), {
    canonical: '{"a":"€","b":1}',
    payload_hash: 'sha256:2c6fbbec1f6bfa5ea5d93187c7f6960ae2fbc3f05c442ebb923b9a6777b85c76',
  });
});
