import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namedDay, namedTime } from './named-time.ts';
import { iso } from './slot.ts';
import { singapore } from './zones.fixture.ts';

/** A Wednesday, 12:00 in Singapore. */
const NOW = Date.parse('2026-11-11T04:00:00Z');

test('days by name; a weekday is the next or the last one', () => {
  const table: [string, 'past' | 'future', string | null][] = [
    ['today', 'past', '2026-11-11'],
    ['Tomorrow', 'future', '2026-11-12'],
    ['yesterday', 'past', '2026-11-10'],
    ['saturday', 'future', '2026-11-14'],
    ['saturday', 'past', '2026-11-07'],
    ['wednesday', 'past', '2026-11-11'],
    ['2026-02-28', 'past', '2026-02-28'],
    ['2026-02-30', 'past', null],
    ['someday', 'past', null],
    ['', 'past', null],
  ];
  for (const [text, towards, date] of table)
    assert.equal(namedDay(text, NOW, singapore, towards), date, `${text} ${towards}`);
});

test('times by clock, day and clock, or as an instant', () => {
  const table: [string, 'past' | 'future', string | null][] = [
    ['now', 'past', '2026-11-11T04:00:00.000Z'],
    ['03:00', 'past', '2026-11-10T19:00:00.000Z'],
    ['22:00', 'past', '2026-11-10T14:00:00.000Z'],
    ['22:00', 'future', '2026-11-11T14:00:00.000Z'],
    ['9:30', 'future', '2026-11-12T01:30:00.000Z'],
    ['yesterday 22:00', 'past', '2026-11-10T14:00:00.000Z'],
    ['2026-11-09T22:00', 'past', '2026-11-09T14:00:00.000Z'],
    ['2026-11-09 22:00', 'past', '2026-11-09T14:00:00.000Z'],
    ['2026-11-09T14:00:00Z', 'past', '2026-11-09T14:00:00.000Z'],
    ['2026-11-09T22:00:00+08:00', 'past', '2026-11-09T14:00:00.000Z'],
    ['24:00', 'past', null],
    ['2026-02-30 10:00', 'past', null],
    ['at night', 'past', null],
  ];
  for (const [text, towards, time] of table) {
    const read = namedTime(text, NOW, singapore, towards);
    assert.equal(read === null ? null : iso(read), time, `${text} ${towards}`);
  }
});
