import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation, city } from '../../../test/support/answers/ask-operation.ts';
import { writeDecisions } from '../../../test/support/rows/decisions.ts';
import { writeForecasts } from '../../../test/support/rows/forecasts.ts';
import { NOON } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { emptyHourNorm, updateHourNorm } from '../../domain/atmosphere/anomaly.ts';
import { HOUR, MINUTE, SLOT } from '../../domain/time/slot.ts';
import { singapore } from '../../domain/time/zones.fixture.ts';
import type { Store } from '../../store/engine/store.ts';
import { writeNorms } from '../../store/observation/norms.ts';
import { getNetworkNow } from '../pocket/get-network-now.ts';
import { listCalmWindows } from './list-calm-windows.ts';

const stateOf = (calm: number) => (calm >= 0.55 ? 'calm-social' : 'busy-productive');

/** Eight readings of this calm level: enough to be usual. */
const usually = (calm: number) =>
  Array.from({ length: 8 }).reduce<typeof emptyHourNorm>(
    (norm) => updateHourNorm(norm, { stress: 1 - calm, calm, primary_state: stateOf(calm) }, null),
    emptyHourNorm,
  );

const writeUsual = (store: Store, at: number, levels: Record<string, number>) =>
  store.transaction((tx) =>
    writeNorms(
      tx,
      singapore.hourOfWeek(at),
      new Map(Object.entries(levels).map(([pocket, calm]) => [pocket, usually(calm)])),
    ),
  );

