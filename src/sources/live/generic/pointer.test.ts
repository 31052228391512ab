import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FeedShapeError } from '../../core/adapter.ts';
import { compilePointer, rootNode, rowsAt } from './pointer.ts';

const body = {
  meta: { total: 2 },
  'a/b': { '~': 1 },
  list: [{ name: 'x', items: [{ v: 1 }, { v: 2 }] }, { name: 'y', items: { v: 3 } }, { name: 'z' }],
  byId: { p1: { free: 3 }, p2: { free: 4 } },
  hourly: { time: ['10:00', '11:00'], temperature: [20, 21] },
};
const root = rootNode(body);
const at = (rows: string, pointer: string) => rowsAt(root, rows, 100).map(compilePointer(pointer));

describe('rows and references', () => {
  const cases: [rows: string, reference: string, expected: unknown[]][] = [
    ['', '/meta/total', [2]],
    ['', '/a~1b/~0', [1]],
    ['/list', '/name', ['x', 'y', 'z']],
    ['/list', 'name', ['x', 'y', 'z']],
    ['/list/*/name', '', []],
    ['/list/*/items/[]', '/v', [1, 2, 3]],
    ['/list/*/items/[]', '2/name', ['x', 'x', 'y']],
    ['/list/*/items', '/v', [1, 2, 3]],
    ['/byId/*', '0#', ['p1', 'p2']],
    ['/byId/*', 'free', [3, 4]],
    ['/byId/*', '$/meta/total', [2, 2]],
    ['/hourly/time', '2/temperature/{index}', [20, 21]],
    ['/list', '9/name', [undefined, undefined, undefined]],
    ['/list', '/constructor/name', [undefined, undefined, undefined]],
    ['', '/list/length', [undefined]],
  ];
  for (const [rows, reference, expected] of cases)
    test(`rows ${rows || '(the body)'}, reference ${reference || '(the row)'}`, () => {
      assert.deepEqual(at(rows, reference), expected);
    });

  for (const missing of ['/results', '/meta/total', '/results/*', '/meta/total/*', '/__proto__'])
    test(`nothing at ${missing}`, () => {
      assert.throws(() => rowsAt(root, missing, 100), FeedShapeError);
    });

  test('an empty list has no rows', () => assert.deepEqual(rowsAt(rootNode([]), '', 100), []));

  test('too many rows', () => assert.throws(() => rowsAt(root, '/list', 2), /at most 2 rows/));

  for (const bad of ['a b', 'x/y', '$#', '-1/a'])
    test(`${bad} is no reference`, () => {
      assert.throws(() => compilePointer(bad), /not a JSON pointer/);
    });
});
