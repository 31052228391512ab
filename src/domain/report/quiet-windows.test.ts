import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SLOT } from '../time/slot.ts';
import { quietWindowLengths } from './quiet-windows.ts';

/** A letter a quarter hour: quiet, loud, or not read at all. */
const readings = (letters: string) =>
  [...letters].flatMap((letter, n) =>
    letter === '.' ? [] : [{ slot: n * SLOT, calm: letter === 'q' ? 0.55 : 0.549 }],
  );

test('sustained windows, in minutes', () => {
  const table: [letters: string, minutes: number[]][] = [
    ['', []],
    ['qqq', []],
    ['qqqq', [60]],
    ['lqqqqql', [75]],
    ['qqqqlqqqq', [60, 60]],
    ['qqq.qqq', []],
    ['qqqq.qqqqq', [60, 75]],
    ['q'.repeat(672), [10_080]],
  ];
  for (const [letters, minutes] of table)
    assert.deepEqual(quietWindowLengths(readings(letters)), minutes, letters);
});

test('for any week, windows are its runs of four or more quiet slots', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('q', 'l', '.'), { maxLength: 100 }), (letters) => {
      const runs = letters.join('').match(/q{4,}/g) ?? [];
      assert.deepEqual(
        quietWindowLengths(readings(letters.join(''))),
        runs.map((run) => run.length * 15),
      );
    }),
  );
});
