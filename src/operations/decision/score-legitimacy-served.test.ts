// score_legitimacy over HTTP, on the decisions of a simulated day.

import assert from 'node:assert/strict';
import { after, describe, type TestContext, test } from 'node:test';
import { askOperation, city } from '../../../test/support/answers/ask-operation.ts';
import { post } from '../../../test/support/services/http-client.ts';
import { callTool, NOON, startService } from '../../../test/support/services/service.ts';
import { storedEntries } from '../../../test/support/stores/stored-entries.ts';
import { gates } from '../../domain/decision/gates.ts';
import { decisionId, type SilencePayload } from '../../domain/decision/silence.ts';
import { HOUR } from '../../domain/time/slot.ts';
import { scoreLegitimacy } from './score-legitimacy.ts';

describe('score_legitimacy over a simulated day', async () => {
  const { url, store } = await startService({ after: after as TestContext['after'] });
  const address = `${url}/api/legitimacy`;

  test('without contexts it gives the scores of the stored decisions', async () => {
    const packages = await store.all<{ id: string; legitimacy_score: number }>(
      'select id, legitimacy_score from packages',
    );
    const said = new Map(packages.map(({ id, legitimacy_score }) => [id, legitimacy_score]));
    const silences = await storedEntries(store, 'silence');
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
    [
      { pocket_id: 'siglap', candidate_action: 'x', mood: 1 },
      400,
      'unknown argument: mood (known: pocket_id, candidate_action, user_context, merchant_context, channel)',
    ],
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
