import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rainWords } from './rain-words.ts';

test('rain of a quarter hour in words', () => {
  const table: [rain_mm: number | null, words: string | null][] = [
    [null, null],
    [0.19, null],
    [0.2, 'light rain'],
    [0.6, 'steady rain'],
    [1.89, 'steady rain'],
    [1.9, 'heavy rain'],
  ];
  for (const [rain_mm, words] of table) assert.equal(rainWords(rain_mm), words);
});
