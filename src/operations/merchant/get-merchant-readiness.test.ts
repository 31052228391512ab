import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation, city } from '../../../test/support/answers/ask-operation.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import type { Outlet, Registry } from '../../domain/city/city.ts';
import type { Cause } from '../../domain/merchant/readiness.ts';
import { MINUTE, SLOT } from '../../domain/time/slot.ts';
import { noStore } from '../../store/engine/open.ts';
import { writeReadiness } from '../../store/merchant/readiness.ts';
import { readinessAt } from '../../store/merchant/testing/readiness-at.ts';
import { getMerchantReadiness } from './get-merchant-readiness.ts';

const noon = Date.parse('2026-11-11T12:00:00+08:00');
const named = { name: 'Unmistakable Quokka', unit: '#09-99', opens_at: '08:00', closes_at: '18:00' };
const outlet = (n: number, pocket_id: string, category: Outlet['category'], active = true): Outlet => ({
  ...{ ...named, pocket_id, category, active, seats: 10, typical_spend: 10, margin: 0.5 },
  id: `0000000${n}-0000-4000-8000-000000000000`,
});
const registry: Registry = {
  ...city,
  outlets: [
    outlet(9, 'tiongbahru', 'cafe'),
    outlet(8, 'tiongbahru', 'bar'),
    outlet(7, 'tiongbahru', 'cafe'),
    outlet(6, 'tiongbahru', 'bakery'),
    outlet(5, 'tiongbahru', 'cafe'),
    outlet(4, 'tiongbahru', 'florist', false),
    outlet(3, 'siglap', 'restaurant'),
    outlet(2, 'siglap', 'bar'),
    outlet(1, 'dempsey', 'cafe', false),
  ],
};

