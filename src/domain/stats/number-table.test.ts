import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { numbersAt, readTable, tableEntries, withNumbers } from './number-table.ts';

test('a table has the numbers that were set last, like a map', () => {
  const key = fc.constantFrom('9', '9 calm', '19 calm', 'calm 9', 'null', '');
  const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
  fc.assert(
    fc.property(fc.array(fc.tuple(key, fc.array(number, { maxLength: 4 }))), (sets) => {
      const expected = new Map<string, number[]>();
      let table = '';
      for (const [name, numbers] of sets) {
        // Text has no negative zero.
        const plain = numbers.map((value) => value + 0);
        expected.set(name, plain);
        table = withNumbers(table, name, plain);
        assert.deepEqual(numbersAt(table, name), plain);
      }
      assert.deepEqual(new Map(tableEntries(table)), expected);
      assert.deepEqual(
        new Map(tableEntries(table, '9')),
        new Map([...expected].filter(([name]) => name.startsWith('9'))),
      );
      assert.equal(numbersAt(table, 'calm'), undefined);
    }),
  );
});

test('what earlier versions stored is read as a table', () => {
  assert.equal(readTable(undefined), '');
  assert.equal(readTable(';calm 9=1,2'), ';calm 9=1,2');
  assert.equal(readTable({ 'calm 9': [1, 2], 'busy 10': [] }), ';calm 9=1,2;busy 10=');
  assert.equal(readTable({ 'voice 3': { n: 6, sum: 2.25 } }), ';voice 3=6,2.25');
});
