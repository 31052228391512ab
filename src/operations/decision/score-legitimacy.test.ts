import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { writeDecisions } from '../../../test/support/rows/decisions.ts';
import { NOON } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { gates } from '../../domain/decision/gates.ts';
import { MINUTE, SLOT } from '../../domain/time/slot.ts';
import { scoreLegitimacy } from './score-legitimacy.ts';

const noon = NOON;
const late = Date.parse('2026-11-11T23:15:00+08:00');

describeStores('score_legitimacy', (makePlace) => {
  const silent = { should_stay_silent: true, silence_reasons: ['the pocket is tense'] };
  const store = storeFor(makePlace, (store) =>
    writeDecisions(store, [
      { slot: noon, gate: null },
      { pocket: 'siglap', slot: noon, gate: 'moment_silence', moment: silent },
      { pocket: 'holland', slot: noon, gate: 'why_now', moment: { signal_saturation: 0.8 } },
      { pocket: 'dempsey', slot: noon, gate: 'why_now', moment: { signal_saturation: 0.801 } },
      { pocket: 'cluny', slot: noon, gate: 'why_now' },
      { pocket: 'serene', slot: noon, gate: 'why_low_effort', moment: { movement_friction: 0.3 } },
      { pocket: 'sunset', slot: late, gate: 'why_now' },
    ]),
  );
  const score = (more = {}, now = noon + MINUTE, pocket_id = 'tiongbahru') =>
    askOperation(scoreLegitimacy, store(), now, { pocket_id, candidate_action: 'nudge', ...more });
  const scored = async (...given: Parameters<typeof score>) => {
    const { structured, text } = await score(...given);
    assert.ok('gates' in structured);
    return { ...structured, text };
  };

  test('the whole result', async () => {
    const { structured, text } = await score();
    // 18 + 40 × 0.875 + 45 × 0.96 − 25 × 0.15 − 30 × 0 − 10 × 0.25, a tie that binary fractions round down
    assert.deepEqual(structured, {
      pocket_id: 'tiongbahru',
      candidate_action: 'nudge',
      channel: null,
      service_would_speak: false,
      service_silent_because: 'a line of the service is still live',
      closed_gates: [],
      why_different:
        'the recommendation follows from the score alone, while the service also needs every gate open, a waking hour and no line of its own that is live',
      legitimacy_score: 89.9,
      band: 'legitimate',
      recommendation: 'emit',
      reasoning: [
        'environmental_alignment costs 5 of 40 points: the surroundings support it',
        'fatigue costs 4 of 25 points: attention is rested',
        'merchant_pressure costs 3 of 10 points: outlets have room they could fill',
        'expected_value costs 2 of 45 points: nearly all that a line can bring',
        'saturation costs none of 30 points: little or nothing was said here lately',
      ],
      factors: {
        environmental_alignment: 0.875,
        fatigue: 0.15,
        saturation: 0,
        merchant_pressure: 0.25,
        expected_value: 0.96,
      },
      gates: {
        resonance: { passed: true, score: 1 },
        moment_silence: { passed: true, score: 1 },
        why_this_place: { passed: true, score: 1 },
        why_now: { passed: true, score: 0.875 },
        why_this_person: { passed: true, score: 0.925 },
        why_worth_attention: { passed: true, score: 0.899 },
        why_low_effort: { passed: true, score: 0.875 },
      },
      vindication_window_end: '2026-11-11T05:01:00.000Z',
      computed_at: '2026-11-11T04:01:00.000Z',
    });
    assert.ok('gates' in structured);
    assert.deepEqual(Object.keys(structured.gates), gates);
    assert.equal(
      text,
      [
        'the service itself would stay silent in tiongbahru now: a line of the service is still live.',
        'all seven gates are open.',
        "'nudge': legitimacy 89.9 of 100, legitimate; recommendation emit.",
        `${structured.why_different}.`,
        `${structured.reasoning.join('. ')}.`,
        'the outcome can be judged from 2026-11-11T05:01:00.000Z on.',
      ].join(' '),
    );
  });

  test('values given by the caller replace computed ones', async () => {
    const { factors } = await scored({
      user_context: {
        user_id: 'u1',
        fatigue_score: 0.30005,
        last_dismissal_at: '2026-11-11T04:00:00Z',
        mood: [],
      },
      merchant_context: { id: 'm1', idle_pressure: 0, more: { any: 1 } },
    });
    assert.equal(factors.fatigue, 0.30005);
    assert.equal(factors.merchant_pressure, 0);
  });

  test("fatigue decays from the last dismissal to the pocket's", async () => {
    const fatigue = async (last_dismissal_at: string, now = noon) =>
      (await scored({ user_context: { last_dismissal_at } }, now)).factors.fatigue;
    assert.equal(await fatigue('2026-11-11T04:00:00Z'), 1);
    assert.equal(await fatigue('2026-11-11T04:00:00Z', noon + 15 * MINUTE), 0.972);
    assert.equal(await fatigue('2026-11-11T06:00:00+08:00'), 0.5);
    assert.equal(await fatigue('2026-11-09T04:00Z'), 0.15);
    assert.equal(await fatigue('2026-11-11T04:00:30Z'), 1, 'by a clock that is a little ahead');
    for (const future of ['2026-11-11T04:02:00Z', '2030-01-01T00:00:00Z'])
      await assert.rejects(fatigue(future), {
        name: 'Refused',
        message: 'user_context.last_dismissal_at must not be in the future',
      });
  });

  test('the hard overrides, each from just over its limit', async () => {
    const outcome = (pocket: string, fatigue_score: number) =>
      scored({ user_context: { fatigue_score } }, noon, pocket);
    const table: [pocket: string, fatigue: number, recommendation: string, reason: RegExp | null][] = [
      ['tiongbahru', 0.15, 'emit', null],
      ['tiongbahru', 0.85, 'emit', null],
      ['tiongbahru', 0.851, 'remain_silent', /^fatigue is over its limit: silence is forced$/],
      ['siglap', 0.15, 'remain_silent', /^the moment asks for silence: the pocket is tense$/],
      ['holland', 0.15, 'borderline_remain_silent', null],
      ['dempsey', 0.15, 'remain_silent', /^saturation is over its limit: silence is forced$/],
    ];
    for (const [pocket, fatigue, recommendation, reason] of table) {
      const answer = await outcome(pocket, fatigue);
      assert.equal(answer.recommendation, recommendation, `${pocket} ${fatigue}`);
      if (reason) assert.match(String(answer.reasoning[0]), reason);
    }
    assert.equal(
      (await outcome('siglap', 0.15)).band,
      'legitimate',
      'an override leaves the score unchanged',
    );
  });

  test('the text names the gates that would close', async () => {
    const { gates, text } = await scored({}, noon, 'siglap');
    assert.equal(gates.moment_silence.passed, false);
    assert.match(text, /closed gates: moment_silence\./);
  });

  test('the channel is echoed, and null when none is given', async () => {
    for (const [channel, echoed] of [
      ['push', 'push'],
      ['', null],
      [undefined, null],
    ])
      assert.equal((await score({ ...(channel !== undefined && { channel }) })).structured.channel, echoed);
  });

  test('whether the service itself would speak, and why the recommendation differs', async () => {
    const table: [pocket: string, now: number, because: RegExp | null, different: RegExp | null][] = [
      ['cluny', noon, null, null],
      ['tiongbahru', noon, /^a line of the service is still live$/, /^the recommendation follows/],
      ['siglap', noon, /^the pocket is tense$/, null],
      ['holland', noon, /^it is not worth the attention it would take$/, null],
      ['serene', noon, /^getting there would take too much effort$/, /^the recommendation follows/],
      ['sunset', late, /^it is an hour for sleep$/, /^the recommendation follows/],
    ];
    for (const [pocket, now, because, different] of table) {
      const answer = await scored({}, now, pocket);
      const { service_would_speak, service_silent_because, why_different, recommendation, text } = answer;
      assert.equal(service_would_speak, because === null, pocket);
      assert.equal(service_silent_because === null, because === null, pocket);
      if (because) assert.match(service_silent_because ?? '', because);
      assert.equal(why_different === null, (recommendation === 'emit') === service_would_speak, pocket);
      assert.equal(why_different === null, different === null, pocket);
      if (different) assert.match(why_different ?? '', different);
      assert.ok(
        text.startsWith(`the service itself would ${because ? 'stay silent' : 'speak'} in ${pocket} now`),
      );
    }
    const tired = await scored({ user_context: { fatigue_score: 1 } }, noon, 'cluny');
    assert.ok(tired.service_would_speak && tired.recommendation === 'remain_silent');
    assert.match(
      tired.why_different ?? '',
      /^the service weighs its own line for its own audience \(89\.9\)/,
    );
  });

  test('a channel that interrupts lowers the score, more the more it interrupts', async () => {
    const at = async (channel: string) => (await scored({ channel }, noon, 'cluny')).legitimacy_score;
    const scores = await Promise.all(['feed', 'email', 'in_app', 'messaging', 'push', 'sms', 'call'].map(at));
    assert.deepEqual(
      scores,
      [...scores].sort((a, b) => b - a),
    );
    assert.equal(scores[0], (await scored({}, noon, 'cluny')).legitimacy_score);
    assert.equal(scores[0], await at('carrier pigeon'));
    // 89.95 less 30 × 0.18.
    assert.equal(scores[4], 84.6);
  });

  test('an action whose words the pocket has just heard scores less, and less so with time', async () => {
    const at = async (candidate_action: string, minutes: number, pocket = 'tiongbahru') =>
      (await scored({ candidate_action }, noon + minutes * MINUTE, pocket)).legitimacy_score;
    const fresh = await at('lunch_nudge', 0);
    // The line said "a quiet hour; calm 0.75": both words, 30 × 0.3 points.
    assert.equal(await at('quiet_hour', 0), Math.round(10 * (fresh - 9)) / 10);
    assert.ok((await at('quiet_lunch', 0)) > (await at('quiet_hour', 0)));
    assert.ok((await at('quiet_hour', 20)) > (await at('quiet_hour', 0)));
    assert.equal(await at('quiet_hour', 0, 'cluny'), await at('lunch_nudge', 0, 'cluny'));
  });

  test('user_id changes nothing', async () => {
    const [one, other] = [await score({ user_context: { user_id: 'a' } }), await score()];
    assert.deepEqual(one, other);
  });

  test('without a moment there is no score to give', async () => {
    for (const [pocket, now] of [
      ['tiongbahru', noon + 2 * SLOT],
      ['frankel', noon],
      ['Atlantis', noon],
    ] as const) {
      const { structured, text } = await score({ channel: 'push' }, now, pocket);
      assert.ok('available' in structured);
      const { missing, ...rest } = structured;
      assert.deepEqual(rest, {
        pocket_id: pocket,
        candidate_action: 'nudge',
        channel: 'push',
        available: false,
      });
      assert.equal(missing?.reason, pocket === 'Atlantis' ? undefined : 'not_observed');
      const why = missing ? ` ${missing.text}.` : '';
      assert.equal(
        text,
        `not enough recent data for ${pocket}: without a moment no action can be scored.${why}`,
      );
    }
  });

  const zone = 'must be an ISO 8601 time with its zone, such as 2026-11-11T04:00:00Z';
  const refusals: [given: object, message: string][] = [
    [{ candidate_action: '' }, 'candidate_action is required'],
    [{ user_context: { fatigue_score: 1.01 } }, 'user_context.fatigue_score must be 0-1'],
    [{ user_context: { fatigue_score: '1' } }, 'user_context.fatigue_score must be a number'],
    [{ user_context: { last_dismissal_at: 'yesterday' } }, `user_context.last_dismissal_at ${zone}`],
    [{ user_context: { last_dismissal_at: '2026-11-11' } }, `user_context.last_dismissal_at ${zone}`],
    [{ user_context: { last_dismissal_at: '2026-11-11T04:00' } }, `user_context.last_dismissal_at ${zone}`],
    [{ user_context: { last_dismissal_at: '2026-13-11T04:00Z' } }, `user_context.last_dismissal_at ${zone}`],
    [
      { user_context: { last_dismissal_at: 1794369600000 } },
      'user_context.last_dismissal_at must be a string',
    ],
    [{ user_context: [] }, 'user_context must be an object'],
    [{ merchant_context: { idle_pressure: -0.1 } }, 'merchant_context.idle_pressure must be 0-1'],
    [
      { mood: 'calm' },
      'unknown argument: mood (known: pocket_id, candidate_action, user_context, merchant_context, channel)',
    ],
  ];
  for (const [given, message] of refusals) {
    test(`${JSON.stringify(given)} → ${message}`, () => assert.rejects(score(given), { message }));
  }
});
