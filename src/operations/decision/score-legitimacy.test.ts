import assert from 'node:assert/strict';
import { after, describe, type TestContext, test } from 'node:test';
import { askOperation, city } from '../../../test/support/answers/ask-operation.ts';
import { writeDecisions } from '../../../test/support/rows/decisions.ts';
import { post } from '../../../test/support/services/http-client.ts';
import { callTool, NOON, startService } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import type { Outlet } from '../../domain/city/city.ts';
import { gates } from '../../domain/decision/gates.ts';
import { decisionId, type SilencePayload } from '../../domain/decision/silence.ts';
import { HOUR, MINUTE, SLOT } from '../../domain/time/sgt.ts';
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
        'environmental_alignment 0.875 costs 5 of 40 points: the surroundings support it',
        'fatigue 0.15 costs 3.8 of 25 points: attention is rested',
        'merchant_pressure 0.25 costs 2.5 of 10 points: outlets have room they could fill',
        'expected_value 0.96 costs 1.8 of 45 points: nearly all that a line can bring',
        'saturation 0 costs 0 of 30 points: little or nothing was said here lately',
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
        why_now: { passed: true, score: 1 },
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
    assert.equal(await fatigue('2030-01-01T00:00:00Z'), 1, 'a time in the future counts as now');
  });

  test('the hard overrides, each from just over its limit', async () => {
    const outcome = (pocket: string, fatigue_score: number) =>
      scored({ user_context: { fatigue_score } }, noon, pocket);
    const table: [pocket: string, fatigue: number, recommendation: string, reason: RegExp | null][] = [
      ['tiongbahru', 0.15, 'emit', null],
      ['tiongbahru', 0.85, 'emit', null],
      ['tiongbahru', 0.851, 'remain_silent', /^fatigue 0\.851 is over 0\.85: silence is forced$/],
      ['siglap', 0.15, 'remain_silent', /^the moment asks for silence: the pocket is tense$/],
      ['holland', 0.15, 'borderline_remain_silent', null],
      ['dempsey', 0.15, 'remain_silent', /^saturation 0\.801 is over 0\.8: silence is forced$/],
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
    assert.match(text, /closed gates: moment_silence \(0\)\./);
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
      ['holland', noon, /^too little that is worth the attention$/, null],
      ['serene', noon, /^too much effort in getting about$/, /^the recommendation follows/],
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
      assert.deepEqual(structured, {
        pocket_id: pocket,
        candidate_action: 'nudge',
        channel: 'push',
        available: false,
      });
      assert.equal(
        text,
        `no moment composable for ${pocket} — substrate may be thin. without one no action can be scored.`,
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
    [{ mood: 'calm' }, 'unknown argument: mood'],
  ];
  for (const [given, message] of refusals) {
    test(`${JSON.stringify(given)} → ${message}`, () => assert.rejects(score(given), { message }));
  }
});

describeStores('score_legitimacy with a merchant id', (makePlace) => {
  const [template] = city.outlets;
  assert.ok(template);
  const outletOf = (n: number, pocket_id: string, category: Outlet['category']): Outlet => ({
    ...template,
    id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    active: true,
    pocket_id,
    category,
  });
  // Five open cafes and a bar in one pocket, two cafes in the other.
  const outlets = [
    ...[1, 2, 3, 4, 5].map((n) => outletOf(n, 'cluny', 'cafe')),
    outletOf(6, 'cluny', 'bar'),
    ...[7, 8].map((n) => outletOf(n, 'serene', 'cafe')),
  ];
  const registry = { ...city, outlets };
  const activity = [0.1, 0.2, 0.3, 0.4, 0.5, 0.9, 0.2, 0.6];
  const store = storeFor(makePlace, async (store) => {
    await writeDecisions(store, [
      { pocket: 'cluny', slot: noon, gate: 'why_now' },
      { pocket: 'serene', slot: noon, gate: 'why_now' },
    ]);
    await store.transaction((tx) =>
      tx.insert(
        'outlet_activity',
        outlets.map(({ id }, n) => ({ slot: noon, outlet_id: id, activity: activity[n] ?? 0 })),
      ),
    );
  });
  const ask = async (id: string, pocket_id = 'cluny', more = {}) => {
    const given = { pocket_id, candidate_action: 'nudge', merchant_context: { id, ...more } };
    const { structured } = await askOperation(scoreLegitimacy, store(), noon, given, registry);
    assert.ok('gates' in structured);
    return structured;
  };
  const idOf = (n: number) => outlets[n - 1]?.id ?? '';

  test('stands for the mean of its category in its pocket where five are open', async () => {
    const answers = await Promise.all([1, 2, 3, 4, 5].map((n) => ask(idOf(n))));
    for (const answer of answers)
      assert.deepEqual(answer, answers[0], 'every id of the category answers alike');
    // Half of the mean of 0.9, 0.8, 0.7, 0.6 and 0.5.
    assert.equal(answers[0]?.factors.merchant_pressure, 0.35);
    assert.equal(
      answers[0]?.reasoning.at(-1),
      'merchant_pressure is the mean of the open outlets of that category in its pocket',
    );
  });

  test("stands for its pocket's mean where fewer are open, wherever the action would be", async () => {
    // Half of the mean of all six in the pocket.
    assert.equal((await ask(idOf(6))).factors.merchant_pressure, 0.3);
    const elsewhere = await ask(idOf(7));
    assert.equal(elsewhere.factors.merchant_pressure, 0.3);
    assert.deepEqual(await ask(idOf(8)), elsewhere);
    assert.match(elsewhere.reasoning.at(-1) ?? '', /fewer than five of its category are open$/);
  });

  test('an unknown id stands for the pocket of the action, and the reasoning says so', async () => {
    const { factors, reasoning } = await ask('nobody');
    assert.equal(factors.merchant_pressure, 0.25);
    assert.match(reasoning.at(-1) ?? '', /^no active outlet has that merchant id/);
  });

  test('a given idle pressure has precedence', async () => {
    const { factors, reasoning } = await ask(idOf(1), 'cluny', { idle_pressure: 0.9 });
    assert.equal(factors.merchant_pressure, 0.9);
    assert.match(reasoning.at(-1) ?? '', /^saturation/);
  });
});

describe('score_legitimacy over a simulated day', async () => {
  const { url, store } = await startService({ after: after as TestContext['after'] });
  const address = `${url}/api/legitimacy`;

  test('without contexts it gives the scores of the stored decisions', async () => {
    const packages = await store.all<{ id: string; legitimacy_score: number }>(
      'select id, legitimacy_score from packages',
    );
    const said = new Map(packages.map(({ id, legitimacy_score }) => [id, legitimacy_score]));
    const silences = await store.all<{ id: string; payload: string }>(
      "select id, payload from ledger_entries where type = 'silence'",
    );
    const pauses = await store.all<{ pocket_id: string; slot: number; legitimacy_score: number }>(
      'select pocket_id, slot, legitimacy_score from pauses',
    );
    const paused = new Map(
      pauses.map(({ pocket_id, slot, legitimacy_score }) => [decisionId(pocket_id, slot), legitimacy_score]),
    );
    const held = new Map(silences.map(({ id, payload }) => [id, JSON.parse(payload) as SilencePayload]));
    const moments = await store.all<{ pocket_id: string; slot: number }>(
      'select pocket_id, slot from moments where slot > ?',
      NOON - 6 * HOUR,
    );
    assert.ok(moments.length > 300);
    for (const { pocket_id, slot } of moments) {
      const given = { pocket_id, candidate_action: 'nudge' };
      const { structured } = await askOperation(scoreLegitimacy, store, slot, given);
      assert.ok('gates' in structured);
      const silence = held.get(decisionId(pocket_id, slot));
      const scores = Object.fromEntries(gates.map((gate) => [gate, structured.gates[gate].score]));
      const pause = paused.get(decisionId(pocket_id, slot));
      if (pause !== undefined) {
        assert.equal(structured.legitimacy_score, pause);
      } else if (silence) {
        assert.equal(structured.legitimacy_score, silence.legitimacy_score);
        assert.deepEqual(scores, silence.gates);
        assert.equal(structured.band, silence.band);
      } else {
        assert.equal(structured.legitimacy_score, said.get(decisionId(pocket_id, slot)));
        for (const gate of gates) assert.ok(structured.gates[gate].passed, gate);
      }
    }
  });

  test('POST /api/legitimacy is the same operation, and its answer is not cached', async () => {
    const given = {
      pocket_id: 'siglap',
      candidate_action: 'nudge',
      channel: 'push',
      user_context: { fatigue_score: 0.5 },
    };
    const reply = await post(address, given);
    assert.deepEqual(
      [reply.status, reply.headers['cache-control'], reply.headers.etag],
      [200, 'no-store', undefined],
    );
    const { _meta, ...body } = reply.json<{ _meta: { tool: string } }>();
    const { structuredContent } = await callTool(url, 'score_legitimacy', given);
    assert.deepEqual(body, structuredContent);
    assert.equal(_meta.tool, 'score_legitimacy');
  });

  const statuses: [given: object, status: number, error: string][] = [
    [{ candidate_action: 'nudge' }, 400, 'pocket_id is required'],
    [{ pocket_id: 'siglap' }, 400, 'candidate_action is required'],
    [{ pocket_id: 'siglap', candidate_action: 'x', mood: 1 }, 400, 'unknown argument: mood'],
    [
      { pocket_id: 'siglap', candidate_action: 'x', user_context: { fatigue_score: 2 } },
      400,
      'user_context.fatigue_score must be 0-1',
    ],
    [{ pocket_id: 'Atlantis', candidate_action: 'x' }, 404, 'unknown pocket: Atlantis'],
  ];
  for (const [given, status, error] of statuses) {
    test(`${JSON.stringify(given)} → ${status}`, async () => {
      const reply = await post(address, given);
      assert.deepEqual([reply.status, reply.json().error], [status, error]);
    });
  }

  test("a caller's own words are quoted as they are", async () => {
    const { content } = await callTool(url, 'score_legitimacy', {
      pocket_id: 'siglap',
      candidate_action: "Don't Miss It!",
    });
    assert.match(content[0]?.text ?? '', / 'Don't Miss It!': legitimacy /);
  });

  test('no outlet is named', async () => {
    const given = {
      pocket_id: 'tiongbahru',
      candidate_action: 'nudge',
      merchant_context: { id: city.outlets[0]?.id },
    };
    const { text } = await post(address, given);
    for (const { name, id } of city.outlets) assert.ok(!text.includes(name) && !text.includes(id));
  });
});
