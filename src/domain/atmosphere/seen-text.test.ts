import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { substrates } from '../signals/signal.ts';
import { voiceFaults } from '../text/voice.ts';
import { HOUR, MINUTE } from '../time/slot.ts';
import { changingZones, singapore } from '../time/zones.fixture.ts';
import { withNewestReading, withReadDays } from './seen-text.ts';

const noon = Date.parse('2024-12-14T04:00:00Z');
const at = { at: noon, now: noon, zone: singapore };

test('a text says what was seen and when, and a time that it tells itself is not told again', () => {
  const table = [
    ['simulated', 'calm.', 'calm.\nsimulated, newest reading 12:00 SGT.'],
    ['simulated', 'calm at 12:00 SGT.', 'calm at 12:00 SGT.\nsimulated.'],
    ['replay', 'calm.', 'calm.\nreplay of 14 december 2024, newest reading 12:00 SGT.'],
    ['replay', 'calm at 12:00 SGT.', 'calm at 12:00 SGT.\nreplay of 14 december 2024.'],
    ['live', 'calm.', 'calm.\nnewest reading 12:00 SGT.'],
    ['live', 'calm at 12:00 SGT.', 'calm at 12:00 SGT.'],
  ] as const;
  for (const [substrate, text, told] of table)
    assert.equal(withNewestReading(text, { ...at, substrate }), told);
});

test('a reading that is no longer current comes first, with its age, and with its day if that is another', () => {
  const told = (age: number) =>
    withNewestReading('calm at 12:00 SGT.', { ...at, now: noon + age, substrate: 'live' });
  assert.equal(told(30 * MINUTE - 1), 'calm at 12:00 SGT.');
  assert.equal(told(30 * MINUTE), 'the newest reading is of 12:00 SGT, 30 minutes ago.\ncalm at 12:00 SGT.');
  assert.equal(
    told(14 * HOUR),
    'the newest reading is of 12:00 SGT on 14 december 2024, 14 hours ago.\ncalm at 12:00 SGT.',
  );
  const late = { ...at, now: noon + 50 * MINUTE, substrate: 'replay' as const };
  assert.equal(
    withNewestReading('calm.', late),
    'the newest reading is of 12:00 SGT, 50 minutes ago.\ncalm.\nreplay of 14 december 2024.',
  );
});

test('shortly after midnight the day of the reading is told', () => {
  const midnight = Date.parse('2024-12-14T16:00:00Z');
  assert.equal(
    withNewestReading('calm at 23:45 SGT.', {
      ...at,
      at: midnight - 15 * MINUTE,
      now: midnight,
      substrate: 'live',
    }),
    'calm at 23:45 SGT.\nnewest reading 23:45 SGT on 14 december 2024.',
  );
});

test('a text about past days says which', () => {
  const week = { from: Date.parse('2024-12-09T00:00:00+08:00'), to: Date.parse('2024-12-16T00:00:00+08:00') };
  const told = (substrate: 'simulated' | 'replay' | 'live') =>
    withReadDays('a week.', week, { substrate, zone: singapore });
  assert.equal(told('simulated'), 'a week.\nsimulated readings of 9 to 15 december 2024.');
  assert.equal(told('replay'), 'a week.\nreplay of 9 to 15 december 2024.');
  assert.equal(told('live'), 'a week.\nreadings of 9 to 15 december 2024.');
});

test('in any zone, at any age, the words pass the voice rules and the text itself is kept', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(singapore, ...changingZones),
      fc.constantFrom(...substrates),
      fc.integer({ min: 0, max: 2_000_000 }).map((slots) => slots * 15 * MINUTE),
      fc.integer({ min: 0, max: 10_000 }),
      (zone, substrate, slot, minutes) => {
        const told = withNewestReading('calm.', { at: slot, now: slot + minutes * MINUTE, substrate, zone });
        assert.deepEqual(voiceFaults(told), [], told);
        assert.ok(told.split('\n').includes('calm.'));
        assert.equal(told.startsWith('the newest reading is of'), minutes >= 30);
        const days = withReadDays('calm.', { from: slot, to: slot + HOUR }, { substrate, zone });
        assert.deepEqual(voiceFaults(days), [], days);
      },
    ),
  );
});
