import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { escapeControls, printable, quote } from './printable.ts';
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

test('characters that do not show are shown by their number', () => {
  assert.equal(escapeControls('a\x1b[2Kb\r\n\x9b\u202E雨'), 'a\\u{1b}[2Kb\\u{d}\\u{a}\\u{9b}\\u{202e}雨');
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      assert.doesNotMatch(escapeControls(text), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    }),
  );
});
