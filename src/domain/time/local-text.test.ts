import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atLocalText, endOfLocalText } from './local-text.ts';
import { iso } from './slot.ts';
import { singapore } from './zones.fixture.ts';

test('a local date or time is an instant in the zone', () => {
  const cases: [text: string, from: string | null, to: string | null][] = [
    ['2026-11-11', '2026-11-10T16:00:00.000Z', '2026-11-11T16:00:00.000Z'],
    ['2026-11-11T09:30', '2026-11-11T01:30:00.000Z', '2026-11-11T01:30:00.000Z'],
    ['2026-11-11 09:30', '2026-11-11T01:30:00.000Z', '2026-11-11T01:30:00.000Z'],
    ['2026-02-30', null, null],
    ['2026-13-01', null, null],
    ['2026-11-11T24:00', null, null],
    ['yesterday', null, null],
    ['11.11.2026', null, null],
  ];
  const text = (time: number | null) => (time === null ? null : iso(time));
  for (const [given, from, to] of cases)
    assert.deepEqual(
      [text(atLocalText(given, singapore)), text(endOfLocalText(given, singapore))],
      [from, to],
      given,
    );
});
