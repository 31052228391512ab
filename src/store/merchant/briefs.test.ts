import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleBrief, writeBriefFixtures } from '../../../test/support/rows/briefs.ts';
import { openMigratedStore, openStores } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import type { BriefWindow } from '../../domain/merchant/brief.ts';
import { DAY, HOUR, MINUTE } from '../../domain/time/slot.ts';
import { singapore } from '../../domain/time/zones.fixture.ts';
import type { Store } from '../engine/store.ts';
import {
  acceptBrief,
  BriefRefused,
  declineBrief,
  findBrief,
  openBriefs,
  type RefusalCode,
  unansweredBriefsAt,
} from './briefs.ts';
import { endedCommitments, liveCommitments } from './commitments.ts';

const noon = Date.parse('2026-11-11T12:00:00+08:00');
const at = (minutes: number) => noon + minutes * MINUTE;
const accept = (store: Store, id: string, now: number, window?: BriefWindow) =>
  store.transaction((tx) => acceptBrief(tx, id, { now, zone: singapore }, window));
const decline = (store: Store, id: string, now: number) =>
  store.transaction((tx) => declineBrief(tx, id, { now, zone: singapore }));
const answers = (store: Store) => store.all('select * from brief_answers');
const refusal = (code: RefusalCode) => (error: Error) => {
  assert.ok(error instanceof BriefRefused, String(error));
  assert.equal(error.code, code);
  return true;
};

