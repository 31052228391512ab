import assert from 'node:assert/strict';
import { test } from 'node:test';
import { primaryStates } from '../atmosphere/primary-state.ts';
import { faultsOf } from '../text/voice.ts';
import { type ClosedGate, closedGateText } from './decision-text.ts';
import { signalStatuses } from './signal-status.ts';
import { justification, outlook, type SilenceTextInput } from './silence-text.ts';

const now = Date.parse('2026-11-11T06:15:00Z');
const story: SilenceTextInput = {
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
    should_stay_silent: false,
    silence_reasons: [],
  },
  gate: 'why_now',
  live_until: null,
  saturation: 0.25,
  next_window: { at: now + 60 * 60_000, reason: 'a line began then on 4 of 21 working days' },
  now,
};

test('each status has its own justification', () => {
  assert.equal(justification(story), 'the pocket is calm-restful and steady; nothing needs saying.');
  const silent = { ...story.moment, should_stay_silent: true, silence_reasons: ['the pocket is tense'] };
  assert.equal(
    justification({ ...story, status: 'WITHHOLD_INTENTIONAL', moment: silent, gate: 'moment_silence' }),
    'a line was drafted and held back: a moment that asks for quiet; the pocket is tense.',
  );
  assert.equal(
    justification({ ...story, status: 'ACTIVE_INTERVENTION', live_until: now + 30 * 60_000 }),
    'a line is live until about 14:45 SGT, and nothing needs adding to it.',
  );
  const all = signalStatuses.map((status) => justification({ ...story, status }));
  assert.equal(new Set(all).size, signalStatuses.length);
});

test('the outlook: duration, saturation and the next window', () => {
  assert.deepEqual(outlook(story), [
    'calm-restful may hold for some 45 minutes more.',
    'attention is 0.25 taken up by what was said lately, less with each hour.',
    'the next window could open about 15:15 SGT: a line began then on 4 of 21 working days.',
  ]);
  const late = {
    ...story,
    now: now + 50 * 60_000,
    next_window: { at: now + 17 * 60 * 60_000, reason: 'so it was' },
  };
  const fresh = { ...late, saturation: 0 };
  assert.deepEqual(outlook(fresh), [
    'calm-restful may be giving way.',
    'attention here is free: nothing was said lately.',
    'the next window could open about 07:15 SGT on 2026-11-12: so it was.',
  ]);
  const never = { ...story, next_window: { at: null, reason: 'too few lines began' } };
  assert.equal(outlook(never).at(-1), 'no next window can be named: too few lines began.');
});

test('every line passes the voice rules', () => {
  for (const status of signalStatuses) {
    for (const gate of [null, ...(Object.keys(closedGateText) as ClosedGate[])]) {
      for (const primary_state of primaryStates) {
        const input = { ...story, status, gate, moment: { ...story.moment, primary_state } };
        for (const line of [justification(input), ...outlook(input)])
          assert.deepEqual(faultsOf(line), [], line);
      }
    }
  }
});
