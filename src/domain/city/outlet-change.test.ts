import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hoursFault } from './outlet-change.ts';

test('closing before opening must be confirmed', () => {
  const table: [opens_at: string, closes_at: string, overnight: boolean, fault: RegExp | undefined][] = [
    ['08:00', '18:00', false, undefined],
    ['17:00', '01:00', true, undefined],
    ['17:00', '01:00', false, /closes at 01:00, before it opens at 17:00: add --overnight/],
    ['08:00', '18:00', true, /closes at 18:00, after it opens at 08:00: --overnight is for/],
    ['08:00', '08:00', false, /the two must differ/],
    ['08:00', '08:00', true, /the two must differ/],
  ];
  for (const [opens_at, closes_at, overnight, fault] of table) {
    const found = hoursFault({ opens_at, closes_at }, overnight);
    if (fault) assert.match(found ?? '', fault);
    else assert.equal(found, undefined);
  }
});
