import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeForecasts } from '../../../test/support/rows/forecasts.ts';
import { NOON } from '../../../test/support/services/service.ts';
import { openMigratedStore } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { HORIZONS } from '../../domain/prediction/prediction.ts';
import { MINUTE, SLOT } from '../../domain/time/slot.ts';
import type { Reader, Store } from '../engine/store.ts';
import { type KeptForecast, projectionsByPocket, writeScenarioOutlooks } from './projections.ts';

const pockets = ['holland', 'dempsey', 'siglap'];
const seal = (store: Store, slot: number, of: readonly string[]) =>
  writeForecasts(
    store,
    of.flatMap((pocket) => HORIZONS.map((horizon, h) => ({ pocket, slot, horizon, calm: 0.5 + h / 10 }))),
  );

/** What a pocket's sealed forecasts are kept as. */
const kept = async (store: Reader, now: number, pocket: string): Promise<KeptForecast[]> =>
  ((await projectionsByPocket(store, now, [pocket])).get(pocket) ?? []).map(
    ({ horizon_minutes, forecast: { expected_state, expected_calm, calm_probability } }) => ({
      minutes_ahead: horizon_minutes,
      ...{ expected_state, expected_calm, calm_probability },
    }),
  );

/** What a list shows of them. */
const shown = async (store: Reader, now: number) =>
  [...(await projectionsByPocket(store, now, pockets))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([pocket, ahead]) => [
      pocket,
      ahead.map(({ id, sealed_at, reveal_at, horizon_minutes, forecast }) => ({
        ...{ id, sealed_at, reveal_at, horizon_minutes },
        ...{ state: forecast.expected_state, calm: forecast.expected_calm },
        chance: forecast.calm_probability,
      })),
    ]);

describeStores('projections of many pockets', (makePlace) => {
  test('are the same from the ledger and from where they are kept beside it', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const now = NOON + MINUTE;
    await seal(store, NOON, pockets);
    const sealed = await shown(store, now);
    const forecasts = await kept(store, now, 'holland');
    assert.equal(forecasts.length, HORIZONS.length);
    await store.transaction((tx) =>
      writeScenarioOutlooks(tx, NOON, [
        { pocket_id: 'holland', outlooks: [], forecasts },
        // Of a program that kept none, and one that is missing a horizon.
        { pocket_id: 'dempsey', outlooks: [] },
        { pocket_id: 'siglap', outlooks: [], forecasts: forecasts.slice(1) },
      ]),
    );
    assert.deepEqual(await shown(store, now), sealed);
    const statements: string[] = [];
    const reader: Reader = {
      get: (sql, ...params) => store.get(sql, ...params),
      all: (sql, ...params) => {
        statements.push(sql);
        return store.all(sql, ...params);
      },
    };
    await projectionsByPocket(reader, now, ['holland']);
    assert.doesNotMatch(statements.join(), /ledger_/, 'no bundle is unpacked for it');
  });

  test('are told once they are sealed, and the newest of them', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await seal(store, NOON, ['holland']);
    const forecasts = await kept(store, NOON + MINUTE, 'holland');
    const keep = (slot: number) =>
      store.transaction((tx) =>
        writeScenarioOutlooks(tx, slot, [{ pocket_id: 'holland', outlooks: [], forecasts }]),
      );
    const slotShown = async (now: number) =>
      (await projectionsByPocket(store, now, ['holland'])).get('holland')?.[0]?.sealed_at;
    await keep(NOON + SLOT);
    assert.equal(await slotShown(NOON + SLOT), '2026-11-11T04:00:00.000Z', 'the later ones are not sealed');
    await keep(NOON);
    await seal(store, NOON + SLOT, ['holland']);
    assert.equal(await slotShown(NOON + SLOT), '2026-11-11T04:15:00.000Z', 'others were sealed since');
    assert.equal(await slotShown(NOON + MINUTE), '2026-11-11T04:00:00.000Z', 'as of an earlier time');
    assert.equal(await slotShown(NOON + 3 * SLOT), undefined, 'too old');
  });
});