describeStores('briefs', (makePlace) => {
  test('a brief is read back as it was written, and is open until it expires or is answered', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await writeBriefFixtures(store, [
      { slot: noon },
      { slot: noon, id: 'other', pocket_id: 'siglap', outlet_id: 'o2' },
    ]);
    const brief = exampleBrief({ slot: noon });
    assert.deepEqual(await findBrief(store, brief.id), { ...brief, answer: null });
    assert.equal(await findBrief(store, "' or 1=1 --"), null);
    const ids = async (now: number, more = {}) => (await openBriefs(store, now, more)).map(({ id }) => id);
    assert.deepEqual(await ids(noon - 1), []);
    assert.deepEqual(await ids(noon), [brief.id, 'other']);
    assert.deepEqual(await ids(noon, { limit: 1 }), [brief.id]);
    assert.deepEqual(await ids(noon, { pocket: 'siglap' }), ['other']);
    assert.deepEqual(await ids(at(45) - 1), [brief.id, 'other']);
    assert.deepEqual(await ids(at(45)), []);
    await decline(store, 'other', at(5));
    assert.deepEqual(await ids(at(5)), [brief.id]);
    assert.deepEqual(
      (await unansweredBriefsAt(store, noon)).map(({ id }) => id),
      [brief.id],
    );
  });

  test('a commitment starts at acceptance, or at the start of the window if that is later', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await writeBriefFixtures(store, [
      { slot: noon, id: 'early' },
      { slot: noon, id: 'late', outlet_id: 'o2' },
      { slot: noon, id: 'chosen', outlet_id: 'o3' },
    ]);
    const early = await accept(store, 'early', at(5));
    assert.deepEqual(early.answer?.window, { window_start: at(15), window_end: at(75) });
    const late = await accept(store, 'late', at(40));
    assert.deepEqual(late.answer, {
      answer: 'accepted',
      answered_at: at(40),
      answered_by: 'operator',
      window: { window_start: at(40), window_end: at(75) },
    });
    const chosen = { window_start: at(30), window_end: at(60) };
    assert.deepEqual((await accept(store, 'chosen', at(10), chosen)).answer?.window, chosen);
    assert.deepEqual(await findBrief(store, 'late'), late);
    const ended = await endedCommitments(store, at(59), at(74));
    assert.deepEqual(
      ended.map(({ brief_id }) => brief_id),
      ['chosen'],
    );
  });

  test('an answer that is not allowed is refused with its reason, and nothing is written', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await writeBriefFixtures(store, [{ slot: noon, id: 'a' }]);
    const window = (from: number, to: number) => ({ window_start: at(from), window_end: at(to) });
    const table: [id: string, now: number, window: BriefWindow | undefined, code: RefusalCode][] = [
      ['none', at(5), undefined, 'unknown'],
      ['a', noon - 1, undefined, 'unknown'],
      ['a', at(45), undefined, 'expired'],
      ['a', noon + DAY, undefined, 'expired'],
      ['a', at(5), window(40, 40), 'window'],
      ['a', at(5), window(50, 40), 'window'],
      ['a', at(5), window(14, 40), 'window'],
      ['a', at(5), window(20, 76), 'window'],
      ['a', at(35), window(20, 35), 'window'],
    ];
    for (const [id, now, chosen, code] of table)
      await assert.rejects(accept(store, id, now, chosen), refusal(code), `${id} ${now - noon}`);
    await assert.rejects(decline(store, 'none', at(5)), refusal('unknown'));
    await assert.rejects(decline(store, 'a', at(45)), refusal('expired'));
    assert.deepEqual(await answers(store), []);
  });

  test('an answer is final', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await writeBriefFixtures(store, [
      { slot: noon, id: 'a' },
      { slot: noon, id: 'b', outlet_id: 'o2' },
    ]);
    await accept(store, 'a', at(5));
    await decline(store, 'b', at(5));
    for (const id of ['a', 'b']) {
      await assert.rejects(accept(store, id, at(6)), refusal('answered'));
      await assert.rejects(decline(store, id, at(6)), refusal('answered'));
    }
    assert.equal((await answers(store)).length, 2);
  });

  test('commitments of one outlet cannot overlap; they may touch, and a declined brief takes no time', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const later = { slot: noon, window_start: at(40), window_end: at(100) };
    await writeBriefFixtures(store, [
      { slot: noon, id: 'first' },
      { ...later, id: 'overlapping' },
      { ...later, id: 'elsewhere', outlet_id: 'o2' },
      { slot: noon, id: 'declined', outlet_id: 'o2' },
    ]);
    await accept(store, 'first', at(5));
    await assert.rejects(accept(store, 'overlapping', at(6)), refusal('overlap'));
    await accept(store, 'overlapping', at(6), { window_start: at(75), window_end: at(100) });
    await decline(store, 'declined', at(6));
    await accept(store, 'elsewhere', at(6));
    assert.equal((await answers(store)).length, 4);
  });

  test('of concurrent answers to one brief or one outlet, exactly one is accepted', async (t) => {
    const stores = await openStores(t, makePlace, 3);
    const [store] = stores;
    assert.ok(store);
    await writeBriefFixtures(store, [
      { slot: noon, id: 'one' },
      ...['x', 'y', 'z'].map((id) => ({ slot: noon, id, outlet_id: 'o2' })),
    ]);
    const same = await Promise.allSettled(stores.map((each) => accept(each, 'one', at(5))));
    const overlapping = await Promise.allSettled(
      stores.map((each, i) => accept(each, 'xyz'[i] ?? '', at(5))),
    );
    for (const outcomes of [same, overlapping]) {
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') assert.ok(outcome.reason instanceof BriefRefused, outcome.reason);
    }
    assert.equal((await answers(store)).length, 2);
  });

  test('a commitment is live from its acceptance or start to the end of its window, to the second', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await writeBriefFixtures(store, [
      { slot: noon, id: 'during' },
      { slot: noon, id: 'before', pocket_id: 'siglap', outlet_id: 'o2' },
    ]);
    await accept(store, 'during', at(20));
    await accept(store, 'before', at(5));
    const seen = async (pocket: string, now: number) => (await liveCommitments(store, pocket, now)).length;
    const table: [pocket: string, from: number][] = [
      ['tiongbahru', at(20)],
      ['siglap', at(15)],
    ];
    for (const [pocket, from] of table) {
      assert.equal(await seen(pocket, from - 1000), 0);
      assert.equal(await seen(pocket, from), 1);
      assert.equal(await seen(pocket, at(75) - 1000), 1);
      assert.equal(await seen(pocket, at(75)), 0);
      assert.equal(await seen(pocket, at(75) + 1000), 0);
    }
    assert.equal(await seen('holland', at(30)), 0);
    const [live] = await liveCommitments(store, 'tiongbahru', at(30));
    assert.equal(live?.window_end, noon + HOUR + 15 * MINUTE);
  });
});
