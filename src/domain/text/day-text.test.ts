import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daysText, dayText } from './day-text.ts';
import { voiceFaults } from './voice.ts';

test('a span of days names month and year once where they are the same', () => {
  const table = [
    ['2024-12-14', '2024-12-14', '14 december 2024'],
    ['2024-12-09', '2024-12-15', '9 to 15 december 2024'],
    ['2024-11-30', '2024-12-06', '30 november to 6 december 2024'],
    ['2024-12-30', '2025-01-05', '30 december 2024 to 5 january 2025'],
  ] as const;
  for (const [first, last, words] of table) {
    assert.equal(daysText(first, last), words);
    assert.deepEqual(voiceFaults(words), []);
  }
  for (const [month] of Array.from({ length: 12 }, (_, n) => [String(n + 1).padStart(2, '0')]))
    assert.match(dayText(`2026-${month}-01`), /^1 [a-z]+ 2026$/);
});
