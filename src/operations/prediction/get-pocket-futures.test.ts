import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { writeForecasts } from '../../../test/support/rows/forecasts.ts';
import { callTool, NOON, startService } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { HOUR, MINUTE, SLOT } from '../../domain/time/slot.ts';
import { writeScenarioOutlooks } from '../../store/prediction/projections.ts';
import type { AnswerOf } from '../core/define.ts';
import { getPocketFutures } from './get-pocket-futures.ts';

type Answer = AnswerOf<typeof getPocketFutures>;

describeStores('get_pocket_futures', (makePlace) => {
  const store = storeFor(makePlace, async (store) => {
    await writeForecasts(store, [
      { slot: NOON - SLOT, state: 'tense-crowded' },
      { slot: NOON, horizon: 60, confidence: 0.8 },
      { slot: NOON, horizon: 120, confidence: 0.5, calm: 0.3, state: 'lively-social' },
      { slot: NOON, horizon: 180, confidence: 0.3, calm: 0.55 },
      { pocket: 'dempsey', slot: NOON },
    ]);
    const horizons = [60, 120, 180].map((minutes_ahead) => ({
      minutes_ahead,
      expected_state: 'rain-subdued' as const,
      calm_probability: 0.6,
    }));
    await store.transaction((tx) =>
      writeScenarioOutlooks(tx, NOON, [
        { pocket_id: 'tiongbahru', outlooks: [{ scenario: 'rain_sets_in', horizons }] },
      ]),
    );
    await store.transaction((tx) =>
      writeScenarioOutlooks(tx, NOON - SLOT, [{ pocket_id: 'dempsey', outlooks: [] }]),
    );
  });
  const ask = (pocket_id: string, now = NOON + MINUTE) =>
    askOperation(getPocketFutures, store(), now, { pocket_id });

  test('now, three horizons, and the scenarios that would change them', async () => {
    const { structured, text } = await ask('tiongbahru');
    assert.deepEqual(structured, {
      pocket_id: 'tiongbahru',
      now: { primary_state: 'lively_social', summary_line: 'at 12:00 SGT lively_social, calm level 0.5.' },
      horizons: [
        {
          minutes_ahead: 60,
          expected_state: 'calm_social',
          confidence: 0.8,
          calm_probability: 0.75,
          approx_clock: '13:00',
          summary_line: 'around 13:00 SGT likely calm_social, calmer than now (confidence 0.8).',
          expected_pulse: 0.25,
          delta_vs_now: -0.25,
          top_environmental_modifier: 'rain',
        },
        {
          minutes_ahead: 120,
          expected_state: 'lively_social',
          confidence: 0.5,
          calm_probability: 0.3,
          approx_clock: '14:00',
          summary_line: 'around 14:00 SGT perhaps lively_social, livelier than now (confidence 0.5).',
          expected_pulse: 0.7,
          delta_vs_now: 0.2,
          top_environmental_modifier: 'rain',
        },
        {
          minutes_ahead: 180,
          expected_state: 'calm_social',
          confidence: 0.3,
          calm_probability: 0.55,
          approx_clock: '15:00',
          summary_line: 'around 15:00 SGT hard to tell, possibly calm_social, much as now (confidence 0.3).',
          expected_pulse: 0.45,
          delta_vs_now: -0.05,
          top_environmental_modifier: 'rain',
        },
      ],
      sensitivity_factors: [
        {
          factor: 'rain_sets_in',
          shifts_outlook_to: 'rain_subdued',
          minutes_ahead: 60,
          summary_line: 'should rain set in, perhaps rain_subdued around 13:00 SGT.',
        },
      ],
    });
    for (const { summary_line } of structured.horizons) assert.ok(text.includes(summary_line));
    assert.match(text, /\(confidence 0\.5\)\. in 120 minutes unlikely calm \(30\u00a0%\)\. around 15:00/);
    assert.match(text, /should rain set in, perhaps rain_subdued/);
  });

  test('the scenarios of another slot are left out', async () => {
    const { structured, text } = await ask('dempsey');
    assert.deepEqual(structured.sensitivity_factors, []);
    assert.equal(structured.horizons[0]?.top_environmental_modifier, null);
    assert.match(text, /no signal seems to move it much/);
  });

  test('an outlook is served for half an hour', async () => {
    assert.equal((await ask('tiongbahru', NOON + 29 * MINUTE)).structured.horizons.length, 3);
    assert.equal((await ask('tiongbahru', NOON + 30 * MINUTE)).structured.horizons.length, 0);
    assert.equal((await ask('tiongbahru', NOON - 1)).structured.horizons[0]?.expected_state, 'tense_crowded');
  });

  test('a pocket without a forecast', async () => {
    for (const [pocket_id, why] of [
      ['siglap', 'nothing has been measured here'],
      ['atlantis', 'not enough recent data'],
    ] as const) {
      const { structured, text } = await ask(pocket_id, NOON + HOUR);
      const { missing, ...rest } = structured;
      assert.deepEqual(rest, { pocket_id, now: null, horizons: [], sensitivity_factors: [] });
      assert.equal(missing?.text, pocket_id === 'siglap' ? why : undefined);
      assert.equal(text, `no outlook for ${pocket_id}: ${why}.`);
    }
  });
});

test('after a day of the simulated city there is an outlook with its sensitivities', async (t) => {
  const { url } = await startService(t, { days: 1 });
  const response = await fetch(`${url}/api/pocket-futures?pocket=holland`);
  const body = (await response.json()) as Answer;
  assert.deepEqual(
    body.horizons.map(({ minutes_ahead }) => minutes_ahead),
    [60, 120, 180],
  );
  const { structuredContent } = await callTool(url, 'get_pocket_futures', { pocket_id: 'holland' });
  assert.deepEqual((structuredContent as unknown as Answer).horizons, body.horizons);
  const answers = await Promise.all(
    ['holland', 'dempsey', 'tiongbahru'].map(async (pocket) => {
      const answer = await fetch(`${url}/api/pocket-futures?pocket=${pocket}`);
      return (await answer.json()) as Answer;
    }),
  );
  assert.ok(answers.some(({ horizons }) => horizons.some((horizon) => horizon.top_environmental_modifier)));
});
