import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalJson } from '../ledger/canonical-json.ts';
import { isCanonical } from './canonical.ts';

const verdict = (text: string) => isCanonical(JSON.parse(text), text);

test('accepts what the ledger writes', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary', maxDepth: 4 }), (value) => {
      const text = canonicalJson(value);
      assert.equal(verdict(text), true, text);
    }),
    { numRuns: 500 },
  );
});

test('refuses any other text of the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary', maxDepth: 4 }), fc.nat(3), (value, space) => {
      for (const text of [JSON.stringify(value), JSON.stringify(value, null, space)]) {
        assert.equal(verdict(text), text === canonicalJson(value), text);
      }
    }),
    { numRuns: 500 },
  );
  const others = [
    '{"b":1,"a":2}',
    '{"a":1,"a":1}',
    '[1.0]',
    '[1e2]',
    '[-0]',
    '[ 1]',
    '["\\u0041"]',
    '["\\/"]',
    '["\\ud800"]',
    '{"\\udc00":1}',
    '["\\ud83d\\ude00"]',
    '[0.10]',
    '[1E400]',
    '[10000000000000000000000]',
    `${'['.repeat(65)}${']'.repeat(65)}`,
    `${'['.repeat(30_000)}${']'.repeat(30_000)}`,
  ];
  for (const text of others) assert.equal(verdict(text), false, text);
});

test('integer-like keys are ordered as text', () => {
  assert.equal(verdict('{"\\r":0,"10":1,"9":2}'), true);
  assert.equal(verdict('{"9":2,"10":1}'), false);
});

test('an escaped backslash before "ud" is not taken for a surrogate', () => {
  for (const value of ['\\ud800', { '\\udc00': '\\ud' }]) assert.equal(verdict(canonicalJson(value)), true);
});
