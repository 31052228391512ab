import assert from 'node:assert/strict';
import { after, describe, type TestContext, test } from 'node:test';
import { askOperation, city } from '../../../test/support/answers/ask-operation.ts';
import { writeDecisions } from '../../../test/support/rows/decisions.ts';
import { ask as get } from '../../../test/support/services/http-client.ts';
import { NOON, startService } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { voiceFaults } from '../../domain/text/voice.ts';
import { SLOT } from '../../domain/time/slot.ts';
import type { AnswerOf } from '../core/define.ts';
import { getIntent } from './get-intent.ts';

describeStores('GET /api/intent', (makePlace) => {
  const store = storeFor(makePlace, (store) => writeDecisions(store, [{ slot: NOON, gate: 'why_now' }]));
  const read = async (more = {}, now = NOON) =>
    (
      await askOperation(getIntent, store(), now, {
        pocket_id: 'tiongbahru',
        slug: 'work-friendly',
        ...more,
      })
    ).structured;

  test('the whole body', async () => {
    assert.deepEqual(await read(), {
      pocket: {
        pocket_id: 'tiongbahru',
        display_name: 'Tiong Bahru',
        region: 'Bukit Merah',
        outlet_count: 6,
        open_now_count: 5,
      },
      intent: {
        slug: 'work-friendly',
        title: 'Work friendly',
        description: 'an hour of laptop work among other people who are also working.',
        // Calm 0.75 × 0.6, stress 0.25 shunned 0.6, social energy shunned 0.4, productive 0.5: 1.75 ÷ 2.6; dry, × 0.9
        current_moment_alignment: 0.606,
      },
      match_ratio: 0.317,
      confidence: 'high',
      reasoning: [
        '12:00 lies within its hours',
        'the atmosphere meets what it wants, work most of all',
        'no rain, where it is meant for rain',
        'of 6 active outlets, each counted as far as its kind serves it and 0 while closed, 32\u00a0% match',
      ],
      signal_tier: {
        tier: 'atmosphere',
        reason: 'the open outlets have too little room for more than how the place feels',
      },
    });
  });

  test('without a moment, alignment and tier are null', async () => {
    const { intent, signal_tier, confidence } = await read({}, NOON + 2 * SLOT);
    assert.deepEqual([intent.current_moment_alignment, signal_tier.tier, confidence], [null, null, 'low']);
  });

  test('an unknown pocket or intent is not found', async () => {
    await assert.rejects(read({ slug: 'loud-now' }), {
      name: 'NotFound',
      message: 'unknown intent slug: loud-now',
    });
    await assert.rejects(read({ pocket_id: 'atlantis' }), {
      name: 'NotFound',
      message: 'unknown pocket: atlantis',
    });
  });
});

describe('GET /api/intent over HTTP', async () => {
  const { url } = await startService({ after: after as TestContext['after'] });

  test('every pocket and intent answers in the shape of the interface', async () => {
    for (const { id } of city.pockets) {
      for (const { slug } of city.intents) {
        const reply = await get(`${url}/api/intent?pocket=${id}&slug=${slug}`);
        assert.equal(reply.status, 200);
        const { _meta, ...body } = reply.json<AnswerOf<typeof getIntent> & { _meta: object }>();
        assert.deepEqual(Object.keys(body), [
          ...['pocket', 'intent', 'match_ratio', 'confidence', 'reasoning', 'signal_tier'],
        ]);
        assert.ok(['low', 'medium', 'high'].includes(body.confidence));
        for (const line of [...body.reasoning, body.signal_tier.reason])
          assert.deepEqual(voiceFaults(line), [], line);
        for (const outlet of city.outlets)
          assert.ok(!reply.text.includes(outlet.name) && !reply.text.includes(outlet.id));
      }
    }
  });

  const errors: [query: string, status: number, error: string][] = [
    ['', 400, 'pocket is required; slug is required'],
    ['?pocket=siglap', 400, 'slug is required'],
    ['?pocket=Atlantis&slug=quiet-now', 404, 'unknown pocket: Atlantis'],
    ['?pocket=siglap&slug=loud-now', 404, 'unknown intent slug: loud-now'],
    ['?pocket=siglap&slug=%3Cscript%3E', 404, 'unknown intent slug: <script>'],
  ];
  for (const [query, status, error] of errors) {
    test(`${query || 'nothing'} → ${status}`, async () => {
      const reply = await get(`${url}/api/intent${query}`);
      assert.deepEqual([reply.status, reply.json().error], [status, error]);
    });
  }
});
