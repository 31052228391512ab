import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation, city } from '../../../test/support/answers/ask-operation.ts';
import { writeBriefFixtures } from '../../../test/support/rows/briefs.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { isOpen } from '../../domain/time/opening-hours.ts';
import { DAY, HOUR, MINUTE, SLOT } from '../../domain/time/slot.ts';
import { singapore } from '../../domain/time/zones.fixture.ts';
import { acceptBrief } from '../../store/merchant/briefs.ts';
import { getAvailableExperiences } from './get-available-experiences.ts';
import { listExperiences } from './list-experiences.ts';

const noon = Date.parse('2026-11-11T04:00:00Z');
const at = (minutes: number) => noon + minutes * MINUTE;
const openIn = (pocket_id: string) =>
  city.outlets.find((one) => one.pocket_id === pocket_id && one.active && isOpen(one, noon, singapore))?.id ??
  assert.fail(pocket_id);

describeStores('GET /api/experiences', (makePlace) => {
  const store = storeFor(makePlace, async (store) => {
    const brief = (id: string, pocket_id: string, window_end: number, slot = noon) => ({
      ...{ slot, id, pocket_id, outlet_id: openIn(pocket_id), window_end },
    });
    await writeBriefFixtures(store, [
      brief('a', 'tiongbahru', at(75)),
      brief('b', 'siglap', at(60)),
      brief('c', 'holland', at(30)),
      ...[3, 2].map((days) => brief(`habit${days}`, 'joochiat', at(75) - days * DAY, noon - days * DAY)),
    ]);
    for (const id of ['a', 'b', 'c'])
      await store.transaction((tx) => acceptBrief(tx, id, { now: at(15), zone: singapore }));
    for (const days of [3, 2])
      await store.transaction((tx) =>
        acceptBrief(tx, `habit${days}`, { now: noon - days * DAY + SLOT, zone: singapore }),
      );
  });
  const list = (given = {}, now = at(20)) => askOperation(listExperiences, store(), now, given);

  test('without a pocket: those of all pockets, each with its own, the one that ends first is at the top', async () => {
    const { structured, text } = await list();
    assert.deepEqual([structured.pocket_id, structured.count, structured.next_window_at], [null, 3, null]);
    assert.deepEqual(
      structured.experiences.map(({ pocket_id }) => pocket_id),
      ['holland', 'siglap', 'tiongbahru'],
    );
    assert.match(text, /^confirmed and live: 3, .*\nholland: until 12:30 SGT/);
  });

  test('with a pocket: what the tool answers', async () => {
    for (const { id: pocket_id } of city.pockets) {
      const { count, ...body } = (await list({ pocket_id })).structured;
      const { structured } = await askOperation(getAvailableExperiences, store(), at(20), { pocket_id });
      assert.deepEqual(body, structured);
      assert.equal(count, structured.experiences.length);
    }
  });

  test('count is that of all live ones, whatever the limit', async () => {
    const { count, experiences } = (await list({ limit: 1 })).structured;
    assert.deepEqual([count, experiences.map(({ pocket_id }) => pocket_id)], [3, ['holland']]);
  });

  test('an empty network says when the next window may open: the earliest of any pocket', async () => {
    const { structured, text } = await list({}, noon - 2 * HOUR);
    assert.deepEqual(structured, {
      ...{ pocket_id: null, count: 0, experiences: [] },
      next_window_at: new Date(noon).toISOString(),
    });
    assert.match(text, /^no experience is live in any pocket: .*about 12:00 SGT/);
  });

  test('an outlet whose hours have been changed so that it is closed offers nothing', async () => {
    const outlets = city.outlets.map((one) => ({ ...one, opens_at: '18:00', closes_at: '23:00' }));
    const { structured } = await askOperation(listExperiences, store(), at(20), {}, { ...city, outlets });
    assert.equal(structured.count, 0);
  });
});
