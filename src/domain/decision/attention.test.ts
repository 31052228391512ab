import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { DAY, HOUR, MINUTE } from '../time/slot.ts';
import {
  channelCost,
  channelCosts,
  effectiveSaturation,
  personFatigue,
  pocketFatigue,
  repetitionScore,
  type SaidLine,
} from './attention.ts';

const now = Date.parse('2026-11-11T04:00:00Z');
const ago = (minutes: number) => now - minutes * MINUTE;

describe('fatigue of a pocket', () => {
  test('rises with each line of the last day, and falls by half in twelve hours', () => {
    assert.equal(pocketFatigue([], now), 0.1);
    // 1 − 0.9 × (1 − 0.06)
    assert.equal(pocketFatigue([now], now), 0.154);
    assert.equal(pocketFatigue([ago(90)], now), 0.15);
    assert.equal(pocketFatigue([ago(12 * 60)], now), 0.127);
    assert.equal(pocketFatigue(Array(8).fill(now), now), 0.451);
  });

  test('another line never lowers it, and waiting never raises it', () => {
    const lines = fc.array(fc.integer({ min: 0, max: 24 * 60 }), { maxLength: 30 });
    fc.assert(
      fc.property(lines, fc.integer({ min: 0, max: 24 * 60 }), (said, more) => {
        const at = (minutes: readonly number[]) => pocketFatigue(minutes.map(ago), now);
        assert.ok(at(said) >= 0.1 && at(said) < 1);
        assert.ok(at([...said, more]) >= at(said));
        assert.ok(at(said.map((minutes) => minutes + more)) <= at(said));
      }),
    );
  });
});

test("fatigue of a person: as given, else decaying since the last dismissal, never under the pocket's", () => {
  assert.equal(personFatigue({}, 0.2, now), 0.2);
  assert.equal(personFatigue({ fatigue_score: 0 }, 0.2, now), 0);
  assert.equal(personFatigue({ fatigue_score: 0.4, last_dismissal_at: now }, 0.2, now), 0.4);
  assert.equal(personFatigue({ last_dismissal_at: now }, 0.2, now), 1);
  assert.equal(personFatigue({ last_dismissal_at: now - 6 * HOUR }, 0.2, now), 0.5);
  assert.equal(personFatigue({ last_dismissal_at: now - 12 * HOUR }, 0.2, now), 0.25);
  assert.equal(personFatigue({ last_dismissal_at: now - 2 * DAY }, 0.2, now), 0.2);
  assert.equal(personFatigue({ last_dismissal_at: now + HOUR }, 0.2, now), 1);
});

test('a channel that interrupts costs attention; a feed, an unknown channel and none cost nothing', () => {
  const rising = ['feed', 'email', 'in_app', 'messaging', 'push', 'sms', 'call'];
  const costs = rising.map(channelCost);
  assert.deepEqual(
    costs,
    [...costs].sort((a, b) => a - b),
  );
  assert.equal(new Set(costs).size, rising.length);
  for (const free of [null, '', 'feed', 'web', 'carrier pigeon', 'constructor'])
    assert.equal(channelCost(free), 0);
  for (const push of ['push', ' Push ', 'push notification', 'push-notification', 'notification'])
    assert.equal(channelCost(push), 0.18, push);
  for (const channel of Object.keys(channelCosts)) assert.ok(channelCost(channel) < 0.5);
});

const line: SaidLine = {
  slot: now,
  tier: 'experience',
  source_kind: 'moment',
  composed_text: 'tiong bahru is quiet and at work; much calmer than usual; until about half past three.',
};

describe('repetition', () => {
  const repeated = (action: string, minutes = 0) =>
    repetitionScore(action, [{ ...line, slot: ago(minutes) }], 'Tiong Bahru', now);

  test('is the share of the words of the action that a line has, halved every 90 minutes', () => {
    for (const [action, share] of [
      ['lunch_nudge', 0],
      ['quiet_lunch', 0.5],
      ['Quiet work', 1],
      ['quiet_experience', 1],
      ['calmer-moment', 1],
      ['wednesday_afternoon', 0],
    ] as const)
      assert.equal(repeated(action), share, action);
    assert.equal(repeated('quiet work', 90), 0.5);
    assert.equal(repetitionScore('quiet work', [], 'Tiong Bahru', now), 0);
  });

  test("the pocket's name, fillers and short words do not count", () => {
    assert.equal(repeated('tiong_bahru'), 0);
    assert.equal(repeated('about_the'), 0);
    assert.equal(repeated('past_three'), 0);
    assert.equal(repeated('tiong_bahru_lunch'), 0);
    assert.equal(repeated('!?'), 0);
  });

  test('more lines never lower it', () => {
    const words = fc.constantFrom('quiet', 'work', 'calmer', 'lunch', 'rain', 'experience');
    fc.assert(
      fc.property(fc.array(words, { maxLength: 5 }), fc.array(words, { maxLength: 5 }), (action, more) => {
        const other = { ...line, composed_text: more.join(' ') };
        const once = repetitionScore(action.join('_'), [line], 'Siglap', now);
        const twice = repetitionScore(action.join('_'), [line, other], 'Siglap', now);
        assert.ok(once >= 0 && once <= twice && twice <= 1);
      }),
    );
  });
});

test('the worked example of docs/formulas.md: a push of what was said 90 minutes ago', () => {
  const repetition = repetitionScore('quiet work', [{ ...line, slot: ago(90) }], 'Tiong Bahru', now);
  // 1 − 0.85 × 0.82 × 0.85
  assert.equal(effectiveSaturation(0.15, { channel_cost: channelCost('push'), repetition }), 0.408);
  assert.equal(effectiveSaturation(0.15, { channel_cost: 0.18, repetition: 0 }), 0.303);
});

test('a dearer channel or more repetition never lowers saturation; neither leaves it as it was', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(share, share, share, share, share, (heard, costA, costB, repeatA, repeatB) => {
      const [channel, repetition] = [Math.max(costA, costB), Math.max(repeatA, repeatB)];
      const less = effectiveSaturation(heard, {
        channel_cost: Math.min(costA, costB),
        repetition: Math.min(repeatA, repeatB),
      });
      const more = effectiveSaturation(heard, { channel_cost: channel, repetition });
      assert.ok(less <= more + 0.001 && more <= 1);
      assert.equal(effectiveSaturation(heard, { channel_cost: 0, repetition: 0 }), heard);
    }),
  );
});
