import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BASELINE_NAME, nameFault, SERVICE_NAME } from './submitter-name.ts';

const TAKEN = /that of the service or of a reference/;

test('the name of the service and of its references is taken, and so is what looks the same', () => {
  const names = [
    ...[SERVICE_NAME, 'Pocketwatch', 'POCKETWATCH', 'pocket watch', 'Pocket-Watch!', ' pocketwatch '],
    // Full width, Cyrillic, Greek, digits, accents, small capitals, two letters for one.
    ...['ｐｏｃｋｅｔｗａｔｃｈ', 'росketwatch', 'pοcketwatch', 'p0cketw4tch', 'pöcketwätch', 'pocketvvatch'],
    ...['pocketwatch (official)', 'pocketwatch.com', 'the real pocketwatch', '𝓹𝓸𝓬𝓴𝓮𝓽𝔀𝓪𝓽𝓬𝓱'],
    ...[BASELINE_NAME, 'Naive Baseline', 'naïve baseline', 'naive_baseline (reference)', 'Naive', 'nаive'],
    ...['the service', 'Reference', 'persistence', 'PERS1STENCE', 'Same hour last week', 'last-week'],
  ];
  for (const name of names) assert.match(nameFault(name) ?? 'accepted', TAKEN, name);
});

test('other names are free, also those with a word of them', () => {
  const names = [
    'a system',
    'Bob’s BOT!',
    'wristwatch',
    'pocket',
    'seasonal naive 7',
    'weekly',
    '荷兰村',
    'ΔT',
    '42',
  ];
  for (const name of names) assert.equal(nameFault(name), undefined, name);
});

test('no spacing, case or sign makes the name of the service free', () => {
  const signs = fc.string({ unit: fc.constantFrom(' ', '-', '_', '.', '*', '’', '~', '·'), maxLength: 2 });
  fc.assert(
    fc.property(fc.array(fc.tuple(signs, fc.boolean()), { minLength: 11, maxLength: 11 }), (around) => {
      const name = [...SERVICE_NAME]
        .map((letter, at) => {
          const [sign = '', upper = false] = around[at] ?? [];
          return sign + (upper ? letter.toUpperCase() : letter);
        })
        .join('');
      assert.match(nameFault(name) ?? 'accepted', TAKEN, name);
    }),
  );
});
