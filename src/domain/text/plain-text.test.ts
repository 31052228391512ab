import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isBlank, isDeceptive } from './plain-text.ts';

test('characters that hide, reorder or end a line are deceptive', () => {
  for (const text of ['a\u0000', 'a\nb', 'a\u202Eb', 'a\u200Bb', 'a\u2028', '\uD800', '\u{E0041}', 'a\u3164'])
    assert.equal(isDeceptive(text), true, JSON.stringify(text));
  for (const text of ['Fern and Index', '荷兰村', 'café #01-04', '—', ''])
    assert.equal(isDeceptive(text), false, text);
});

test('white space of any kind is blank', () => {
  for (const text of ['', ' \t', '\u2800', '\u3000']) assert.equal(isBlank(text), true);
  assert.equal(isBlank(' a '), false);
});
