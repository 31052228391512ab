import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { decidedMoment, writeDecisions } from '../../../test/support/rows/decisions.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { SLOT } from '../../domain/time/slot.ts';
import { writeMoments } from '../../store/decision/moments.ts';
import { getPocketMomentQuality } from './get-pocket-moment-quality.ts';

const noon = Date.parse('2026-11-11T04:00:00Z');

describeStores('get_pocket_moment_quality', (makePlace) => {
  const store = storeFor(makePlace, async (store) => {
    await writeDecisions(store, [{ slot: noon, gate: 'why_now', band: 'high_resonance' }]);
    const later = decidedMoment({
      pocket: 'siglap',
      slot: noon,
      gate: 'why_now',
      moment: { silence_reasons: ['the moment is fragile'] },
    });
    const { decision } = later;
    const quality = { ...decision.quality, band: 'decaying', previous_mqs: 0.5 } as const;
    await store.transaction((tx) => writeMoments(tx, [{ ...later, decision: { ...decision, quality } }]));
  });
  const at = (now: number, pocket_id = 'tiongbahru') =>
    askOperation(getPocketMomentQuality, store(), now, { pocket_id });

  test('the stored score with its factors and what decides it', async () => {
    const { structured, text } = await at(noon + 1);
    assert.deepEqual(structured, {
      pocket_id: 'tiongbahru',
      computed_at: '2026-11-11T04:00:00.000Z',
      mqs: 0.35,
      band: 'high_resonance',
      factors: { usefulness: 0.8, urgency: 1, calmness: 0.875, merchant_fit: 0.5, user_need: 1 },
      previous_mqs: null,
      reasons: [
        'merchant_fit decides: the outlets are full or closed',
        'user_need is strongest: people are about to whom it would matter',
      ],
      disagreements: [
        'the moment quality is high resonance, and nothing was said: no reason to say it at this hour',
        'the resonance is enough to speak, and nothing was said: no reason to say it at this hour',
      ],
      source: 'cache',
    });
    assert.equal(
      text,
      [
        'MQS of tiongbahru at 12:00 SGT: 0.35, high_resonance; none before it.',
        'usefulness 0.8, urgency 1, calmness 0.875, merchant_fit 0.5, user_need 1.',
        'merchant_fit decides: the outlets are full or closed.',
        'user_need is strongest: people are about to whom it would matter.',
        'the moment quality is high resonance, and nothing was said: no reason to say it at this hour.',
        'the resonance is enough to speak, and nothing was said: no reason to say it at this hour.',
      ].join(' '),
    );
  });

  test('the score before it, and why the moment asks for silence', async () => {
    const { structured, text } = await at(noon, 'siglap');
    assert.ok('mqs' in structured);
    assert.equal(structured.previous_mqs, 0.5);
    assert.match(text, /: 0\.35, decaying; 0\.5 before it\..+ the moment is fragile\.$/);
  });

  test('without a moment, in the words of the interface', async () => {
    for (const [pocket, now] of [
      ['tiongbahru', noon - 1],
      ['tiongbahru', noon + 2 * SLOT],
      ['holland', noon],
      ['Atlantis', noon],
    ] as const) {
      const { structured, text } = await at(now, pocket);
      assert.ok('available' in structured);
      const { missing, ...rest } = structured;
      assert.deepEqual(rest, { pocket_id: pocket, available: false });
      const isWatched = ['tiongbahru', 'holland'].includes(pocket);
      assert.equal(missing?.reason, isWatched ? 'not_observed' : undefined);
      const why = missing ? ` ${missing.text}.` : '';
      assert.equal(text, `no MQS data for ${pocket} yet — substrate may be thin.${why}`);
    }
  });
});
