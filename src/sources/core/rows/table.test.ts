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
    test(JSON.stringify(text), () => assert.deepEqual(parseTable(text, format).rows, expected));

  test('a quoted cell that does not end', () =>
    assert.throws(
      () => parseTable('a,"b\nc'),
      /^FeedShapeError: row 1 has a quoted cell that does not end$/,
    ));

  test('too many columns', () => assert.throws(() => parseTable(','.repeat(3000)), /at most 2000 columns/));

  test('any cells come back as they were quoted', () => {
    const cell = fc.string({ maxLength: 8, unit: fc.constantFrom('a', ',', '"', '\n', '\r', ' ') });
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 3 }), { maxLength: 4 });
    fc.assert(
      fc.property(table, (rows) => {
        const text = rows
          .map((cells) => `${cells.map((c) => `"${c.replaceAll('"', '""')}"`).join(',')}\n`)
          .join('');
        assert.deepEqual(parseTable(text).rows, rows);
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
    assert.throws(() => parseTable(`a,b\n1,${cell}\n`), /row 2: expected cells of at most 10000 characters/);
  assert.equal(parseTable(`"${'x'.repeat(10_000)}"`).rows[0]?.[0]?.length, 10_000);
});

test('rows are numbered as a spreadsheet counts them', () => {
  const { rows, numbers } = parseTable('a,b\n\n"1\n2",3\r\n\r\n4,5');
  assert.deepEqual([rows.length, numbers], [3, [1, 3, 5]]);
});

test('more rows than are read are refused, not cut', () => {
  assert.throws(() => parseTable('1\n2\n\n3\n', { most_rows: 2 }), /expected at most 2 rows/);
  assert.throws(() => parseTable('1\n'.repeat(200_001)), /expected at most 200000 rows/);
});
