import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { writeDecisions } from '../../../test/support/rows/decisions.ts';
import { writeSenses } from '../../../test/support/rows/senses.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { senseWords } from '../../domain/signals/signal.ts';
import { HOUR, SLOT } from '../../domain/time/slot.ts';
import { noStore } from '../../store/engine/open.ts';
import { claim } from '../../store/runtime/job-runs.ts';
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
      { slot: noon - HOUR / 2, word: 'calm', people: 3, pocket: 'rochester' },
      { slot: noon, word: 'busy', people: 3, pocket: 'rochester' },
      { slot: noon, word: 'social', people: 4, pocket: 'rochester' },
      { slot: noon - HOUR / 2, word: 'focused', people: 3, pocket: 'serene' },
      { slot: noon, word: 'calm', people: 4, pocket: 'serene' },
      { slot: noon, word: 'transitional', people: 3, pocket: 'serene' },
    ]);
  });
  const ask = (pocket_id: string, hours = 4, now = noon) =>
    askOperation(getPocketPerception, store(), now, { pocket_id, hours });

  test('counts, shares and agreement; a word under five is not counted', async () => {
    const { structured, text } = await ask('tiongbahru');
    assert.deepEqual(structured, {
      pocket_id: 'tiongbahru',
      window_hours: 4,
      total: 16,
      distribution: {
        // Four of them spoke an hour before, too few to end a batch.
        calm: { count: 10, share: 0.625 },
        busy: null,
        social: null,
        focused: { count: 6, share: 0.375 },
        transitional: null,
      },
      withheld: 'a word is counted in steps of five or more people, so that no answer is about fewer',
      // Calm-productive was read at noon: of sixteen it expects eight calm, 4.8 focused, 3.2 others.
      agreement: 0.8,
    });
    assert.equal(
      text,
      '16 people said how tiongbahru felt over the last 4h: calm 10 (63\u00a0%), focused 6 (38\u00a0%). what was read agrees with them by 80\u00a0%.',
    );
  });

  test('below five people the exact total alone is given', async () => {
    for (const [people, pocket] of many.entries()) {
      const { structured, text } = await ask(pocket);
      assert.equal(structured.total, people);
      if (people < 5) {
        assert.equal(structured.distribution, null);
        assert.equal(structured.agreement, null);
        assert.match(structured.withheld ?? '', /five or more people/);
        for (const word of senseWords) assert.ok(!text.includes(word), text);
        const some = `${people} ${people === 1 ? 'person' : 'people'} said how ${pocket} felt over the last 4h, too few`;
        assert.ok(text.startsWith(people === 0 ? `nobody said how ${pocket} felt` : some), text);
      } else {
        assert.deepEqual(structured.distribution?.calm, { count: people, share: 1 });
        assert.match(structured.withheld ?? '', /steps of five/);
        assert.equal(structured.agreement, 0.5);
      }
    }
  });

  test('where no word is counted, all who answered are, in however many words', async () => {
    const { structured, text } = await ask('rochester');
    assert.equal(structured.total, 10);
    assert.equal(structured.distribution, null);
    assert.match(text, /^10 people said how rochester felt .* too few of them with the same word/);
    // As many who chose other words get the same answer, whatever the window.
    for (const hours of [0.25, 1, 4]) {
      const [a, b] = [(await ask('rochester', hours)).structured, (await ask('serene', hours)).structured];
      assert.deepEqual({ ...a, pocket_id: '' }, { ...b, pocket_id: '' });
    }
  });

  test('the total does not count people in words that are withheld', async () => {
    const { structured, text } = await ask('siglap');
    assert.equal(structured.total, 9);
    assert.deepEqual(structured.distribution?.calm, { count: 9, share: 1 });
    assert.equal(structured.distribution?.social, null);
    assert.doesNotMatch(text, /social|\b2\b/);
  });

  test('no agreement without readings at the time', async () => {
    const { structured, text } = await ask('siglap', 0.25);
    assert.equal(structured.agreement, null);
    assert.match(text, /too little was read in that time to compare\.$/);
  });

  test('the window ends now and may be a quarter hour', async () => {
    assert.equal((await ask('tiongbahru', 0.25)).structured.total, 16);
    // Fifty, and the four who said busy at noon.
    assert.equal((await ask('tiongbahru', 0.25, noon + SLOT)).structured.total, 54);
    assert.equal((await ask('tiongbahru', 4.25)).structured.total, 66);
    assert.equal((await ask('tiongbahru', 4, noon + 24 * HOUR)).structured.total, 0);
  });

  test('a slot counts once it is observed', async () => {
    await store().transaction((tx) =>
      tx.insert('citizen_senses', [
        { slot: noon + HOUR, pocket_id: 'frankel', word: 1, people: 9, source: 'o' },
      ]),
    );
    assert.equal((await ask('frankel', 1, noon + HOUR)).structured.total, 0);
    await store().transaction((tx) => claim(tx, 'atmosphere', noon + HOUR, 'test', noon + HOUR));
    assert.equal((await ask('frankel', 1, noon + HOUR)).structured.total, 9);
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
