import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listWithin, restAddress } from './text-list.ts';

const items = (count: number, length: number) => Array.from({ length: count }, () => 'x'.repeat(length));

test('a list that fits is whole and names no address', () => {
  assert.deepEqual(listWithin(['a', 'b'], '/api/x'), ['a', 'b']);
  assert.deepEqual(listWithin([], '/api/x'), []);
});

test('a list with more than the given number of items says how many are left out, and where they are', () => {
  assert.deepEqual(listWithin(['a', 'b', 'c'], '/api/x', 1), ['a', 'and 2 more at /api/x']);
});

test('a list of any length stays under 3.1 KiB', () => {
  for (const [count, length] of [
    [10_000, 12],
    [100, 400],
    [1, 5000],
  ] as const) {
    const listed = listWithin(items(count, length), '/api/x');
    assert.ok(Buffer.byteLength(listed.join(', ')) < 3.1 * 1024);
    assert.match(listed.at(-1) ?? '', /^and \d+ more at \/api\/x$/);
  }
});

test('an address leaves out parameters without a value', () => {
  assert.equal(restAddress('/api/pockets'), '/api/pockets');
  assert.equal(
    restAddress('/api/predictions', { pocket: 'a b', generator: undefined, limit: 500 }),
    '/api/predictions?pocket=a+b&limit=500',
  );
});
