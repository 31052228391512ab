import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { normalise } from '../name-index.ts';
import { indexNames } from './name-text.ts';

test('a part is found in every entry that has it in a name, as by going through them', () => {
  const word = fc.constantFrom('a', 'ab', 'ba', 'É', '中', '!', 'b a', '');
  fc.assert(
    fc.property(fc.array(fc.array(word, { maxLength: 3 }), { maxLength: 8 }), word, (lists, part) => {
      const find = indexNames(lists, (names) => names);
      for (const sought of [normalise(part), ` ${normalise(part)}`])
        assert.deepEqual(
          find(sought),
          lists.flatMap((names, at) =>
            sought && names.some((name) => ` ${normalise(name)}`.includes(sought)) ? [at] : [],
          ),
          JSON.stringify([lists, sought]),
        );
    }),
  );
});
