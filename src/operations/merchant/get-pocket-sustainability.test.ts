import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation, city } from '../../../test/support/answers/ask-operation.ts';
import { cafe } from '../../../test/support/rows/briefs.ts';
import { writeComparisonFixtures } from '../../../test/support/rows/comparisons.ts';
import { writeEventFixtures } from '../../../test/support/rows/sustainability.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { DAY } from '../../domain/time/slot.ts';
import { noStore } from '../../store/engine/open.ts';
import { getPocketSustainability } from './get-pocket-sustainability.ts';

const compared =
  'compared with not speaking: the share of places in use an hour after speaking was 3.4 points of a hundred higher than after like moments of silence, give or take 1 (45 pairs, 90 days).';
const noon = Date.parse('2026-11-11T04:00:00Z');

describeStores('get_pocket_sustainability', (makePlace) => {
  const store = storeFor(makePlace, async (store) => {
    await writeComparisonFixtures(store, noon - DAY);
    await writeEventFixtures(store, [
      { slot: noon },
      { slot: noon - DAY, kind: 'idle_reclaimed', magnitude: 6.8, value_cents: 8078, outlet_id: cafe },
      { slot: noon - DAY, kind: 'purposeful_trip', magnitude: 9, value_cents: 1350, outlet_id: cafe },
      { slot: noon - 6 * DAY, kind: 'waste_avoided', magnitude: 3.4, value_cents: 3121, outlet_id: cafe },
      { slot: noon - 30 * DAY, magnitude: 7 },
      { slot: noon + 1, magnitude: 1000 },
      { slot: noon, pocket_id: 'siglap', magnitude: 4, value_cents: 12 },
    ]);
  });
  const ask = (pocket_id: string, window_days?: number) =>
    askOperation(getPocketSustainability, store(), noon, { pocket_id, ...(window_days && { window_days }) });

  test('each figure is the sum of its events, and the money that of all', async () => {
    const { structured, text } = await ask('tiongbahru');
    assert.deepEqual(structured, {
      pocket_id: 'tiongbahru',
      window: '30d',
      waste_avoided_units: 3.4,
      idle_reclaimed_hours: 6.8,
      purposeful_trips: 9,
      attention_saved_count: 80,
      dollar_value_sgd: 142.29,
      amount: 142.29,
      currency: 'SGD',
      inferred: [
        'waste_avoided_units',
        'purposeful_trips',
        'attention_saved_count',
        'amount',
        'dollar_value_sgd',
      ],
      compared_with_silence: {
        window_days: 90,
        pairs: 45,
        difference: 0.034,
        standard_error: 0.01,
        text: compared,
      },
    });
    // Of the one outlet of siglap nothing is told.
    const siglap = (await ask('siglap')).structured;
    assert.ok('amount' in siglap && siglap.compared_with_silence === null);
    assert.equal(
      text,
      'tiongbahru over the last 30d: 6.8 hours of places that usually stand idle were in use, less those that stood idle instead. inferred from that, not observed: 3.4 portions sold that closing time would have left over; 9 visits beyond the usual; 80 lines held back that would have cost attention. in all about SGD 142.29 was kept from being wasted, as inferred. '.concat(
        compared,
      ),
    );
  });

  test('in another currency nothing is said in SGD', async () => {
    const elsewhere = { ...city, city: { ...city.city, currency: 'EUR' } };
    const given = { pocket_id: 'tiongbahru' };
    const { structured, text } = await askOperation(getPocketSustainability, store(), noon, given, elsewhere);
    assert.ok('amount' in structured);
    const { dollar_value_sgd, amount, currency } = structured;
    assert.deepEqual([dollar_value_sgd, amount, currency], [null, 142.29, 'EUR']);
    assert.match(text, /in all about EUR 142\.29 was/);
  });

  test('the window is in days; its first millisecond is excluded', async () => {
    for (const [days, units, silences] of [
      [1, 0, 80],
      [2, 0, 80],
      [7, 3.4, 80],
      [31, 3.4, 87],
      [365, 3.4, 87],
    ] as const) {
      const { structured } = await ask('tiongbahru', days);
      assert.equal(structured.window, `${days}d`);
      assert.ok('waste_avoided_units' in structured);
      assert.deepEqual([structured.waste_avoided_units, structured.attention_saved_count], [units, silences]);
    }
  });

  test('no events at all', async () => {
    for (const [pocket_id, days] of [
      ['holland', 30],
      ['atlantis', 7],
      ["' or 1=1 --", 365],
    ] as const) {
      const { structured, text } = await ask(pocket_id, days);
      assert.deepEqual(structured, { pocket_id, window: `${days}d`, available: false });
      assert.equal(text, `no sustainability data for ${pocket_id} over the last ${days}d.`);
    }
  });

  test('without a store', async () => {
    await assert.rejects(askOperation(getPocketSustainability, noStore(), noon, { pocket_id: 'siglap' }), {
      code: 'not_configured',
    });
  });
});
