import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE, SLOT } from '../time/slot.ts';
import { singapore } from '../time/zones.fixture.ts';
import { lateSentence, readingAge } from './reading-age.ts';

const NOON = Date.parse('2026-11-11T04:00:00Z');

test('readings are late after a slot and a half', () => {
  const table: [number, number, boolean][] = [
    [0, 0, false],
    [SLOT, 15, false],
    [1.5 * SLOT, 22, false],
    [1.5 * SLOT + 1, 22, true],
    [5 * 60 * MINUTE, 300, true],
    [-SLOT, 0, false],
  ];
  for (const [age, minutes, late] of table) {
    assert.deepEqual(readingAge(NOON, NOON + age), { minutes, late });
    assert.equal(lateSentence(NOON, NOON + age, singapore) !== null, late);
  }
});

test('the sentence states the age and the time of the newest reading', () => {
  assert.equal(
    lateSentence(NOON, NOON + 315 * MINUTE, singapore),
    'Readings are late. The newest is 5 hours 15 minutes old (2026-11-11, 12:00 SGT): whatever is shown as now is from then.',
  );
});
