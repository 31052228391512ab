import assert from 'node:assert/strict';
import { after, describe, type TestContext, test } from 'node:test';
import { askOperation, city } from '../../../test/support/answers/ask-operation.ts';
import { writeDecisions } from '../../../test/support/rows/decisions.ts';
import { ask as get } from '../../../test/support/services/http-client.ts';
import { startService } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { resonanceLayers } from '../../domain/decision/resonance.ts';
import { voiceFaults } from '../../domain/text/voice.ts';
import { DAY, SLOT } from '../../domain/time/slot.ts';
import { writeOutletActivity } from '../../store/observation/outlet-activity.ts';
import type { AnswerOf } from '../core/define.ts';
import { getResonance } from './get-resonance.ts';

const noon = Date.parse('2026-11-11T04:00:00Z');
const inPocket = city.outlets.filter(({ pocket_id, active }) => active && pocket_id === 'tiongbahru');
const [half, full, closed, unheard] = inPocket.map(({ id }) => id);
const inactive = city.outlets.find(({ active }) => !active);

describeStores('GET /api/resonance', (makePlace) => {
  const store = storeFor(makePlace, async (store) => {
    await writeDecisions(store, [
      { slot: noon, gate: 'resonance', layers: { human_energy: 0.5, merchant_state: 0.925 } },
      ...(inactive ? [{ pocket: inactive.pocket_id, slot: noon - SLOT, gate: 'resonance' } as const] : []),
    ]);
    const before = (outlet_id: string | undefined, activity: number) =>
      [1, 2, 3, 4, 5].map((days) => ({ slot: noon - days * DAY, outlet_id: outlet_id ?? '', activity }));
    const activity = [
      // How full they are now is not told: only what is usual at this hour.
      { slot: noon, outlet_id: half ?? '', activity: 0.9 },
      { slot: noon, outlet_id: full ?? '', activity: 0.1 },
      { slot: noon, outlet_id: unheard ?? '', activity: 0.5 },
      ...before(half, 0.5),
      ...before(full, 1),
      ...before(closed, 0),
    ];
    await store.transaction((tx) => writeOutletActivity(tx, activity));
  });
  const read = async (more = {}, now = noon) =>
    (await askOperation(getResonance, store(), now, { pocket_id: 'tiongbahru', ...more })).structured;
  const merchant = async (more = {}) => (await read(more)).resonance?.layers.merchant_state;

  test('the score, what it means, and each layer with its reasoning', async () => {
    assert.deepEqual(await read(), {
      pocket_id: 'tiongbahru',
      tier: 'atmosphere',
      resonance: {
        score: 0.4625,
        should_surface: false,
        threshold: 0.5,
        decay_at: '2026-11-11T04:45:00.000Z',
        decay_reason: 'the moment is ending; human energy is weakest',
        layers: {
          time: { score: 1, reasoning: 'well within the waking day' },
          physical: { score: 1, reasoning: 'the weather is no obstacle' },
          human_energy: { score: 0.5, reasoning: 'the street is strained or empty' },
          merchant_state: { score: 0.925, reasoning: 'neither full nor empty, or not open' },
          attention_density: { score: 1, reasoning: 'little or nothing was said here lately' },
          intent: { score: 1, reasoning: 'the hour suits an intent well' },
          temporal: { score: 1, reasoning: 'the window is long and steady' },
        },
      },
      disagreements: [],
    });
  });

  test('with an outlet, merchant_state is by its usual use at this hour', async () => {
    assert.deepEqual(await merchant({ outlet_id: half }), {
      score: 0.925,
      reasoning: 'neither full nor empty, or not open',
    });
    assert.deepEqual(await merchant({ outlet_id: full }), { score: 0.85, reasoning: 'little or no room' });
    for (const outlet_id of [closed, unheard]) assert.equal((await merchant({ outlet_id }))?.score, 0.94);
  });

  test('an experience needs room in an outlet that is open', async () => {
    assert.equal((await merchant({ tier: 'experience' }))?.score, 0.841);
    assert.equal((await merchant({ tier: 'experience', outlet_id: half }))?.score, 0.841);
    for (const outlet_id of [full, closed, unheard]) {
      const { resonance } = await read({ tier: 'experience', outlet_id });
      assert.equal(resonance?.score, 0);
      assert.equal(resonance?.should_surface, false);
    }
  });

  test('an outlet that is inactive or of another pocket is not found', async () => {
    const elsewhere = city.outlets.find(({ pocket_id }) => pocket_id !== 'tiongbahru')?.id;
    for (const outlet_id of ['no-such', elsewhere])
      await assert.rejects(read({ outlet_id }), {
        name: 'NotFound',
        message: `unknown outlet: ${outlet_id}`,
      });
    assert.ok(inactive);
    await assert.rejects(read({ pocket_id: inactive.pocket_id, outlet_id: inactive.id }), {
      name: 'NotFound',
    });
  });

  test('without a moment it is null', async () => {
    for (const given of [{ pocket_id: 'siglap' }, {}]) {
      const { resonance } = await read(given, noon + 2 * SLOT);
      assert.equal(resonance, null);
    }
  });
});

describe('GET /api/resonance over HTTP', async () => {
  const { url } = await startService({ after: after as TestContext['after'] });
  const fetchJson = async (query: string) => {
    const reply = await get(`${url}/api/resonance${query}`);
    return {
      status: reply.status,
      body: reply.json<AnswerOf<typeof getResonance> & { error?: string }>(),
      text: reply.text,
    };
  };

  test('the score is the product of the layers, in every pocket', async () => {
    for (const { id } of city.pockets) {
      const { body } = await fetchJson(`?pocket=${id}`);
      if (!body.resonance) continue;
      const { layers, score, should_surface } = body.resonance;
      assert.deepEqual(Object.keys(layers), resonanceLayers);
      const product = Object.values(layers).reduce(
        (all, { score }) => (score === null ? all : all * score),
        1,
      );
      assert.ok(Math.abs(product - score) < 1e-4);
      assert.equal(should_surface, score >= 0.5);
      for (const { reasoning } of Object.values(layers)) assert.deepEqual(voiceFaults(reasoning), []);
    }
  });

  test('no outlet is named, also when one is asked for', async () => {
    const { text, status } = await fetchJson(`?pocket=tiongbahru&outlet=${half}&tier=experience`);
    assert.equal(status, 200);
    for (const { name, id } of city.outlets) assert.ok(!text.includes(name) && !text.includes(id));
  });

  const errors: [query: string, status: number, error: string][] = [
    ['', 400, 'pocket is required'],
    ['?pocket=Atlantis', 404, 'unknown pocket: Atlantis'],
    ['?pocket=siglap&outlet=none', 404, 'unknown outlet: none'],
    ['?pocket=siglap&tier=gold', 400, 'tier must be one of atmosphere, experience'],
  ];
  for (const [query, status, error] of errors) {
    test(`${query || 'nothing'} → ${status}`, async () => {
      const reply = await fetchJson(query);
      assert.deepEqual([reply.status, reply.body.error], [status, error]);
    });
  }
});
