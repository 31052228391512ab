import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aboutDuration, durationText, totalDuration } from './duration.ts';

test('a duration in minutes, hours or days', () => {
  const table: [number, string][] = [
    [0, '0 minutes'],
    [1, '1 minute'],
    [90, '90 minutes'],
    [91, '1 hour 31 minutes'],
    [119.6, '2 hours'],
    [315, '5 hours 15 minutes'],
    [2879, '47 hours 59 minutes'],
    [2880, '2 days'],
    [2880 + 61, '2 days 1 hour'],
    [2880 + 185, '2 days 3 hours'],
  ];
  for (const [minutes, text] of table) assert.equal(durationText(minutes), text);
});

test('an estimate is not finer than it can be', () => {
  const table: [number, string][] = [
    [0, '5 minutes'],
    [12, '10 minutes'],
    [47, '45 minutes'],
    [90, '90 minutes'],
    [92, '90 minutes'],
    [105, '2 hours'],
    [140, '2 hours 30 minutes'],
    [240, '4 hours'],
  ];
  for (const [minutes, text] of table) assert.equal(aboutDuration(minutes), text);
});

test('minutes of many together', () => {
  const table: [number, string][] = [
    [0.4, '0 minutes'],
    [1.2, '1 minute'],
    [90, '90 minutes'],
    [91, '2 hours'],
    [29665, '494 hours'],
  ];
  for (const [minutes, text] of table) assert.equal(totalDuration(minutes), text);
});
