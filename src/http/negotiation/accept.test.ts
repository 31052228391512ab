import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptedQuality, namedQuality, prefersCsv } from './accept.ts';

test('the most specific range decides', () => {
  const accept = 'text/*;q=0.3, text/html;q=0.7, */*;q=0.5';
  const cases: [type: string, quality: number][] = [
    ['text/html', 0.7],
    ['text/csv', 0.3],
    ['application/json', 0.5],
  ];
  for (const [type, quality] of cases) assert.equal(acceptedQuality(accept, type), quality, type);
  assert.equal(acceptedQuality('text/csv', 'application/json'), 0);
  for (const none of [undefined, '', ' ']) assert.equal(acceptedQuality(none, 'text/csv'), 1);
});

test('a type that is not named has no quality of its own', () => {
  assert.equal(namedQuality('*/*', 'text/html'), -1);
  assert.equal(namedQuality('TEXT/HTML ; level=1 ; Q=0.25', 'text/html'), 0.25);
  for (const bad of ['2', '-1', '.5', '0.1234', '1.5', 'x', ''])
    assert.equal(namedQuality(`text/html;q=${bad}`, 'text/html'), 0, bad);
});

test('CSV is sent to those who prefer it to JSON', () => {
  const yes = [
    'text/csv',
    'TEXT/CSV',
    'text/*',
    'text/csv, */*;q=0.1',
    'text/csv;q=0.9, application/json;q=0.8',
    'text/csv; header=present',
  ];
  const no = [
    undefined,
    '',
    '*/*',
    'application/json',
    'text/csv, application/json',
    'text/csv;q=0, */*',
    'text/csv;q=0.5, application/json',
    'text/csv;q=0.5, */*',
    'text/html, application/xhtml+xml, */*;q=0.8',
    'text/csv;q=x',
  ];
  for (const accept of yes) assert.equal(prefersCsv(accept), true, accept);
  for (const accept of no) assert.equal(prefersCsv(accept), false, accept);
});
