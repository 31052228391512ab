import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { printable, quote } from './printable.ts';
import { voiceFaults } from './voice.ts';

test('untrusted text is made safe to show in a line', () => {
  assert.equal(printable('holland \u202Ev\u200B\n\u0000!'), 'holland v!');
  assert.equal(printable('荷兰村'), '荷兰村');
  assert.equal(printable('x'.repeat(100)), `${'x'.repeat(79)}…`);
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      const shown = printable(text);
      assert.ok([...shown].length <= 80 && shown.isWellFormed());
      assert.doesNotMatch(shown, /[\p{Cc}\p{Cf}]/u);
    }),
  );
});

test('no quoted text ends its quotation or breaks the voice of the line around it', () => {
  assert.equal(quote("Bob's 'BOT'"), "'Bob’s ’BOT’'");
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 120 }), (text) => {
      assert.deepEqual(voiceFaults(`1. ${quote(text)}: accuracy 0.5.`), []);
    }),
  );
});
