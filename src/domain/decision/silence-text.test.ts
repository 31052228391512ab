import assert from 'node:assert/strict';
import { test } from 'node:test';
import { primaryStates } from '../atmosphere/primary-state.ts';
import { voiceFaults } from '../text/voice.ts';
import { singapore } from '../time/zones.fixture.ts';
import { signalStatuses } from './signal-status.ts';
import { type Reason, reasonText } from './silence-reason.ts';
import { decisionLine, justification, outlook, type SilenceTextInput } from './silence-text.ts';

const now = Date.parse('2026-11-11T06:15:00Z');
const story: SilenceTextInput = {
  zone: singapore,
  status: 'STABLE_CALM',
  moment: {
    pocket_id: 'holland',
    primary_state: 'calm-restful',
    calm_probability: 0.9,
    calm_level: 0.8,
    calm_change: 0,
    signal_saturation: 0,
    movement_friction: 0.1,
    fragility: 0.1,
    half_life_minutes: 45,
    expires_at: now + 45 * 60_000,
    window_ends_at: now + 60 * 60_000,
    window_held_share: 0.9,
    window_expected_calm: 0.8,
    should_stay_silent: false,
    silence_reasons: [],
  },
  reason: 'why_now',
  live_until: null,
  saturation: 0.25,
  next_window: { at: now + 60 * 60_000, share: 0.19, reason: 'a line began then on 4 of 21 working days' },
  now,
};

test('each status has its own justification', () => {
  assert.equal(
    justification(story),
    'the pocket is calm-restful and steady, and nothing is said: no reason to say it at this hour.',
  );
  const silent = { ...story.moment, should_stay_silent: true, silence_reasons: ['the pocket is tense'] };
  assert.equal(
    justification({ ...story, status: 'WITHHOLD_INTENTIONAL', moment: silent, reason: 'tense' }),
    'a line was drafted and held back: the pocket is tense.',
  );
  const live_until = now + 30 * 60_000;
  assert.equal(
    justification({ ...story, status: 'ACTIVE_INTERVENTION', reason: 'already_speaking', live_until }),
    'a line is live until about 14:45 SGT, and nothing is added to it.',
  );
  assert.equal(
    justification({ ...story, reason: 'quiet_hours' }),
    'nothing is decided from 23:00 to 07:00 SGT: it is an hour for sleep.',
  );
  const all = signalStatuses.map((status) =>
    justification({ ...story, status, live_until: status === 'ACTIVE_INTERVENTION' ? live_until : null }),
  );
  assert.equal(new Set(all).size, signalStatuses.length);
});

test('the justification holds the reason word for word, whatever the status', () => {
  for (const status of signalStatuses)
    for (const reason of Object.keys(reasonText) as Reason[])
      assert.ok(justification({ ...story, status, reason }).includes(reasonText[reason]), reason);
});

const decided = { pocket_id: 'holland', slot: now, legitimacy_score: 52.3 };

test('the line of a decision names its reason', () => {
  assert.equal(
    decisionLine({ ...decided, reason: 'resonance_physical' }, singapore),
    'holland was left in silence at 14:15 SGT on 2026-11-11: not enough reasons to speak, mainly because of rain, heat or heavy air; legitimacy 52.3 against a threshold of 70.',
  );
  assert.equal(
    decisionLine({ ...decided, reason: null, legitimacy_score: 81 }, singapore),
    'a line about holland was published at 14:15 SGT on 2026-11-11: every gate was open; legitimacy 81 against a threshold of 70.',
  );
  assert.equal(
    decisionLine({ ...decided, reason: 'already_speaking' }, singapore),
    'nothing was decided about holland at 14:15 SGT on 2026-11-11: a line of the service is still live.',
  );
});

test('the outlook: how long it may last, saturation and the next window', () => {
  assert.deepEqual(outlook(story), [
    'calm is likely until about 15:15 SGT.',
    'recent messages use 25\u00a0% of the attention budget, less with each hour.',
    'the next window could open about 15:15 SGT: a line began then on 4 of 21 working days.',
  ]);
  const late = {
    ...story,
    now: now + 50 * 60_000,
    moment: { ...story.moment, window_ends_at: null },
    next_window: { at: now + 17 * 60 * 60_000, share: 0.19, reason: 'so it was' },
  };
  const fresh = { ...late, saturation: 0 };
  assert.deepEqual(outlook(fresh), [
    'calm may not hold for an hour.',
    'the attention budget is free: nothing was said or offered lately.',
    'the next window could open about 07:15 SGT on 2026-11-12: so it was.',
  ]);
  const never = { ...story, next_window: { at: null, share: null, reason: 'too few lines began' } };
  assert.equal(outlook(never).at(-1), 'no next window can be estimated: too few lines began.');
});

test('every line passes the voice rules', () => {
  for (const status of signalStatuses) {
    for (const reason of [null, ...(Object.keys(reasonText) as Reason[])]) {
      assert.deepEqual(voiceFaults(decisionLine({ ...decided, reason }, singapore)), [], String(reason));
      for (const primary_state of primaryStates) {
        const input = { ...story, status, reason, moment: { ...story.moment, primary_state } };
        for (const line of [justification(input), ...outlook(input)])
          assert.deepEqual(voiceFaults(line), [], line);
      }
    }
  }
});
