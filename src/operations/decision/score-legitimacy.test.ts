import assert from 'node:assert/strict';
import { after, describe, type TestContext, test } from 'node:test';
import { askOperation, city } from '../../../test/support/answers/ask-operation.ts';
import { writeDecisions } from '../../../test/support/rows/decisions.ts';
import { post } from '../../../test/support/services/http-client.ts';
import { callTool, NOON, startService } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { gates } from '../../domain/decision/gates.ts';
import { decisionId, type SilencePayload } from '../../domain/decision/silence.ts';
import { HOUR, MINUTE, SLOT } from '../../domain/time/sgt.ts';
import { scoreLegitimacy } from './score-legitimacy.ts';

const noon = NOON;

describeStores('score_legitimacy', (makePlace) => {
  const silent = { should_stay_silent: true, silence_reasons: ['the pocket is tense'] };
  const store = storeFor(makePlace, (store) =>
    writeDecisions(store, [
      { slot: noon, gate: null },
      { pocket: 'siglap', slot: noon, gate: 'moment_silence', moment: silent },
      { pocket: 'holland', slot: noon, gate: 'why_now', moment: { signal_saturation: 0.8 } },
      { pocket: 'dempsey', slot: noon, gate: 'why_now', moment: { signal_saturation: 0.801 } },
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
      legitimacy_score: 89.9,
      band: 'legitimate',
      recommendation: 'emit',
      reasoning: [
        'environmental_alignment 0.875: the surroundings support it',
        'fatigue 0.15: attention is rested',
        'merchant_pressure 0.25: there is room that an outlet could fill',
        'expected_value 0.96: much would be gained',
        'saturation 0: little or nothing was said here lately',
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
        "'nudge' in tiongbahru: legitimacy 89.9 of 100, legitimate; recommendation emit.",
        'environmental_alignment 0.875: the surroundings support it.',
        'fatigue 0.15: attention is rested.',
        'merchant_pressure 0.25: there is room that an outlet could fill.',
        'expected_value 0.96: much would be gained.',
        'saturation 0: little or nothing was said here lately.',
        'all seven gates would open.',
        'what follows can be judged from 2026-11-11T05:01:00.000Z on.',
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

  test('fatigue decays from the last dismissal to the default', async () => {
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
    assert.match(text, /gates that would close: moment_silence \(0\)\./);
  });

  test('the channel is echoed, and null when none is given', async () => {
    for (const [channel, echoed] of [
      ['push', 'push'],
      ['', null],
      [undefined, null],
    ])
      assert.equal((await score({ ...(channel !== undefined && { channel }) })).structured.channel, echoed);
  });

  test('without a moment there is no score to give', async () => {
    for (const [pocket, now] of [
      ['tiongbahru', noon + 2 * SLOT],
      ['cluny', noon],
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
      if (silence) {
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
    assert.match(content[0]?.text ?? '', /^'Don't Miss It!' in siglap: legitimacy /);
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
