import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { writeDecisions } from '../../../test/support/rows/decisions.ts';
import { writeSenses } from '../../../test/support/rows/senses.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { senseWords } from '../../domain/atmosphere/signal.ts';
import { HOUR, SLOT } from '../../domain/time/sgt.ts';
import { noStore } from '../../store/engine/open.ts';
import { getPocketPerception } from './get-pocket-perception.ts';

const noon = Date.parse('2026-11-11T04:00:00Z');

describeStores('get_pocket_perception', (makePlace) => {
  const many = ['p0', 'p1', 'p2', 'p3', 'p4', 'p5', 'p6'];
  const store = storeFor(makePlace, async (store) => {
    await writeDecisions(store, [
      { slot: noon, gate: 'why_now' },
      ...many.map((pocket) => ({ pocket, slot: noon, gate: 'why_now' as const })),
    ]);
    await writeSenses(store, [
      { slot: noon - 4 * HOUR, word: 'transitional', people: 50 },
      { slot: noon - HOUR, word: 'calm', people: 4 },
      { slot: noon, word: 'calm', people: 6 },
      { slot: noon, word: 'focused', people: 6 },
      { slot: noon, word: 'busy', people: 4 },
      { slot: noon, word: 'busy', people: 1, pocket: 'dempsey' },
      { slot: noon + SLOT, word: 'busy', people: 50 },
      { slot: noon, word: 'calm', people: 9, pocket: 'siglap' },
      { slot: noon, word: 'social', people: 2, pocket: 'siglap' },
      ...many.map((pocket, people) => ({ pocket, slot: noon, word: 'calm' as const, people })),
    ]);
  });
  const ask = (pocket_id: string, hours = 4, now = noon) =>
    askOperation(getPocketPerception, store(), now, { pocket_id, hours });

  test('counts, shares and agreement; a word under five is withheld', async () => {
    const { structured, text } = await ask('tiongbahru');
    assert.deepEqual(structured, {
      pocket_id: 'tiongbahru',
      window_hours: 4,
      total: 20,
      distribution: {
        calm: { count: 10, share: 0.5 },
        busy: null,
        social: null,
        focused: null,
        transitional: null,
      },
      withheld: 'no count under five is shown, nor one from which it would follow',
      // Of sixteen who spoke while calm-productive was read: six calm, six focused, four busy.
      agreement: 0.775,
    });
    assert.equal(
      text,
      '20 people said how tiongbahru felt over the last 4h: calm 10 (0.5), and 10 in words that are withheld. what was read agrees with them by 0.775.',
    );
  });

  test('counts are suppressed below five people', async () => {
    for (const [people, pocket] of many.entries()) {
      const { structured, text } = await ask(pocket);
      assert.equal(structured.total, people);
      if (people < 5) {
        assert.equal(structured.distribution, null);
        assert.equal(structured.agreement, null);
        assert.match(structured.withheld ?? '', /fewer than five/);
        for (const word of senseWords) assert.ok(!text.includes(word), text);
      } else {
        assert.deepEqual(structured.distribution?.calm, { count: people, share: 1 });
        assert.equal(structured.withheld, null);
        assert.equal(structured.agreement, 0.5);
      }
    }
    assert.match((await ask('p0')).text, /^nobody said/);
    assert.match((await ask('p1')).text, /^1 person said/);
    assert.match((await ask('p2')).text, /^2 people said/);
  });

  test('where one count would reveal another, all are withheld', async () => {
    const { structured, text } = await ask('siglap');
    assert.equal(structured.total, 11);
    assert.deepEqual(new Set(Object.values(structured.distribution ?? {})), new Set([null]));
    assert.match(text, /no word is told/);
  });

  test('no agreement without readings at the time', async () => {
    const { structured, text } = await ask('siglap', 0.25);
    assert.equal(structured.agreement, null);
    assert.match(text, /too little was read meanwhile to compare\.$/);
  });

  test('the window ends now and may be a quarter hour', async () => {
    assert.equal((await ask('tiongbahru', 0.25)).structured.total, 16);
    assert.equal((await ask('tiongbahru', 0.25, noon + SLOT)).structured.total, 50);
    assert.equal((await ask('tiongbahru', 4.25)).structured.total, 70);
    assert.equal((await ask('tiongbahru', 4, noon + 24 * HOUR)).structured.total, 0);
  });

  test('a pocket that is not in the registry', async () => {
    for (const name of ['atlantis', "' or 1=1 --", '%']) {
      const { structured } = await ask(name);
      assert.deepEqual([structured.total, structured.distribution, structured.agreement], [0, null, null]);
    }
  });
});

test('get_pocket_perception without a store', async () => {
  await assert.rejects(askOperation(getPocketPerception, noStore(), noon, { pocket_id: 'siglap' }), {
    code: 'not_configured',
  });
});
