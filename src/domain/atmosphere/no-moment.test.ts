import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crowdGaps } from '../signals/snapshot.ts';
import { voiceFaults } from '../text/voice.ts';
import { DAY, HOUR, SLOT } from '../time/slot.ts';
import { singapore } from '../time/zones.fixture.ts';
import { learningStep, missingCrowd, missingText, noMomentReason } from './no-moment.ts';

const now = Date.parse('2026-11-06T15:00:00+08:00');
const record = { measured: null, last_crowd: null, last_measured: null, first_measured: null };

test('the reason tells whether people are counted at all, and what keeps the count away', () => {
  assert.equal(noMomentReason(['temperature_c', 'rain_mm'], { crowd_gap: 'none' }), 'no_crowd');
  assert.equal(noMomentReason(['temperature_c', 'rain_mm'], null), 'no_crowd');
  assert.equal(noMomentReason(['footfall'], null), 'not_observed');
  assert.equal(noMomentReason(['footfall'], 'not_kept'), 'not_kept');
  assert.equal(noMomentReason(['rain_mm'], 'not_kept'), 'no_crowd');
  assert.deepEqual(
    crowdGaps.map((crowd_gap) => noMomentReason(['crowd'], { crowd_gap })),
    ['no_crowd', 'crowd_missing', 'crowd_closed', 'crowd_learning', 'stand_ins_only'],
  );
  // The crowd is known, and too much else is missing.
  assert.equal(noMomentReason(['footfall', 'rain_mm'], { crowd_gap: null }), 'thin_data');
});

test('what is missing is named with the first quarter hour that lacked it', () => {
  const counted = { ...record, expects: ['footfall'] as const, measured: { crowd_gap: 'missing' as const } };
  const text = (last_crowd: number | null) =>
    missingText(missingCrowd({ ...counted, last_crowd }), now, singapore);
  assert.equal(text(Date.parse('2026-11-06T12:30:00+08:00')), 'no count of people since 12:45');
  assert.equal(text(Date.parse('2026-11-04T23:45:00+08:00')), 'no count of people since thursday 00:00');
  assert.equal(text(now - 20 * DAY), 'no count of people since 2026-10-17');
  assert.equal(text(null), 'no count of people');
  const gone = missingCrowd({ ...counted, measured: null, last_measured: now - 8 * SLOT });
  assert.equal(missingText(gone, now, singapore), 'nothing has been measured here since 13:15');
});

test('a range that is being learned is told with its end', () => {
  const learning = missingCrowd({
    ...record,
    expects: ['crowd'],
    measured: { crowd_gap: 'learning' },
    first_measured: now - 30 * HOUR,
  });
  assert.equal(
    missingText(learning, now, singapore),
    'how full it gets here is still being learned since thursday 09:00, until about 2026-11-08',
  );
});

test('every text passes the voice rules', () => {
  for (const crowd_gap of crowdGaps)
    for (const at of [null, now - HOUR, now - 3 * DAY]) {
      const times = { last_crowd: at, last_measured: at, first_measured: at };
      const lacks = missingCrowd({ expects: ['crowd'], measured: { crowd_gap }, ...times });
      assert.deepEqual(voiceFaults(missingText(lacks, now, singapore)), []);
    }
});

test('learning has two steps', () => {
  assert.deepEqual(learningStep(now, null, null), { step: 'range', since: null, until: null });
  const began = now - DAY;
  assert.deepEqual(learningStep(now, began, null), { step: 'range', since: began, until: began + 3 * DAY });
  assert.deepEqual(learningStep(now, began, began), { step: 'usual', since: began, until: began + 14 * DAY });
  assert.equal(learningStep(now, now - 20 * DAY, now - 15 * DAY), null);
});
