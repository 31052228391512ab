import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation, city } from '../../../test/support/answers/ask-operation.ts';
import { writeDecisions } from '../../../test/support/rows/decisions.ts';
import { writeForecasts } from '../../../test/support/rows/forecasts.ts';
import { writeEventFixtures } from '../../../test/support/rows/sustainability.ts';
import { ask as get } from '../../../test/support/services/http-client.ts';
import { startService } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { DAY, HOUR, iso, SLOT } from '../../domain/time/slot.ts';
import type { AnswerOf } from '../core/define.ts';
import { getPocketLive } from './get-pocket-live.ts';

const noon = Date.parse('2026-11-11T04:00:00Z');

describeStores('GET /api/pocket-live', (makePlace) => {
  const store = storeFor(makePlace, async (store) => {
    await writeDecisions(store, [
      { slot: noon - DAY, gate: null },
      ...[7, 6, 5, 4, 3, 2].map((hours) => ({ slot: noon - hours * HOUR, gate: null })),
      { slot: noon - SLOT, gate: 'resonance', layers: { time: 0.25 } },
      { slot: noon, gate: 'why_now' },
    ]);
    await writeForecasts(store, [
      { pocket: 'dempsey', slot: noon - 2 * HOUR, score: 1 },
      ...[7, 6, 5, 4, 3, 2].map((hours) => ({ slot: noon - hours * HOUR, score: 1 })),
      { slot: noon },
    ]);
    await writeEventFixtures(store, [
      { slot: noon - 9 * HOUR, pocket_id: 'dempsey' },
      ...[6, 5, 4, 3, 2].map((days) => ({ slot: noon - days * DAY })),
      { slot: noon - HOUR, kind: 'idle_reclaimed', magnitude: 6.8, value_cents: 8078, outlet_id: 'o' },
    ]);
  });
  const live = (now = noon, pocket_id = 'tiongbahru') =>
    askOperation(getPocketLive, store(), now, { pocket_id });

  test('every part of the snapshot', async () => {
    const here = city.pockets.find(({ id }) => id === 'tiongbahru');
    assert.ok(here);
    const { structured, text } = await live();
    const {
      pocket,
      atmosphere_latest,
      narrations_recent,
      resonance,
      disagreements,
      resonance_history_24h,
      ...later
    } = structured;
    assert.deepEqual(disagreements, [
      'the resonance is enough to speak, and nothing was said: no reason to say it at this hour',
    ]);
    const { region, lat, lng, character } = here;
    const summary = character.summary;
    assert.deepEqual(pocket, { id: 'tiongbahru', name: 'Tiong Bahru', region, lat, lng, summary });
    assert.deepEqual(atmosphere_latest, {
      stress: 0.25,
      calm: 0.75,
      social_energy: 0.125,
      productive: 0.5,
      primary_state: 'calm-productive',
      anomaly_flag: false,
      captured_at: '2026-11-11T04:00:00.000Z',
    });
    assert.deepEqual(narrations_recent.length, 5);
    assert.deepEqual(narrations_recent[0], {
      timestamp: '2026-11-11T02:00:00.000Z',
      tier: 'atmosphere',
      body: 'a quiet hour; calmer than usual; until about quarter to one.',
    });
    assert.deepEqual(Object.keys(resonance ?? {}), ['score', 'should_surface', 'layers']);
    assert.equal(resonance?.score, 1);
    assert.equal(resonance_history_24h.length, 8, 'the window excludes its start');
    assert.deepEqual(resonance_history_24h.at(-2), {
      timestamp: '2026-11-11T03:45:00.000Z',
      score: 0.25,
      should_surface: false,
    });
    const { predictions_revealed_recent: revealed, ...rest } = later;
    assert.deepEqual(
      revealed.map(({ pocket_id, sealed_at, accuracy_score }) => [pocket_id, sealed_at, accuracy_score]),
      [2, 3, 4, 5, 6].map((hours) => ['tiongbahru', iso(noon - hours * HOUR), 1]),
    );
    const { sustainability_recent: saved, ...nothing } = rest;
    assert.deepEqual(nothing, {});
    assert.equal(saved.length, 5);
    assert.deepEqual(saved.slice(0, 2), [
      {
        timestamp: '2026-11-11T03:00:00.000Z',
        kind: 'idle_reclaimed',
        value: 6.8,
        dollar_value: 80.78,
        currency: 'SGD',
        basis: 'observed',
      },
      {
        timestamp: '2026-11-09T04:00:00.000Z',
        kind: 'attention_saved',
        value: 80,
        dollar_value: 16.8,
        currency: 'SGD',
        basis: 'inferred',
      },
    ]);
    assert.match(
      text,
      /^tiongbahru at 12:00 SGT: calm-productive, calm level 0\.75\. resonance 1\. last said: a quiet hour/,
    );
  });

  test('without a current moment resonance is null; the latest reading is still shown', async () => {
    const { structured, text } = await live(noon + 2 * SLOT);
    assert.equal(structured.resonance, null);
    assert.equal(structured.atmosphere_latest?.captured_at, '2026-11-11T04:00:00.000Z');
    assert.match(text, /not enough recent data/);
  });

  test('a pocket that was never observed', async () => {
    const { structured, text } = await live(noon, 'siglap');
    const { pocket, ...rest } = structured;
    assert.equal(pocket.id, 'siglap');
    assert.deepEqual(rest, {
      atmosphere_latest: null,
      narrations_recent: [],
      predictions_revealed_recent: [],
      sustainability_recent: [],
      resonance: null,
      disagreements: [],
      resonance_history_24h: [],
    });
    assert.equal(text, 'siglap was not observed in the last 24h.');
  });
});

test('GET /api/pocket-live over HTTP', async (t) => {
  const { url } = await startService(t);
  const reply = await get(`${url}/api/pocket-live?pocket=holland`);
  assert.equal(reply.status, 200);
  assert.ok(reply.json<AnswerOf<typeof getPocketLive>>().resonance_history_24h.length > 90);
  for (const { name, id } of city.outlets) assert.ok(!reply.text.includes(name) && !reply.text.includes(id));
  for (const [query, status, error] of [
    ['', 400, 'pocket is required'],
    ['?pocket=Atlantis', 404, 'unknown pocket: Atlantis'],
  ] as const) {
    const refused = await get(`${url}/api/pocket-live${query}`);
    assert.deepEqual([refused.status, refused.json().error], [status, error]);
  }
});
