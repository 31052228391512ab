import assert from 'node:assert/strict';
import { test } from 'node:test';
import { durationText } from './duration.ts';

test('a duration in minutes, hours or days', () => {
  const table: [number, string][] = [
    [0, '0 minutes'],
    [1, '1 minute'],
    [90, '90 minutes'],
    [119.6, '2 h'],
    [315, '5 h 15 min'],
    [2879, '47 h 59 min'],
    [2880, '2 days'],
    [2880 + 185, '2 days 3 h'],
  ];
  for (const [minutes, text] of table) assert.equal(durationText(minutes), text);
});
