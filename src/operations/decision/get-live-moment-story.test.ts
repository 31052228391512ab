import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { writeDecisions } from '../../../test/support/rows/decisions.ts';
import { ask as fetchFrom } from '../../../test/support/services/http-client.ts';
import { callTool, NOON, startService } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import type { LiveStory } from '../../domain/narration/live-story.ts';
import { MINUTE, SLOT } from '../../domain/time/slot.ts';
import { writeStories } from '../../store/decision/live-stories.ts';
import { noStore } from '../../store/engine/open.ts';
import type { AnswerOf } from '../core/define.ts';
import { getLiveMomentStory } from './get-live-moment-story.ts';

const noon = Date.parse('2026-11-11T04:00:00Z');
const story: LiveStory = {
  pocket_id: 'tiongbahru',
  slot: noon,
  expires_at: noon + 20 * MINUTE,
  why_now: 'an ordinary hour.',
  why_this_merchant: 'the 6 outlets here are 25\u00a0% in use.',
  why_users_care: "the hour suits 'calm work'.",
  why_pocket_benefits: 'visits in a calm hour spare the crowded ones.',
  receipts: { outlets: 6, people: null, intents: [] },
};

describeStores('get_live_moment_story', (makePlace) => {
  const store = storeFor(makePlace, (store) => store.transaction((tx) => writeStories(tx, [story])));
  const ask = (pocket_id: string, now: number) =>
    askOperation(getLiveMomentStory, store(), now, { pocket_id });

  test('four clauses, their receipts, and when they expire', async () => {
    const { structured, text } = await ask('tiongbahru', noon + MINUTE);
    const { pocket_id, slot: _slot, expires_at: _end, ...clauses } = story;
    assert.deepEqual(structured, {
      pocket_id,
      story: { composed_at: '2026-11-11T04:00:00.000Z', expires_at: '2026-11-11T04:20:00.000Z', ...clauses },
    });
    assert.equal(
      text,
      [
        'tiongbahru at 12:00 SGT.',
        'why now: an ordinary hour.',
        'why this merchant: the 6 outlets here are 25\u00a0% in use.',
        "why users care: the hour suits 'calm work'.",
        'why the pocket benefits: visits in a calm hour spare the crowded ones.',
      ].join(' '),
    );
  });

  test('no story before it is composed, and none once its moment has expired', async () => {
    for (const [now, live] of [
      [noon - 1, false],
      [noon, true],
      [noon + 20 * MINUTE - 1, true],
      [noon + 20 * MINUTE, false],
    ] as const) {
      const { structured, text } = await ask('tiongbahru', now);
      assert.equal(structured.story !== null, live);
      assert.equal(/^no story is live for tiongbahru/.test(text), !live);
    }
  });

  test('the window is that of the newest moment, and a story ends when the state changes', async () => {
    const tales = ['dempsey', 'cluny'].map((pocket_id) => ({ ...story, pocket_id }));
    await store().transaction((tx) => writeStories(tx, tales));
    const changed = { primary_state: 'busy-productive' } as const;
    await writeDecisions(store(), [
      { pocket: 'dempsey', slot: noon, gate: 'why_now' },
      { pocket: 'dempsey', slot: noon + SLOT, gate: 'why_now' },
      { pocket: 'cluny', slot: noon, gate: 'why_now' },
      { pocket: 'cluny', slot: noon + SLOT, gate: 'why_now', moment: changed },
    ]);
    const ends = async (pocket_id: string, now: number) =>
      (await ask(pocket_id, now)).structured.story?.expires_at;
    assert.equal(await ends('dempsey', noon), '2026-11-11T04:45:00.000Z');
    assert.equal(await ends('dempsey', noon + SLOT), '2026-11-11T05:00:00.000Z');
    assert.equal(await ends('cluny', noon + SLOT - 1), '2026-11-11T04:45:00.000Z');
    assert.equal(await ends('cluny', noon + SLOT), undefined);
  });

  test('a pocket without a story, and one that is not in the registry', async () => {
    for (const pocket_id of ['siglap', 'atlantis', "' or 1=1 --"]) {
      assert.deepEqual((await ask(pocket_id, noon)).structured, { pocket_id, story: null });
    }
  });
});

describe('get_live_moment_story, served', () => {
  test('an answer is not cached past the end of its story', async (t) => {
    const { url, clock, store } = await startService(t, { days: 0 });
    await store.transaction((tx) =>
      writeStories(tx, [{ ...story, slot: NOON, expires_at: NOON + 5 * MINUTE }]),
    );
    const path = `${url}/api/live-story?pocket=tiongbahru`;
    const live = async () => {
      const { structuredContent } = await callTool(url, 'get_live_moment_story', { pocket_id: 'tiongbahru' });
      const reply = await fetchFrom(path);
      assert.equal(reply.headers['cache-control'], 'no-cache');
      const rest = reply.json<AnswerOf<typeof getLiveMomentStory>>();
      assert.deepEqual(rest.story, structuredContent?.story);
      return rest.story !== null;
    };
    assert.equal(await live(), true);
    clock.now = NOON + 5 * MINUTE - 1;
    assert.equal(await live(), true);
    clock.now = NOON + 5 * MINUTE;
    assert.equal(await live(), false);
  });

  test('without a store', async () => {
    await assert.rejects(askOperation(getLiveMomentStory, noStore(), noon, { pocket_id: 'siglap' }), {
      code: 'not_configured',
    });
  });
});
