import assert from 'node:assert/strict';
import { after, describe, type TestContext, test } from 'node:test';
import { askOperation, city } from '../../../test/support/answers/ask-operation.ts';
import { smallCity } from '../../../test/support/pipeline/small-city.ts';
import { writeDecisions } from '../../../test/support/rows/decisions.ts';
import { ask as get } from '../../../test/support/services/http-client.ts';
import { NOON, startService } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { isOpen } from '../../domain/time/opening-hours.ts';
import { DAY, HOUR, MINUTE, SLOT } from '../../domain/time/slot.ts';
import { singapore } from '../../domain/time/zones.fixture.ts';
import { writeOutletActivity } from '../../store/observation/outlet-activity.ts';
import type { AnswerOf } from '../core/define.ts';
import { getDealProposal } from './get-deal-proposal.ts';

/** The one of its category in tiongbahru, or in another pocket. */
const outletId = (category: string, pocket = 'tiongbahru') =>
  city.outlets.find((one) => one.pocket_id === pocket && one.category === category)?.id ?? '';
const inactive = city.outlets.find(({ active }) => !active)?.id ?? '';

describeStores('GET /api/deal-proposal', (makePlace) => {
  const store = storeFor(makePlace, async (store) => {
    await writeDecisions(store, [
      { slot: NOON, gate: 'why_now' },
      {
        pocket: 'siglap',
        slot: NOON,
        gate: 'moment_silence',
        moment: { should_stay_silent: true, silence_reasons: ['the pocket is tense'] },
      },
    ]);
    const counted: [string, number][] = [
      [outletId('cafe'), 0.25],
      [outletId('bakery'), 0.5],
      // The bar opens at 17:30, so this activity must be ignored.
      [outletId('bar'), 0.25],
      [outletId('restaurant', 'siglap'), 0.25],
      [outletId('cafe', 'holland'), 0.25],
    ];
    const activity = counted.flatMap(([outlet_id, activity]) =>
      // How full it is now is not told, only how full it usually is.
      [0, 1, 2, 3, 4, 5].map((days) => ({
        ...{ slot: NOON - days * DAY, outlet_id, activity: days === 0 ? 0.99 : activity },
      })),
    );
    await store.transaction((tx) => writeOutletActivity(tx, activity));
  });
  const propose = async (outlet_id: string, now = NOON + MINUTE) =>
    (await askOperation(getDealProposal, store(), now, { outlet_id })).structured;

  test('the whole body', async () => {
    // 13.50 × 0.66 × 0.375 = 3.34; × (0.5 + 0.5 × 0.125) = 1.88
    assert.deepEqual(await propose(outletId('cafe')), {
      pocket_id: 'tiongbahru',
      tier: 'experience',
      reason: 'it is open, usually with room to spare, and the moment asks for no silence',
      proposal: {
        tier: 'experience',
        headline: 'a visit in tiong bahru at 11.70 SGD in place of 13.50, until about 13:00.',
        math: {
          ...{ regular_price_sgd: 13.5, proposed_price_sgd: 11.7, saving_sgd: 1.8 },
          ...{ currency: 'SGD', regular_price: 13.5, proposed_price: 11.7, saving: 1.8 },
        },
        merchant_reason:
          'about 80\u00a0% of its room is usually free at this hour, and the price keeps at least half of the margin.',
        consumer_reason:
          '1.80 SGD less than usual, at calm probability 0.875, while friction on the way is 0.13.',
        mutual_benefit: 'room that is usually empty earns 11.70 SGD, and the visitor keeps 1.80 SGD.',
      },
    });
  });

  const refused: [title: string, outlet: string, reason: string][] = [
    ['half full', outletId('bakery'), 'at this hour it usually has less room than an experience needs'],
    ['closed', outletId('bar'), 'it is closed, outside its opening hours'],
    ['not counted', outletId('bookshop'), 'how full it usually is at this hour is not known'],
    [
      'in a tense pocket',
      outletId('restaurant', 'siglap'),
      'the moment asks for silence: the pocket is tense',
    ],
  ];
  for (const [title, outlet, reason] of refused) {
    test(`${title}: no proposal, at the atmosphere tier`, async () => {
      const { tier, proposal, ...rest } = await propose(outlet);
      assert.deepEqual([tier, proposal, rest.reason], ['atmosphere', null, reason]);
    });
  }

  test('without a moment there is neither tier nor proposal', async () => {
    for (const [outlet, now] of [
      [outletId('cafe', 'holland'), NOON],
      [outletId('cafe'), NOON + 2 * SLOT],
    ] as const) {
      const { tier, proposal, reason } = await propose(outlet, now);
      assert.deepEqual([tier, proposal], [null, null]);
      assert.match(reason, /^not enough recent data for \w+$/);
    }
  });

  test('an outlet that is unknown or inactive is not found', async () => {
    for (const outlet_id of [inactive, 'none', '__proto__'])
      await assert.rejects(propose(outlet_id), {
        name: 'NotFound',
        message: `unknown outlet: ${outlet_id}`,
      });
  });
});

describe('GET /api/deal-proposal over HTTP', async () => {
  const few = smallCity(7);
  const { url, clock } = await startService(
    { after: after as TestContext['after'] },
    { days: 4, registry: few },
  );

  test('through a day: some outlets have a proposal, none that is closed, and none is named', async (t) => {
    t.after(() => {
      clock.now = NOON;
    });
    let proposed = 0;
    for (let hour = 0; hour < 24; hour += 3) {
      clock.now = NOON - hour * HOUR;
      for (const outlet of few.outlets.filter(({ active }) => active)) {
        const reply = await get(`${url}/api/deal-proposal?outlet=${outlet.id}`);
        assert.equal(reply.status, 200);
        const { proposal, tier } = reply.json<AnswerOf<typeof getDealProposal>>();
        assert.equal(proposal !== null, tier === 'experience');
        assert.ok(!reply.text.includes(outlet.name) && !reply.text.includes(outlet.id));
        if (!proposal) continue;
        proposed++;
        assert.ok(isOpen(outlet, clock.now, singapore));
        const { regular_price, proposed_price, saving } = proposal.math;
        assert.deepEqual(
          [proposal.math.regular_price_sgd, proposal.math.proposed_price_sgd, proposal.math.saving_sgd],
          [regular_price, proposed_price, saving],
        );
        assert.equal(
          Math.round(100 * regular_price) - Math.round(100 * proposed_price),
          Math.round(100 * saving),
        );
      }
    }
    assert.ok(proposed > 20, `${proposed}`);
  });

  const errors: [query: string, status: number, error: string][] = [
    ['', 400, 'outlet is required'],
    ['?outlet=none', 404, 'unknown outlet: none'],
    [`?outlet=${inactive}`, 404, `unknown outlet: ${inactive}`],
    [`?outlet=${'x'.repeat(65)}`, 400, 'outlet too long (max 64 chars)'],
  ];
  for (const [query, status, error] of errors) {
    test(`${query.slice(0, 20) || 'nothing'} → ${status}`, async () => {
      const reply = await get(`${url}/api/deal-proposal${query}`);
      assert.deepEqual([reply.status, reply.json().error], [status, error]);
    });
  }
});
