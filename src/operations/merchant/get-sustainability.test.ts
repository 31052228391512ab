import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation, city } from '../../../test/support/answers/ask-operation.ts';
import { cafe } from '../../../test/support/rows/briefs.ts';
import { writeComparisonFixtures } from '../../../test/support/rows/comparisons.ts';
import { writeEventFixtures } from '../../../test/support/rows/sustainability.ts';
import { ask as get } from '../../../test/support/services/http-client.ts';
import { NOON, startService } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { DAY } from '../../domain/time/slot.ts';
import type { AnswerOf } from '../core/define.ts';
import { getSustainability } from './get-sustainability.ts';

const noon = Date.parse('2026-11-11T04:00:00Z');

const none = {
  dollar_value_recovered: 0,
  waste_avoided_units: 0,
  idle_reclaimed_hours: 0,
  purposeful_trips: 0,
};

const compared =
  'compared with not speaking: the share of places in use an hour after speaking was 7.8 points of a hundred lower than after like moments of silence, give or take 0.8 (57 pairs, 90 days).';
const inferred = [
  'waste_avoided_units',
  'purposeful_trips',
  'attention_saved_count',
  'dollar_value_recovered',
];

describeStores('GET /api/sustainability', (makePlace) => {
  const store = storeFor(makePlace, async (store) => {
    await writeComparisonFixtures(store, noon - DAY);
    await writeEventFixtures(store, [
      { slot: noon },
      { slot: noon - DAY, kind: 'idle_reclaimed', magnitude: 6.8, value_cents: 8078, outlet_id: cafe },
      { slot: noon - DAY, kind: 'purposeful_trip', magnitude: 9, value_cents: 1350, outlet_id: cafe },
      { slot: noon - 8 * DAY, kind: 'waste_avoided', magnitude: 3.4, value_cents: 3121, outlet_id: cafe },
      { slot: noon - 40 * DAY, pocket_id: 'siglap', magnitude: 7, value_cents: 99_999 },
      { slot: noon - 100 * DAY, pocket_id: 'siglap', magnitude: 8, value_cents: 1 },
      { slot: noon, pocket_id: 'holland', magnitude: 4, value_cents: 1680 },
    ]);
  });
  const ask = (given: object = {}) => askOperation(getSustainability, store(), noon, { ...given });

  test('totals, and pockets with the most money first', async () => {
    const { structured, text } = await ask();
    assert.deepEqual(structured, {
      window: '30d',
      currency: 'SGD',
      totals: {
        dollar_value_recovered: 159.09,
        waste_avoided_units: 3.4,
        idle_reclaimed_hours: 6.8,
        purposeful_trips: 9,
      },
      per_pocket: [
        {
          pocket_id: 'tiongbahru',
          dollar_value_recovered: 142.29,
          waste_avoided_units: 3.4,
          idle_reclaimed_hours: 6.8,
          purposeful_trips: 9,
          attention_saved_count: 80,
        },
        { pocket_id: 'holland', ...none, dollar_value_recovered: 16.8, attention_saved_count: 4 },
      ],
      inferred,
      // (45 × 0.034 − 12 × 0.5) ÷ 57
      compared_with_silence: {
        window_days: 90,
        pairs: 57,
        difference: -0.0784,
        standard_error: 0.0082,
        text: compared,
      },
    });
    assert.equal(
      text,
      'SGD 159.09 was kept from being wasted over the last 30d, as inferred, most in tiongbahru (SGD 142.29). '.concat(
        compared,
      ),
    );
  });

  test('windows, pockets and merchants', async () => {
    const money = async (given: object) => (await ask(given)).structured.totals.dollar_value_recovered;
    for (const [given, expected] of [
      [{ window: '7d' }, 127.88],
      [{ window: '90d' }, 1159.08],
      [{ window: 'all' }, 1159.09],
      [{ pocket_id: 'holland' }, 16.8],
      [{ pocket_id: 'rochester' }, 0],
      [{ merchant: cafe }, 125.49],
      [{ merchant: cafe, pocket_id: 'tiongbahru', window: '7d' }, 94.28],
    ] as const)
      assert.equal(await money(given), expected, JSON.stringify(given));
    const { per_pocket } = (await ask({ merchant: cafe })).structured;
    assert.deepEqual(
      per_pocket.map(({ pocket_id, attention_saved_count }) => [pocket_id, attention_saved_count]),
      [['tiongbahru', 0]],
    );
  });

  test('no events', async () => {
    const { structured, text } = await ask({ pocket_id: 'rochester', format: 'narrative', window: 'all' });
    assert.deepEqual(structured, {
      window: 'all',
      currency: 'SGD',
      totals: none,
      inferred,
      compared_with_silence: null,
      per_pocket: [],
      narrative: 'no sustainability data so far.',
    });
    assert.equal(text, 'no sustainability data so far.');
  });

  test('the narrative gives the same figures', async () => {
    const { narrative } = (await ask({ format: 'narrative', window: '7d' })).structured;
    assert.match(narrative ?? '', /^over the last 7d: 6\.8 hours .* 84 lines .* SGD 127\.88 /);
    assert.equal((await ask()).structured.narrative, undefined);
  });
});

test('GET /api/sustainability over HTTP', async (t) => {
  const { url, store } = await startService(t, { days: 0 });
  await writeEventFixtures(store, [
    { slot: NOON, kind: 'idle_reclaimed', magnitude: 6.8, value_cents: 8078, outlet_id: cafe },
  ]);
  const gone = city.outlets.find(({ active }) => !active)?.id ?? '';
  const elsewhere = city.outlets.find(({ pocket_id }) => pocket_id === 'holland')?.id ?? '';
  for (const [query, status, error] of [
    ['?window=14d', 400, 'window must be one of 7d, 30d, 90d, all'],
    ['?format=poem', 400, 'format must be one of narrative, csv'],
    ['?pocket=Atlantis', 404, 'unknown pocket: Atlantis'],
    ['?merchant=nobody', 404, 'unknown outlet: nobody'],
    [`?merchant=${gone}`, 404, `unknown outlet: ${gone}`],
    [`?merchant=${elsewhere}&pocket=tiongbahru`, 404, `unknown outlet: ${elsewhere}`],
  ] as const) {
    const refused = await get(`${url}/api/sustainability${query}`);
    assert.deepEqual([refused.status, refused.json().error], [status, error], query);
  }
  const reply = await get(`${url}/api/sustainability?merchant=${cafe}&format=narrative`);
  assert.equal(reply.json<AnswerOf<typeof getSustainability>>().totals.dollar_value_recovered, 80.78);
  for (const { name, id } of city.outlets) assert.ok(!reply.text.includes(name) && !reply.text.includes(id));
});