describeStores('GET /api/windows', (makePlace) => {
  const store = storeFor(makePlace, async (store) => {
    await writeDecisions(store, [
      {
        pocket: 'holland',
        slot: NOON,
        gate: 'why_now',
        moment: { calm_level: 0.4, calm_probability: 0.2, primary_state: 'busy-productive' },
      },
      {
        pocket: 'siglap',
        slot: NOON,
        gate: 'resonance',
        moment: { calm_level: 0.8, calm_probability: 0.9 },
      },
    ]);
    await writeForecasts(store, [
      { pocket: 'holland', slot: NOON - SLOT, horizon: 60, calm: 0.99 },
      { pocket: 'holland', slot: NOON, horizon: 60, calm: 0.45 },
      { pocket: 'holland', slot: NOON, horizon: 120, calm: 0.82 },
      { pocket: 'holland', slot: NOON, horizon: 180, calm: 0.7 },
      { pocket: 'siglap', slot: NOON, horizon: 60, calm: 0.3 },
    ]);
    await writeUsual(store, NOON, { holland: 0.5, siglap: 0.78 });
    await writeUsual(store, NOON + 6 * HOUR, { holland: 0.54, cluny: 0.9 });
    await writeUsual(store, NOON + 8 * HOUR, { holland: 0.6 });
  });
  const ask = async (given: Record<string, unknown> = {}, now = NOON + MINUTE) =>
    (await askOperation(listCalmWindows, store(), now, given)).structured;
  const rowOf = async (id: string, given: Record<string, unknown> = {}) => {
    const row = (await ask(given)).pockets.find(({ pocket_id }) => pocket_id === id);
    assert.ok(row);
    return row;
  };

  test('the best window is the sealed forecast with the highest probability of calm', async () => {
    const { best_window, ahead, advice } = await rowOf('holland');
    assert.deepEqual(best_window, {
      at: '2026-11-11T06:00:00.000Z',
      minutes_ahead: 120,
      prediction_id: 'holland-20261111T0400Z.pocket_projection_120m',
      expected_state: 'calm-social',
      expected_calm: 0.82,
      calm_probability: 0.82,
    });
    assert.deepEqual(
      ahead.map(({ calm_probability }) => calm_probability),
      [0.45, 0.82, 0.7],
    );
    assert.equal(advice, 'later');
    const siglap = await rowOf('siglap');
    assert.deepEqual([siglap.advice, siglap.best_window?.calm_probability], ['now', 0.3]);
    const cluny = await rowOf('cluny');
    assert.deepEqual([cluny.advice, cluny.best_window, cluny.calm_level], ['unknown', null, null]);
  });

  test('now is compared with the usual of this hour of the week; later hours are usual ones', async () => {
    const [holland, siglap, cluny] = [await rowOf('holland'), await rowOf('siglap'), await rowOf('cluny')];
    assert.deepEqual([holland.usual_calm, holland.against_usual], [0.5, 'less_calm']);
    assert.deepEqual([siglap.usual_calm, siglap.against_usual], [0.78, 'as_usual']);
    assert.deepEqual([cluny.usual_calm, cluny.against_usual], [null, null]);
    // 0.54 at 18:00 is under the level of a calm state.
    assert.deepEqual(holland.usually_calm_at, { at: '2026-11-11T12:00:00.000Z', calm_level: 0.6 });
    assert.equal(siglap.usually_calm_at, null);
  });

  test('the calmest first, now or at an hour: by its forecast, beyond that by the usual', async () => {
    const first = async (given: object, n = 2) =>
      (await ask({ ...given })).pockets.slice(0, n).map(({ pocket_id }) => pocket_id);
    assert.deepEqual(await first({}), ['siglap', 'holland']);
    assert.deepEqual(await first({ hour: 13 }), ['holland', 'siglap']);
    assert.deepEqual(await first({ hour: 18 }), ['cluny', 'holland']);
    assert.deepEqual((await rowOf('holland', { hour: 14 })).at_hour, {
      at: '2026-11-11T06:00:00.000Z',
      ...{ calm_level: 0.82, calm_probability: 0.82, basis: 'forecast' },
    });
    assert.deepEqual((await rowOf('holland', { hour: 18 })).at_hour, {
      at: '2026-11-11T10:00:00.000Z',
      ...{ calm_level: 0.54, calm_probability: null, basis: 'usual' },
    });
    assert.equal((await rowOf('siglap', { hour: 18 })).at_hour, null);
    const names = (await ask({ sort: 'name' })).pockets.map(({ name }) => name);
    assert.deepEqual(names, names.toSorted());
  });

  test('a name is found with a typo, in another script, or as a part; else names are offered', async () => {
    for (const [q, id] of [
      ['holand vilage', 'holland'],
      ['荷兰村', 'holland'],
      ['Siglap', 'siglap'],
    ])
      assert.equal((await ask({ q })).pockets[0]?.pocket_id, id, q);
    const none = await ask({ q: 'zzzz' });
    assert.deepEqual([none.total, none.suggestions.length], [0, 3]);
  });

  test('an intent lists the pockets that suit it at least in part', async () => {
    const { pockets, total } = await ask({ intent: 'work-friendly' });
    assert.ok(total > 0 && total <= 2);
    for (const { intent_alignment } of pockets) assert.ok((intent_alignment ?? 0) >= 0.3);
    assert.equal((await ask({ intent: 'late-lunch', hour: 3 })).total, 0);
    await assert.rejects(ask({ intent: 'nothing' }), /unknown intent slug: nothing/);
  });

  test('at another hour a quiet intent is bounded by the calm of that hour', async () => {
    for (const hour of [14, 18]) {
      const { pockets } = await ask({ intent: 'quiet-now', hour });
      for (const { pocket_id, intent_alignment, at_hour } of pockets) {
        if (at_hour === null) continue;
        const bound = at_hour.calm_probability ?? at_hour.calm_level;
        assert.ok((intent_alignment ?? 0) <= bound, `${pocket_id} at ${hour}`);
      }
    }
    const [holland] = (await ask({ intent: 'quiet-now', hour: 14, pockets: ['holland'] })).pockets;
    assert.ok(holland?.at_hour);
  });

  test('pockets by id, in their order, each once; a hundred at a time', async () => {
    const { pockets } = await ask({ pockets: ['siglap', 'cluny', 'siglap'] });
    assert.deepEqual(
      pockets.map(({ pocket_id }) => pocket_id),
      ['siglap', 'cluny'],
    );
    await assert.rejects(ask({ pockets: ['nowhere'] }), /unknown pocket: nowhere/);
    const [alone] = (await ask({ pockets: ['holland'] })).pockets;
    assert.deepEqual(alone, await rowOf('holland'), 'the same row as in the whole list');
    const page = await ask({ offset: 10, limit: 5 });
    assert.deepEqual([page.total, page.offset, page.pockets.length], [18, 10, 5]);
  });

  test('a pocket’s figures are those of the network; people are counted from five on', async () => {
    const { structured } = await askOperation(getNetworkNow, store(), NOON + MINUTE);
    const network = structured.pockets.find(({ pocket_id }) => pocket_id === 'holland');
    const row = await rowOf('holland');
    for (const field of ['calm_level', 'calm_probability', 'half_life_minutes', 'silent_because'] as const)
      assert.equal(row[field], network?.[field], field);
    assert.deepEqual([row.footfall, row.crowd, row.rain_mm, row.temperature_c], [400, null, 0, 28.5]);
  });

  test('a city of ten thousand pockets is listed a hundred at a time', async () => {
    const [first] = city.pockets;
    assert.ok(first);
    const pockets = Array.from({ length: 10_000 }, (_, n) => ({ ...first, id: `p${n}`, name: `Place ${n}` }));
    const many = { ...city, pockets };
    const { structured } = await askOperation(
      listCalmWindows,
      store(),
      NOON,
      { offset: 9950, hour: 14 },
      many,
    );
    assert.deepEqual([structured.total, structured.pockets.length], [10_000, 50]);
  });

  test('a city of one pocket, and an empty one', async () => {
    const one = { ...city, pockets: city.pockets.slice(0, 1) };
    const { structured } = await askOperation(listCalmWindows, store(), NOON, {}, one);
    assert.deepEqual([structured.total, structured.pockets.length], [1, 1]);
    const none = await askOperation(listCalmWindows, store(), NOON, {}, { ...city, pockets: [] });
    assert.deepEqual(none.structured.pockets, []);
  });
});
