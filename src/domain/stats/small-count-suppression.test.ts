import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SMALLEST_COUNT, suppressSmallCount, suppressSmallParts } from './small-count-suppression.ts';

test('no count under five is shown', () => {
  assert.deepEqual([0, 1, 2, 3, 4, 5, 6, null].map(suppressSmallCount), [
    null,
    null,
    null,
    null,
    null,
    5,
    6,
    null,
  ]);
});

test('parts of a total that is shown', () => {
  const table: [counts: Record<string, number>, shown: Record<string, number | null>][] = [
    [
      { calm: 0, busy: 0 },
      { calm: null, busy: null },
    ],
    [
      { calm: 4, busy: 1 },
      { calm: null, busy: null },
    ],
    [
      { calm: 5, busy: 0 },
      { calm: 5, busy: null },
    ],
    [
      { calm: 6, busy: 5 },
      { calm: 6, busy: 5 },
    ],
    // Nine less six would reveal the three.
    [
      { calm: 6, busy: 3 },
      { calm: null, busy: null },
    ],
    [
      { calm: 6, busy: 3, social: 2 },
      { calm: 6, busy: null, social: null },
    ],
    [
      { calm: 9, busy: 6, social: 2 },
      { calm: 9, busy: null, social: null },
    ],
  ];
  for (const [counts, shown] of table)
    assert.deepEqual(suppressSmallParts(counts), shown, JSON.stringify(counts));
});

test('for any counts, none below five is shown or can be found by subtraction', () => {
  const counts = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.nat({ max: 12 }));
  fc.assert(
    fc.property(counts, (given) => {
      const shown = suppressSmallParts(given);
      assert.deepEqual(Object.keys(shown).sort(), Object.keys(given).sort());
      const total = Object.values(given).reduce((sum, count) => sum + count, 0);
      let rest = total;
      for (const [key, count] of Object.entries(shown)) {
        if (count === null) continue;
        assert.ok(count >= SMALLEST_COUNT && count === given[key]);
        rest -= count;
      }
      assert.ok(rest === 0 || rest >= SMALLEST_COUNT || rest === total);
    }),
  );
});
