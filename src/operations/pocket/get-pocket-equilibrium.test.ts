import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { writeComparisonFixtures } from '../../../test/support/rows/comparisons.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import type { Dimensions, Direction } from '../../domain/decision/equilibrium.ts';
import { HOUR, MINUTE } from '../../domain/time/slot.ts';
import { writeEquilibria } from '../../store/decision/equilibrium.ts';
import { noStore } from '../../store/engine/open.ts';
import { getPocketEquilibrium } from './get-pocket-equilibrium.ts';

const noon = Date.parse('2026-11-11T04:00:00Z');
const none: Dimensions = {
  atmosphere_calm: null,
  restraint_quality: null,
  citizen_alignment: null,
  prediction_trust: null,
  emission_quality: null,
  waste_avoidance: null,
};

describeStores('get_pocket_equilibrium', (makePlace) => {
  const reading = (hours: number, calm: number | null, direction: Direction, pocket = 'tiongbahru') => ({
    pocket_id: pocket,
    slot: noon + hours * HOUR,
    dimensions: { ...none, atmosphere_calm: calm, restraint_quality: calm },
    composite: calm,
    direction,
  });
  const store = storeFor(makePlace, async (store) => {
    await writeComparisonFixtures(store, noon - 8 * HOUR);
    await store.transaction((tx) =>
      writeEquilibria(tx, [
        reading(-24, 0.125, 'forming'),
        reading(-1, 0.5, 'improving'),
        reading(-0.5, 0.625, 'improving'),
        reading(0, 0.375, 'degrading'),
        reading(0.5, 1, 'improving'),
        reading(0, null, 'unknown', 'siglap'),
      ]),
    );
  });
  const ask = (pocket_id: string, hours?: number, now = noon) =>
    askOperation(getPocketEquilibrium, store(), now, { pocket_id, ...(hours && { hours }) });

  const compared =
    'compared with not speaking: calm an hour after speaking was 3.4 points of a hundred higher than after like moments of silence, give or take 1 (45 pairs, 90 days).';
  test('the latest reading, its reasons and the trajectory', async () => {
    const { structured, text } = await ask('tiongbahru');
    assert.deepEqual(structured, {
      pocket_id: 'tiongbahru',
      window_hours: 24,
      computed_at: '2026-11-11T04:00:00.000Z',
      dimensions: { ...none, atmosphere_calm: 0.375, restraint_quality: 0.375 },
      composite: 0.375,
      direction: 'degrading',
      reasons: {
        atmosphere_calm: 'the last four hours were tense.',
        restraint_quality: 'staying silent was mostly wrong over the last day.',
        citizen_alignment: 'too few people said how it felt.',
        prediction_trust: 'no forecast of the last day is revealed yet.',
        emission_quality: 'nothing was said in the last day that can be judged.',
        waste_avoidance: 'no window agreed with a merchant ended in the last day.',
      },
      trajectory: [
        { computed_at: '2026-11-11T03:00:00.000Z', composite: 0.5, direction: 'improving' },
        { computed_at: '2026-11-11T03:30:00.000Z', composite: 0.625, direction: 'improving' },
        { computed_at: '2026-11-11T04:00:00.000Z', composite: 0.375, direction: 'degrading' },
      ],
      reading_count: 3,
      compared_with_silence: {
        window_days: 90,
        pairs: 45,
        difference: 0.034,
        standard_error: 0.01,
        text: compared,
      },
    });
    assert.equal(
      text,
      [
        'tiongbahru at 12:00 SGT: equilibrium 0.375, degrading.',
        'atmosphere calm: the last four hours were tense.',
        'restraint quality: staying silent was mostly wrong over the last day.',
        'citizen alignment: too few people said how it felt.',
        'prediction trust: no forecast of the last day is revealed yet.',
        'emission quality: nothing was said in the last day that can be judged.',
        'waste avoidance: no window agreed with a merchant ended in the last day.',
        compared,
        '3 readings over 24h, between 0.375 and 0.625. each is listed at /api/equilibrium?pocket=tiongbahru&hours=24',
      ].join(' '),
    );
  });

  test('the window ends now', async () => {
    assert.equal((await ask('tiongbahru', 1)).structured.reading_count, 2);
    assert.equal((await ask('tiongbahru', 25)).structured.reading_count, 4);
    assert.equal((await ask('tiongbahru', 1, noon + 29 * MINUTE)).structured.composite, 0.375);
    assert.match(
      (await ask('tiongbahru', 1, noon + 1.25 * HOUR)).text,
      / 1 reading over 1h, between 1 and 1\.$/,
    );
  });

  test('a reading without any dimension has a composite of null, not 0', async () => {
    const { structured, text } = await ask('siglap');
    assert.deepEqual([structured.composite, structured.direction], [null, 'unknown']);
    assert.equal(structured.reading_count, 1);
    assert.match(text, /^siglap at 12:00 SGT: equilibrium unknown, unknown\./);
    assert.match(text, /1 reading over 24h, none with a composite\.$/);
    // Twelve pairs are too few to tell.
    const { pairs, difference, standard_error } = structured.compared_with_silence;
    assert.deepEqual([pairs, difference, standard_error], [12, null, null]);
    assert.match(text, /compared with not speaking: not known, with 12 of the 20 pairs/);
  });

  test('a pocket without readings, and one that is not in the registry', async () => {
    for (const pocket of ['dempsey', 'atlantis', "' or 1=1 --"]) {
      const { structured, text } = await ask(pocket, 2);
      const { reasons, ...rest } = structured;
      assert.deepEqual(rest, {
        pocket_id: pocket,
        window_hours: 2,
        computed_at: null,
        dimensions: none,
        composite: null,
        direction: 'unknown',
        trajectory: [],
        reading_count: 0,
        compared_with_silence: {
          window_days: 90,
          pairs: 0,
          difference: null,
          standard_error: null,
          text: 'compared with not speaking: not known, with 0 of the 20 pairs of like moments that it takes.',
        },
      });
      assert.equal(Object.keys(reasons).length, 6);
      assert.match(text, /has no equilibrium reading over the last 2h/);
    }
  });
});

test('get_pocket_equilibrium without a store', async () => {
  await assert.rejects(askOperation(getPocketEquilibrium, noStore(), noon, { pocket_id: 'siglap' }), {
    code: 'not_configured',
  });
});
