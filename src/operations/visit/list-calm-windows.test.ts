import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation, city } from '../../../test/support/answers/ask-operation.ts';
import { writeDecisions } from '../../../test/support/rows/decisions.ts';
import { writeForecasts } from '../../../test/support/rows/forecasts.ts';
import { writeUsual } from '../../../test/support/rows/usual-hours.ts';
import { NOON } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { HOUR, MINUTE, SLOT } from '../../domain/time/slot.ts';
import { getNetworkNow } from '../pocket/get-network-now.ts';
import { listCalmWindows } from './list-calm-windows.ts';

describeStores('GET /api/windows', (makePlace) => {
  const store = storeFor(makePlace, async (store) => {
    await writeDecisions(store, [
      {
        pocket: 'holland',
        slot: NOON,
        gate: 'why_now',
        moment: {
          ...{ calm_level: 0.4, calm_probability: 0.2, primary_state: 'busy-productive' },
          ...{ window_ends_at: null, window_held_share: null },
        },
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
  const askRow = async (id: string, given: Record<string, unknown> = {}) => {
    const row = (await ask(given)).pockets.find(({ pocket_id }) => pocket_id === id);
    assert.ok(row);
    return row;
  };

  test('now: the chance of the moment, the window that is open, else the next one', async () => {
    const holland = await askRow('holland');
    assert.deepEqual(holland.expected, {
      at: '2026-11-11T04:01:00.000Z',
      ...{ basis: 'forecast', calm_probability: 0.2, calm_level: 0.4, n: null, holiday: null },
    });
    assert.deepEqual([holland.window, holland.advice], [null, 'later']);
    assert.deepEqual(holland.next_window, {
      ...{ basis: 'forecast', starts_at: '2026-11-11T06:00:00.000Z', ends_at: '2026-11-11T07:00:00.000Z' },
      ...{ at_least: true, calm_probability: 0.82, held_share: 0.86 },
    });
    assert.deepEqual(
      holland.ahead.map(({ calm_probability }) => calm_probability),
      [0.45, 0.82, 0.7],
    );
    const siglap = await askRow('siglap');
    assert.deepEqual(
      [siglap.advice, siglap.window?.ends_at, siglap.window?.at_least],
      ['calm', '2026-11-11T05:00:00.000Z', true],
    );
    const cluny = await askRow('cluny');
    assert.deepEqual([cluny.advice, cluny.window, cluny.expected], ['later', null, null]);
    const [dempsey] = (await ask({ pockets: ['dempsey'] })).pockets;
    assert.deepEqual([dempsey?.advice, dempsey?.next_window], ['unknown', null]);
  });

  test('now is compared with the usual of this hour of the week', async () => {
    const [holland, siglap, cluny] = [await askRow('holland'), await askRow('siglap'), await askRow('cluny')];
    assert.deepEqual([holland.usual_calm, holland.against_usual], [0.5, 'less_calm']);
    assert.deepEqual([siglap.usual_calm, siglap.against_usual], [0.78, 'as_usual']);
    assert.deepEqual([cluny.usual_calm, cluny.against_usual], [null, null]);
  });

  test('the most likely calm first, now or at the time asked for: by forecast, beyond that by the usual', async () => {
    const first = async (given: object, n = 2) =>
      (await ask({ ...given })).pockets.slice(0, n).map(({ pocket_id }) => pocket_id);
    assert.deepEqual(await first({}), ['siglap', 'holland']);
    assert.deepEqual(await first({ hour: 13 }), ['holland', 'siglap']);
    assert.deepEqual(await first({ hour: 18 }), ['cluny', 'holland']);
    assert.deepEqual((await askRow('holland', { hour: 14 })).expected, {
      at: '2026-11-11T06:00:00.000Z',
      ...{ basis: 'forecast', calm_probability: 0.82, calm_level: 0.82, n: null, holiday: null },
    });
    const evening = await askRow('cluny', { hour: 18 });
    assert.deepEqual(evening.expected, {
      at: '2026-11-11T10:00:00.000Z',
      ...{ basis: 'usual', calm_probability: 1, calm_level: 0.9, n: 8, holiday: null },
    });
    assert.deepEqual([evening.advice, evening.window?.ends_at], ['calm', '2026-11-11T11:00:00.000Z']);
    assert.equal((await askRow('siglap', { hour: 18 })).expected, null);
    const names = (await ask({ order: 'name' })).pockets.map(({ name }) => name);
    assert.deepEqual(names, names.toSorted());
  });

  test('a day within the next week can be asked for, with its hour; others are refused', async () => {
    const wednesday = await ask({ day: '2026-11-17', hour: 18, pockets: ['cluny'] });
    assert.equal(wednesday.at, '2026-11-17T10:00:00.000Z');
    assert.equal(wednesday.pockets[0]?.expected, null, 'only the usual of wednesdays is known');
    for (const day of ['2026-11-10', '2026-11-18', '2027-01-01'])
      await assert.rejects(ask({ day, hour: 18 }), /day must be from 2026-11-11 to 2026-11-17/);
    await assert.rejects(ask({ day: '2026-11-11', hour: 9 }), /09:00 of 2026-11-11 has passed/);
    assert.equal((await ask({ day: '2026-11-11' })).at, null, 'today without an hour is now');
  });

  test('a window covers its times on every surface: asked for within it, the same end is told', async () => {
    const { next_window } = await askRow('holland');
    const then = await askRow('holland', { hour: 14 });
    assert.deepEqual([then.window, then.advice], [next_window, 'calm']);
    assert.equal(then.next_window?.starts_at, '2026-11-11T12:00:00.000Z');
  });

  test('what is open then is told by kinds, and at night that it is night', async () => {
    const noon = await askRow('holland');
    assert.ok(noon.open_kinds === null || noon.open_kinds.length > 0);
    const night = await ask({ hour: 3 });
    assert.equal(night.night, true);
    for (const { open_kinds, open_count } of night.pockets)
      assert.ok(open_kinds === null || open_kinds.length < 6 || open_count !== null);
    assert.equal((await ask()).night, false);
  });

  test('a name is found with a typo, in another script, or as a part; else names are offered', async () => {
    for (const [q, id] of [
      ['holand vilage', 'holland'],
      ['荷兰村', 'holland'],
      ['Siglap', 'siglap'],
    ])
      assert.equal((await ask({ q })).pockets[0]?.pocket_id, id, q);
    const none = await ask({ q: 'zzzz' });
    assert.deepEqual([none.total, none.suggestions, none.place], [0, [], null]);
  });

  test('near a listed place the nearest come first; one that is not watched is told so', async () => {
    const near = await ask({ near: 'commonwealth mrt' });
    assert.deepEqual([near.place?.name, near.place?.kind, near.total], ['Commonwealth', 'station', 18]);
    const metres = near.pockets.map(({ distance_m }) => distance_m ?? Number.NaN);
    assert.deepEqual(
      metres,
      metres.toSorted((a, b) => a - b),
    );
    const siglap = await ask({ near: 'Siglap' });
    assert.deepEqual([siglap.place?.kind, siglap.pockets[0]?.distance_m], ['pocket', 0]);
    await assert.rejects(ask({ near: 'zzzz' }), /unknown place: zzzz/);
    const orchard = await ask({ q: 'Orchard' });
    assert.equal(orchard.place?.name, 'Orchard');
    assert.equal(orchard.total, 3);
    assert.equal((await ask({ q: 'Siglap' })).place, null, 'a pocket is watched');
    assert.equal((await askRow('holland')).distance_m, null);
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
      for (const { pocket_id, intent_alignment, expected } of pockets)
        if (expected)
          assert.ok((intent_alignment ?? 0) <= expected.calm_probability, `${pocket_id} at ${hour}`);
    }
    const [holland] = (await ask({ intent: 'quiet-now', hour: 14, pockets: ['holland'] })).pockets;
    assert.ok(holland?.expected);
  });

  test('pockets by id, in their order, each once; a hundred at a time', async () => {
    const { pockets } = await ask({ pockets: ['siglap', 'cluny', 'siglap'] });
    assert.deepEqual(
      pockets.map(({ pocket_id }) => pocket_id),
      ['siglap', 'cluny'],
    );
    await assert.rejects(ask({ pockets: ['nowhere'] }), /unknown pocket: nowhere/);
    const [alone] = (await ask({ pockets: ['holland'] })).pockets;
    assert.deepEqual(alone, await askRow('holland'), 'the same row as in the whole list');
    const page = await ask({ offset: 10, limit: 5 });
    assert.deepEqual([page.total, page.offset, page.pockets.length], [18, 10, 5]);
  });

  test('a pocket’s figures are those of the network; people are counted from five on', async () => {
    const { structured } = await askOperation(getNetworkNow, store(), NOON + MINUTE);
    const network = structured.pockets.find(({ pocket_id }) => pocket_id === 'holland');
    const row = await askRow('holland');
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
