import assert from 'node:assert/strict';
import { after, describe, type TestContext, test } from 'node:test';
import { askOperation, city } from '../../../test/support/answers/ask-operation.ts';
import { writeDecisions } from '../../../test/support/rows/decisions.ts';
import { ask as get, post } from '../../../test/support/services/http-client.ts';
import { startService } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { narrativeFormats } from '../../domain/narration/narrative.ts';
import { voiceFaults } from '../../domain/text/voice.ts';
import { DAY, SLOT } from '../../domain/time/slot.ts';
import { writeOutletActivity } from '../../store/observation/outlet-activity.ts';
import type { AnswerOf } from '../core/define.ts';
import { getComposedNarrative } from './get-composed-narrative.ts';

const noon = Date.parse('2026-11-11T04:00:00Z');
const outlet_id = city.outlets.find(({ pocket_id, active }) => active && pocket_id === 'tiongbahru')?.id;

describeStores('GET /api/composed-narrative', (makePlace) => {
  const store = storeFor(makePlace, async (store) => {
    await writeDecisions(store, [{ slot: noon, gate: 'why_now' }]);
    // It is full now; that is not told. On the days before it was not.
    const activity = [0, 1, 2, 3, 4, 5].map((days) => ({
      ...{ slot: noon - days * DAY, outlet_id: outlet_id ?? '', activity: days === 0 ? 1 : 0.25 },
    }));
    await store.transaction((tx) => writeOutletActivity(tx, activity));
  });
  const compose = async (more = {}, now = noon) =>
    (await askOperation(getComposedNarrative, store(), now, { pocket_id: 'tiongbahru', ...more })).structured;

  test('three beats: observation, math, window', async () => {
    assert.deepEqual(await compose(), {
      pocket_id: 'tiongbahru',
      format: 'narration',
      line: 'tiong bahru is quiet and at work. much calmer than a usual wednesday midday. until about one.',
      tier: 'atmosphere',
    });
  });

  test('every format has the same three beats', async () => {
    const lines = new Set<string>();
    for (const format of narrativeFormats) {
      const { line } = await compose({ format });
      assert.match(line ?? '', /tiong bahru is quiet and at work/);
      assert.match(line ?? '', /much calmer than a usual wednesday midday/);
      assert.match(line ?? '', /until about one/);
      lines.add(line ?? '');
    }
    assert.equal(lines.size, narrativeFormats.length);
  });

  test('with an outlet, the tier is by its usual room at this hour', async () => {
    assert.equal((await compose({ outlet_id })).tier, 'experience');
    await assert.rejects(compose({ outlet_id: 'none' }), { message: 'unknown outlet: none' });
  });

  test('without a moment there is neither line nor tier', async () => {
    for (const [more, now] of [
      [{}, noon + 2 * SLOT],
      [{}, noon - 1],
      [{ pocket_id: 'siglap' }, noon],
    ] as const) {
      const { line, tier } = await compose(more, now);
      assert.deepEqual([line, tier], [null, null]);
    }
  });
});

describe('GET /api/composed-narrative over HTTP', () => {
  test('in every pocket and format the line keeps the voice and names no outlet', async (t) => {
    const { url } = await startService(t);
    for (const { id } of city.pockets) {
      for (const format of narrativeFormats) {
        const reply = await get(`${url}/api/composed-narrative?pocket=${id}&format=${format}`);
        assert.equal(reply.status, 200);
        const { line, tier } = reply.json<AnswerOf<typeof getComposedNarrative>>();
        if (line === null) continue;
        assert.ok(tier === 'atmosphere' || tier === 'experience');
        assert.deepEqual(voiceFaults(line, format === 'push' ? 'emit' : 'plain'), [], line);
        for (const { name } of city.outlets) assert.ok(!line.includes(name.toLowerCase()));
      }
    }
  });

  test('it shares its rate limit with POST /api/mcp', async (t) => {
    const { url } = await startService(t, { days: 0, mcpLimit: 2 });
    const address = `${url}/api/composed-narrative?pocket=siglap`;
    assert.equal((await get(address)).status, 200);
    assert.equal((await post(`${url}/api/mcp`, { jsonrpc: '2.0', id: 1, method: 'ping' })).status, 200);
    assert.equal((await get(address)).status, 429);
  });

  const errors: [query: string, status: number, error: string][] = [
    ['', 400, 'pocket is required'],
    ['?pocket=Atlantis', 404, 'unknown pocket: Atlantis'],
    ['?pocket=siglap&outlet=none', 404, 'unknown outlet: none'],
    [
      '?pocket=siglap&format=fax',
      400,
      'format must be one of narration, push, microblog, messaging, email_para',
    ],
  ];
  test('refusals', async () => {
    const { url } = await startService({ after: after as TestContext['after'] }, { days: 0 });
    for (const [query, status, error] of errors) {
      const reply = await get(`${url}/api/composed-narrative${query}`);
      assert.deepEqual([reply.status, reply.json().error], [status, error]);
    }
  });
});
