import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { parseTable, type TableFormat } from './table.ts';

describe('a table', () => {
  const cases: [text: string, expected: string[][], format?: TableFormat][] = [
    ['', []],
    [
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\r\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\r1,\r',
      [
        ['a', 'b'],
        ['1', ''],
      ],
    ],
    ['a,', [['a', '']]],
    ['a\n\n\nb', [['a'], ['b']]],
    [
      '"a,b","c ""d"""\n"e\nf",g',
      [
        ['a,b', 'c "d"'],
        ['e\nf', 'g'],
      ],
    ],
    ['"a"b,c', [['ab', 'c']]],
    ['a"b,c', [['a"b', 'c']]],
    ['a;"b;c"', [['a', 'b;c']], { delimiter: ';' }],
    ["a\t'b'", [['a', 'b']], { delimiter: '\t', quote: "'" }],
    ['"a,b', [['"a', 'b']], { quote: '' }],
  ];
  for (const [text, expected, format] of cases)
    test(JSON.stringify(text), () => assert.deepEqual(parseTable(text, format), expected));

  test('a quoted cell that does not end', () =>
    assert.throws(() => parseTable('a,"b\nc'), /end of a quoted cell/));

  test('too many columns', () => assert.throws(() => parseTable(','.repeat(3000)), /at most 2000 columns/));

  test('any cells come back as they were quoted', () => {
    const cell = fc.string({ maxLength: 8, unit: fc.constantFrom('a', ',', '"', '\n', '\r', ' ') });
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 3 }), { maxLength: 4 });
    fc.assert(
      fc.property(table, (rows) => {
        const text = rows
          .map((cells) => `${cells.map((c) => `"${c.replaceAll('"', '""')}"`).join(',')}\n`)
          .join('');
        assert.deepEqual(parseTable(text), rows);
      }),
    );
  });
});

test('a cell that is longer than anything in a table is refused, quoted or not', () => {
  for (const cell of [
    'x'.repeat(10_001),
    `"${'x'.repeat(10_001)}"`,
    `"${'x'.repeat(9000)}"${'y'.repeat(1001)}`,
  ])
    assert.throws(() => parseTable(`a,b\n1,${cell}\n`), /expected cells of at most 10000 characters/);
  assert.equal(parseTable(`"${'x'.repeat(10_000)}"`)[0]?.[0]?.length, 10_000);
});