describeStores('get_merchant_readiness', (makePlace) => {
  const row = (n: number, pocket_id: string, cause: Cause, confidence = 1, slot = noon) => ({
    ...{ slot, pocket_id, cause, confidence, idle_pressure: cause === 'closed' ? null : 0.3 },
    outlet_id: `0000000${n}-0000-4000-8000-000000000000`,
  });
  const store = storeFor(makePlace, (store) =>
    store.transaction((tx) =>
      writeReadiness(tx, [
        row(9, 'tiongbahru', 'focus', 0.8),
        row(8, 'tiongbahru', 'closed'),
        row(7, 'tiongbahru', 'focus', 0.9),
        row(6, 'tiongbahru', 'focus', 0.7),
        row(5, 'tiongbahru', 'rain', 0.6),
        row(4, 'tiongbahru', 'settled'),
        row(3, 'siglap', 'families'),
        row(2, 'siglap', 'closed'),
        row(1, 'dempsey', 'focus'),
        row(9, 'tiongbahru', 'closed', 1, noon - SLOT),
        row(9, 'tiongbahru', 'night', 1, noon + SLOT),
      ]),
    ),
  );
  const ask = (pocket_id: string, limit?: number, now = noon) =>
    askOperation(getMerchantReadiness, store(), now, { pocket_id, ...(limit && { limit }) }, registry);

  test('one row for each active outlet, by state, category and confidence, without name or id', async () => {
    const { structured, text } = await ask('tiongbahru');
    const signals = ['opening_hours', 'outlet_activity', 'atmosphere', 'usual_level'];
    const focus = {
      state: 'READY_FOR_FOCUS',
      reason: 'room in a working hour; under its usual level.',
      signals,
    };
    assert.deepEqual(structured, {
      pocket_id: 'tiongbahru',
      computed_at: '2026-11-11T04:00:00.000Z',
      outlet_count: 5,
      open_now_count: 5,
      rows: [
        {
          outlet: 1,
          category: 'food_and_drink',
          state: 'READY_FOR_COMFORT',
          reason: 'room under cover while it rains; under its usual level.',
          confidence: 0.6,
          signals: ['opening_hours', 'outlet_activity', 'atmosphere', 'rain_mm', 'usual_level'],
        },
        { outlet: 2, category: 'food_and_drink', confidence: 0.9, ...focus },
        { outlet: 3, category: 'food_and_drink', confidence: 0.8, ...focus },
        { outlet: 4, category: 'food_and_drink', confidence: 0.7, ...focus },
        {
          outlet: 5,
          category: 'food_and_drink',
          state: 'DO_NOT_PUSH',
          reason: 'closed, outside its opening hours.',
          confidence: 1,
          signals: ['opening_hours'],
        },
      ],
    });
    assert.equal(
      text.split('\n').slice(0, 2).join('\n'),
      'tiongbahru at 12:00 SGT; active outlets: 5, 5 open now.\noutlet 1, food and drink: READY_FOR_COMFORT, room under cover while it rains; under its usual level. confidence 0.6.',
    );
    assert.doesNotMatch(JSON.stringify(structured) + text, /quokka|0000-4000|#09/i);
  });

  test('a category that three active outlets share is shown as it is; two others have none beside it', async () => {
    const shownWith = async (changed: Partial<Record<number, Outlet['category']>>) => {
      const outlets = registry.outlets.map((one) => ({
        ...one,
        category: changed[Number(one.id.slice(0, 8))] ?? one.category,
      }));
      const given = { pocket_id: 'tiongbahru' };
      const { structured } = await askOperation(getMerchantReadiness, store(), noon, given, {
        ...registry,
        outlets,
      });
      return structured.rows.map(({ category }) => category);
    };
    assert.deepEqual(await shownWith({ 6: 'cafe', 8: 'cafe' }), ['cafe', 'cafe', 'cafe', 'cafe', 'cafe']);
    assert.deepEqual(await shownWith({ 6: 'florist' }), [null, null, null, null, null]);
  });

  test('in a pocket of fewer than five, category and the number that are open are null', async () => {
    const { structured, text } = await ask('siglap');
    assert.deepEqual([structured.outlet_count, structured.open_now_count], [2, null]);
    assert.deepEqual(
      structured.rows.map(({ outlet, category, state }) => [outlet, category, state]),
      [
        [1, null, 'READY_FOR_FAMILIES'],
        [2, null, 'DO_NOT_PUSH'],
      ],
    );
    assert.doesNotMatch(text, /restaurant/);
    assert.match(text, /active outlets: 2, fewer than five open now/);
  });

  test('the order depends on published fields only: other ids give the same answer', async () => {
    const own = registry.outlets.filter(({ active, pocket_id }) => active && pocket_id === 'tiongbahru');
    const rows = [
      row(9, 'tiongbahru', 'focus', 0.8),
      row(8, 'tiongbahru', 'closed'),
      row(7, 'tiongbahru', 'focus', 0.8),
      row(6, 'tiongbahru', 'tense', 0.7),
      { ...row(5, 'tiongbahru', 'tense', 0.7), idle_pressure: null },
    ];
    const answers = new Set<string>();
    for (const shift of [0, 1, 2, 3, 4]) {
      const slot = noon + (8 + 4 * shift) * SLOT;
      const ids = new Map(own.map(({ id }, at) => [id, own[(at + shift) % own.length]?.id ?? '']));
      const shifted = rows.map((one) => ({ ...one, slot, outlet_id: ids.get(one.outlet_id) ?? '' }));
      const outlets = own.map((one) => ({ ...one, id: ids.get(one.id) ?? '' }));
      await store().transaction((tx) => writeReadiness(tx, shifted));
      const given = { pocket_id: 'tiongbahru' };
      const city = { ...registry, outlets };
      const { structured } = await askOperation(getMerchantReadiness, store(), slot, given, city);
      assert.equal(structured.rows.length, 5);
      answers.add(JSON.stringify(structured.rows));
    }
    assert.equal(answers.size, 1);
  });

  test('the limit keeps the first rows', async () => {
    const { structured } = await ask('tiongbahru', 2);
    assert.deepEqual(
      structured.rows.map(({ outlet, state }) => [outlet, state]),
      [
        [1, 'READY_FOR_COMFORT'],
        [2, 'READY_FOR_FOCUS'],
      ],
    );
    assert.equal(structured.outlet_count, 5);
  });

  test('a reading is current for half an hour, and not before its slot', async () => {
    const states = async (now: number) =>
      (await ask('tiongbahru', 100, now)).structured.rows.map(({ state }) => state);
    assert.deepEqual(await states(noon - MINUTE), ['DO_NOT_PUSH']);
    assert.deepEqual(await states(noon + SLOT + 29 * MINUTE), ['PROTECTING_ATMOSPHERE']);
    assert.deepEqual(await states(noon + SLOT + 30 * MINUTE), []);
  });

  test('a pocket without readiness, without an active outlet, or unknown', async () => {
    for (const pocket of ['dempsey', 'frankel', 'atlantis', "' or 1=1 --"]) {
      const { structured, text } = await ask(pocket);
      assert.deepEqual(structured, {
        ...{ pocket_id: pocket, computed_at: null, rows: [] },
        ...{ outlet_count: 0, open_now_count: null },
      });
      assert.equal(text, `no outlet of ${pocket} is read at present.`);
    }
  });

  test('readinessAt gives every outlet of a slot, by pocket', async () => {
    const all = await readinessAt(store(), noon);
    assert.equal(all.length, 9);
    assert.deepEqual(
      all.map(({ pocket_id }) => pocket_id),
      all.map(({ pocket_id }) => pocket_id).sort(),
    );
    assert.deepEqual(await readinessAt(store(), noon + MINUTE), []);
  });
});

test('get_merchant_readiness without a store', async () => {
  await assert.rejects(askOperation(getMerchantReadiness, noStore(), noon, { pocket_id: 'siglap' }), {
    code: 'not_configured',
  });
});
