import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseCsv } from '../../../test/support/answers/csv.ts';
import { type Cell, csvLine } from './csv.ts';

test('quoting and escaping of cells', () => {
  const table: [cells: Cell[], line: string][] = [
    [['a', 'b'], 'a,b'],
    [[null, 0, -0.5, true, false], ',0,-0.5,true,false'],
    [['', ' a '], ', a '],
    [['a,b', 'say "so"', 'two\nlines', 'two\r\nlines'], '"a,b","say ""so""","two\nlines","two\r\nlines"'],
    [['=1+1', '+1', '-1', '@sum', '\tx'], "'=1+1,'+1,'-1,'@sum,'\tx"],
    [['=a,b', '\rx'], `"'=a,b","'\rx"`],
    [['a=1', 'x-y'], 'a=1,x-y'],
    [['é 中 🙂'], 'é 中 🙂'],
  ];
  for (const [cells, line] of table) assert.equal(csvLine(cells), `${line}\r\n`);
});

test('any cells are parsed back, and no text is a formula', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[=+\-@\t\r,"\n ]*$/));
  fc.assert(
    fc.property(fc.array(fc.array(text, { minLength: 2, maxLength: 5 }), { minLength: 1 }), (rows) => {
      const read = parseCsv(rows.map(csvLine).join(''));
      assert.deepEqual(
        read,
        rows.map((row) => row.map((cell) => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell))),
      );
      for (const cell of read.flat()) assert.doesNotMatch(cell, /^[=+\-@]/);
    }),
  );
});
