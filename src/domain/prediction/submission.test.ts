import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { primaryStates } from '../atmosphere/primary-state.ts';
import { DAY, iso, MINUTE } from '../time/slot.ts';
import { parseSubmission, type SubmissionInput } from './submission.ts';

const now = Date.parse('2026-11-11T04:00:00Z');
const pockets = ['holland', 'siglap'];
const prediction = {
  pocket_id: 'holland',
  horizon_minutes: 60,
  predicted_state: 'calm-social',
  predicted_calm_probability: 0.6,
  confidence: 0.5,
};
const sound: SubmissionInput = {
  submitter_name: 'a system',
  prediction_window_start: iso(now),
  prediction_window_end: iso(now + DAY),
  predictions: [prediction],
};
const read = (changed: Partial<SubmissionInput>) =>
  parseSubmission({ ...sound, ...changed }, now, (id) => pockets.includes(id));
const readFault = (changed: Partial<SubmissionInput>) => {
  const result = read(changed);
  return 'fault' in result ? result.fault : 'accepted';
};

test('states are stored with a hyphen however they are spelled, everything else as it was sent', () => {
  const predictions = primaryStates.flatMap((state) => [
    { ...prediction, predicted_state: state },
    { ...prediction, predicted_state: state.replace('-', '_'), horizon_minutes: 180 },
  ]);
  const result = read({ predictions, prediction_window_start: '2026-11-11T12:00:00.5+08:00' });
  assert.ok('submission' in result);
  const { items, ...rest } = result.submission;
  assert.deepEqual(rest, {
    submitter_name: 'a system',
    window_start: now + 500,
    window_end: now + DAY,
  });
  assert.deepEqual(
    items,
    primaryStates.flatMap((predicted_state) => [
      { ...prediction, predicted_state },
      { ...prediction, predicted_state, horizon_minutes: 180 },
    ]),
  );
});

describe('what is refused, and with which message', () => {
  const end = (prediction_window_end: string) => ({ prediction_window_end });
  const invisible =
    'submitter_name must not hold control, bidirectional, zero-width or other invisible characters';
  const cases: [changed: Partial<SubmissionInput>, fault: string][] = [
    [{ submitter_name: '   ' }, 'submitter_name is required'],
    [{ submitter_name: '\u2800\u00a0' }, 'submitter_name is required'],
    [{ submitter_name: 'a\nb' }, invisible],
    [end(iso(now)), 'prediction_window_end must be after prediction_window_start'],
    [end(iso(now - 1)), 'prediction_window_end must be after prediction_window_start'],
    [
      { prediction_window_start: iso(now - DAY), prediction_window_end: iso(now) },
      'prediction_window_end must be in the future',
    ],
    [end(iso(now + 7 * DAY + 1)), 'prediction_window_end must be at most 7 days in the future'],
    [end(iso(now + 7 * DAY)), 'accepted'],
    [end(iso(now + 1)), 'accepted'],
    [{ prediction_window_start: '0001-01-01T00:00:00Z' }, 'accepted'],
    [
      { predictions: [prediction, { ...prediction, horizon_minutes: 90 }] },
      'predictions[1].horizon_minutes must be one of 60, 120, 180',
    ],
    [
      { predictions: [{ ...prediction, predicted_state: 'calm' }] },
      `predictions[0].predicted_state must be one of ${primaryStates.join(', ')}`,
    ],
    [
      { predictions: [{ ...prediction, predicted_state: 'calm__social' }] },
      `predictions[0].predicted_state must be one of ${primaryStates.join(', ')}`,
    ],
  ];
  for (const [changed, fault] of cases) {
    test(`${JSON.stringify(changed).slice(0, 70)} → ${fault.slice(0, 60)}`, () =>
      assert.equal(readFault(changed), fault));
  }

  test('an item with an unknown pocket is named', () => {
    const predictions = [prediction, { ...prediction, pocket_id: '__proto__' }];
    assert.deepEqual(read({ predictions }), { unknownPocket: '__proto__', at: 1 });
  });
});

test('names with invisible characters are refused, names without them are accepted', () => {
  const hidden = fc.constantFrom(
    ...['\u0000', '\u0007', '\u001b', '\u007f', '\u0085', '\r', '\n', '\u2028', '\u2029'],
    ...['\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u034f', '\u180e', '\u3164', '\u115f'],
    ...['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2069', '\u200e', '\u200f', '\u061c'],
    ...['\ufe0f', '\u{e0041}', '\u{e0100}', '\ud800', '\udfff', '\ue000'],
  );
  const visible = fc
    .array(fc.constantFrom(...'abcXYZ 019-_.,()é荷兰村שלוםสวัสดี😀'), { minLength: 1, maxLength: 60 })
    .map((letters) => `n${letters.join('')}`);
  fc.assert(
    fc.property(visible, visible, hidden, (before, after, character) => {
      assert.equal(readFault({ submitter_name: before }), 'accepted');
      assert.match(readFault({ submitter_name: before + character + after }), /invisible/);
    }),
    { numRuns: 300 },
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }), (name) => {
      if (readFault({ submitter_name: name }) !== 'accepted') return;
      assert.doesNotMatch(name, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      assert.ok(name.isWellFormed() && name.trim() !== '');
    }),
    { numRuns: 1000 },
  );
});

test('a window is accepted exactly when it ends after its start, in the future, and within 7 days', () => {
  const minutes = fc.integer({ min: -10 * 1440, max: 10 * 1440 });
  fc.assert(
    fc.property(minutes, minutes, (from, until) => {
      const accepted =
        readFault({
          prediction_window_start: iso(now + from * MINUTE),
          prediction_window_end: iso(now + until * MINUTE),
        }) === 'accepted';
      assert.equal(accepted, until > from && until > 0 && until <= 7 * 1440);
    }),
    { numRuns: 500 },
  );
});
