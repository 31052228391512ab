import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseEncoding, isWorthCompressing } from './content-encoding.ts';

test('the encoding that the client prefers, brotli among equals', () => {
  const cases: [acceptEncoding: string | undefined, encoding: string | undefined][] = [
    [undefined, undefined],
    ['', undefined],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['deflate', undefined],
    ['identity', undefined],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['br;q=0, *', 'gzip'],
    ['br;q=0.5, gzip', 'gzip'],
    ['br; q=0.5, gzip; q=0.500', 'br'],
    ['identity, br;q=0.5', undefined],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['br;q=x, gzip;q=2', undefined],
  ];
  for (const [header, encoding] of cases) assert.equal(chooseEncoding(header), encoding, header);
});

test('texts of some length gain from compression', () => {
  const types = ['text/html; charset=utf-8', 'application/json', 'application/feed+json; charset=utf-8'];
  for (const type of [
    ...types,
    'application/rss+xml',
    'application/xml',
    'image/svg+xml',
    'text/javascript',
  ]) {
    assert.equal(isWorthCompressing(type, 1024), true, type);
    assert.equal(isWorthCompressing(type, 1023), false, type);
  }
  for (const type of ['application/octet-stream', 'image/png', 'application/jsonp'])
    assert.equal(isWorthCompressing(type, 9999), false, type);
});
