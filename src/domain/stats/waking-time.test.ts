import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { referenceWakingTime } from '../../../test/support/answers/reference-waking-time.ts';
import { pauseAt } from '../decision/silence-reason.ts';
import { voiceFaults } from '../text/voice.ts';
import { DAY, MINUTE, SLOT } from '../time/slot.ts';
import { changingZones, singapore } from '../time/zones.fixture.ts';
import { zeroSums } from './rollup.ts';
import { hoursText, wakingSums, wakingTime, wakingTimeText } from './waking-time.ts';

test('the worked example of docs/formulas.md', () => {
  const example = wakingTime({ emissions: 2, already_speaking: 6, silences: 54 });
  assert.deepEqual(example, { minutes_said: 120, minutes_silent: 810, share_said: 0.129 });
  assert.equal(
    wakingTimeText(example),
    'a line was live for 12.9\u00a0% of waking time: 2 hours said, 13.5 hours silent',
  );
});

test('minutes and share of the slots with a line and without', () => {
  for (const [emissions, already_speaking, silences, expected] of [
    [0, 0, 0, [0, 0, null]],
    [0, 0, 4, [0, 60, 0]],
    [1, 0, 0, [15, 0, 1]],
    [1, 2, 3, [45, 45, 0.5]],
    [1, 0, 2, [15, 30, 0.333]],
  ] as const)
    assert.deepEqual(Object.values(wakingTime({ emissions, already_speaking, silences })), expected);
});

test('a line counts for as long as it is live, not once', () => {
  const short = wakingTime({ emissions: 10, already_speaking: 0, silences: 90 });
  const long = wakingTime({ emissions: 10, already_speaking: 40, silences: 50 });
  assert.deepEqual([short.share_said, long.share_said], [0.1, 0.5]);
});

test('durations over an hour and a half are hours', () => {
  for (const [minutes, text] of [
    [0, '0 minutes'],
    [90, '90 minutes'],
    [105, '1.8 hours'],
    [120, '2 hours'],
    [72_240, '1,204 hours'],
  ] as const)
    assert.equal(hoursText(minutes), text);
});

test('the text keeps to the voice, also where nothing was observed', () => {
  const none = wakingTimeText(wakingTime(zeroSums(wakingSums)));
  assert.equal(none, 'no waking time was observed');
  for (const text of [none, wakingTimeText(wakingTime({ emissions: 1, already_speaking: 0, silences: 1 }))])
    assert.deepEqual(voiceFaults(text), []);
});

/** Of each slot: whether it has a moment, whether a line would pass, and how long that line would be live. */
const slots = fc.array(
  fc.record({ seen: fc.boolean(), passes: fc.boolean(), minutes: fc.integer({ min: 1, max: 200 }) }),
  { minLength: DAY / SLOT, maxLength: (2 * DAY) / SLOT },
);

test('the counts of decisions give what the lines and moments give, whatever is missing', () => {
  const start = Date.parse('2026-10-24T00:00:00Z');
  fc.assert(
    fc.property(
      fc.array(slots, { maxLength: 3 }),
      fc.constantFrom(singapore, ...changingZones),
      (pockets, zone) => {
        const sums = zeroSums(wakingSums);
        const lines: { pocket_id: string; slot: number; expires_at: number }[] = [];
        const moments: { pocket_id: string; slot: number }[] = [];
        for (const [n, own] of pockets.entries()) {
          let live_until: number | null = null;
          for (const [at, { seen, passes, minutes }] of own.entries()) {
            const place = { pocket_id: `pocket ${n}`, slot: start + at * SLOT };
            if (!seen) continue;
            moments.push(place);
            const pause = pauseAt(place.slot, live_until, zone);
            if (pause === 'already_speaking') sums.already_speaking++;
            if (pause !== null) continue;
            if (passes) {
              live_until = place.slot + minutes * MINUTE;
              lines.push({ ...place, expires_at: live_until });
              sums.emissions++;
            } else sums.silences++;
          }
        }
        const span = { from: start, to: start + 2 * DAY };
        assert.deepEqual(wakingTime(sums), referenceWakingTime(lines, moments, span, zone));
      },
    ),
  );
});
