import assert from 'node:assert/strict';
import { test } from 'node:test';
import { momentRow, readingRow, snapshotRow } from '../../../test/support/rows/stored-rows.ts';
import { openMigratedStore } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { DAY, HOUR } from '../../domain/time/slot.ts';
import type { Store, Transaction } from '../engine/store.ts';
import { writeOutletActivity } from '../observation/outlet-activity.ts';
import { inPocket } from '../prediction/forecast-numbers.ts';
import { byDay, days, endAndDay, hours, untilDay, windowAndDays, withinDays } from './day-index.ts';

const START = 20_000 * DAY;
const DAYS = 7;
const pockets = Array.from({ length: 60 }, (_, n) => `p${n}`);
const slots = Array.from({ length: (DAYS * DAY) / HOUR }, (_, n) => START + n * HOUR);
const rows = slots.flatMap((slot) => pockets.map((pocket_id) => ({ slot, pocket_id })));

const tables = [
  {
    table: 'outlet_activity',
    whose: 'first_outlet / 5 = (select number / 5 from outlet_numbers where outlet_id = ?)',
    index: 'outlet_activity_by_group',
  },
  { table: 'citizen_senses', whose: 'pocket_id = ?', index: 'citizen_senses_by_pocket' },
  { table: 'equilibrium_figures', whose: 'pocket_id = ?', index: 'equilibrium_figures_by_pocket' },
  { table: 'atmosphere_readings', whose: 'pocket_id = ?', index: 'reading_figures_by_pocket' },
  { table: 'snapshots', whose: 'pocket_id = ?', index: 'env_snapshots_by_pocket' },
  { table: 'silences', whose: 'pocket_id = ?', index: 'silences_by_pocket' },
  { table: 'verdicts', whose: 'pocket_id = ?', index: 'verdicts_by_pocket' },
  { table: 'pauses', whose: 'pocket_id = ?', index: 'moment_figures_by_pocket' },
  { table: 'predictions', whose: inPocket('predictions'), index: 'forecast_sets_by_pocket', spans: hours },
];

const writeForecasts = async (tx: Transaction): Promise<void> => {
  await tx.insert(
    'forecast_pockets',
    pockets.map((pocket_id, number) => ({ number, pocket_id })),
  );
  const list = { generator: 'in_60', prediction_type: 'calm', horizon: HOUR, shadow: 0 };
  await tx.insert('forecast_lists', [{ list: 1, place: 0, ...list }]);
  await tx.insert(
    'forecast_sets',
    rows.map(({ slot, pocket_id }, leaf) => ({
      ...{
        leaf,
        slot,
        confidences: 500,
        pocket: pockets.indexOf(pocket_id),
        list: 1,
        completeness_milli: 900,
      },
    })),
  );
};

const silence = {
  ...{ window_ms: HOUR, legitimacy_score_milli: 900, candidate_confidence_milli: 500 },
  ...{ gate: 1, reason: 1, band: 1, near_miss: 0 },
};
const verdict = { window_ms: HOUR, attention_hundredths: 0, spoke: 0, served: 0, reason: 1, outcome: 1 };

const writeDecisions = async (tx: Transaction): Promise<void> => {
  await tx.insert(
    'silence_figures',
    rows.map((row, leaf) => ({ leaf, ...row, ...silence })),
  );
  await tx.insert(
    'verdict_figures',
    rows.map((row, leaf) => ({ leaf, ...row, ...verdict })),
  );
  await tx.insert(
    'moment_figures',
    rows.map((row) => ({ ...row, ...momentRow, pause: 1, pause_legitimacy_milli: 900 })),
  );
};

const writeReadingsAndSnapshots = (store: Store): Promise<void> =>
  store.transaction(async (tx) => {
    await tx.insert(
      'reading_figures',
      rows.map((row) => ({ ...row, ...readingRow })),
    );
    await tx.insert(
      'env_snapshots',
      rows.map((row) => ({ ...row, ...snapshotRow })),
    );
  });

/** What is listed newest first, a page at a time. */
const lists = [
  { view: 'predictions', whose: inPocket('predictions'), spans: hours },
  { view: 'silences', whose: 'pocket_id = ?' },
  { view: 'verdicts', whose: 'pocket_id = ?' },
  { view: 'pauses', whose: 'pocket_id = ?' },
];

describeStores('rows of a pocket or an outlet within a window', (makePlace, engine) => {
  test('are those of its days, found by an index', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await store.transaction(async (tx) => {
      await writeOutletActivity(
        tx,
        rows.map(({ slot, pocket_id }) => ({ slot, outlet_id: pocket_id, activity: 0.5 })),
      );
      await tx.insert(
        'citizen_senses',
        rows.map((row) => ({ ...row, word: 1, people: 1, source: 's' })),
      );
      await tx.insert(
        'equilibrium_figures',
        rows.map((row) => ({ ...row, direction: 1 })),
      );
      await writeForecasts(tx);
      await writeDecisions(tx);
    });
    await writeReadingsAndSnapshots(store);
    await store.transaction((tx) => tx.run('analyze'));
    for (const { table, whose, index, spans = days } of tables) {
      const sql = `select slot from ${table} where ${whose} and ${withinDays('slot', spans)} order by slot`;
      for (const [after, until] of [
        [START - 1, START],
        [START + DAY - 1, START + DAY],
        [START + DAY, START + DAY + HOUR],
        [START + 3 * DAY - HOUR, START + 5 * DAY],
        [0, Number.MAX_SAFE_INTEGER],
        [START + DAY, START + DAY],
      ] as const) {
        const found = await store.all<{ slot: number }>(sql, 'p1', ...windowAndDays({ after, until }, spans));
        assert.deepEqual(
          found.map(({ slot }) => slot),
          slots.filter((slot) => slot > after && slot <= until),
          `${table} ${after} ${until}`,
        );
      }
      const window = windowAndDays({ after: START + 2 * DAY, until: START + 5 * DAY }, spans);
      const explain = engine === 'sqlite' ? 'explain query plan' : 'explain';
      const plan = JSON.stringify(await store.all(`${explain} ${sql}`, 'p1', ...window));
      // An index of a partition has a name that the server gives.
      const used =
        engine === 'sqlite'
          ? new RegExp(`${index} .*slot>`)
          : new RegExp(`Index Cond: [^"]*slot / ${spans.span}\\b`);
      assert.match(plan, used, table);
    }
  });

  test('are listed newest first, and no more than a day of them is sorted', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await store.transaction(async (tx) => {
      await writeForecasts(tx);
      await writeDecisions(tx);
    });
    await store.transaction((tx) => tx.run('analyze'));
    const until = START + 5 * DAY + 5;
    for (const { view, whose, spans = days } of lists) {
      const sql = `select slot from ${view} where ${whose} and ${withinDays('slot', spans)} order by ${byDay('desc', '', spans)} limit 3`;
      const params = ['p1', ...windowAndDays({ after: START, until }, spans)];
      const found = await store.all<{ slot: number }>(sql, ...params);
      assert.deepEqual(
        found.map(({ slot }) => slot),
        Array.from({ length: 3 }, (_, n) => START + 5 * DAY - n * HOUR),
      );
      const explain = engine === 'sqlite' ? 'explain query plan' : 'explain';
      const plan = JSON.stringify(await store.all(`${explain} ${sql}`, ...params));
      if (engine === 'sqlite') assert.doesNotMatch(plan, /B-TREE/);
      else assert.match(plan, /Presorted Key/);
    }
  });

  test('begin and end with the first and the newest one, of which no more than a day is sorted', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await writeReadingsAndSnapshots(store);
    await store.transaction((tx) => tx.run('analyze'));
    const [first, last] = [slots[0] ?? 0, slots.at(-1) ?? 0];
    for (const [order, until, expected] of [
      ['asc', last, first],
      ['asc', first - 1, undefined],
      ['desc', last, last],
      ['desc', START + 3 * DAY + 5, START + 3 * DAY],
      ['desc', START + 3 * DAY - 1, START + 3 * DAY - HOUR],
    ] as const)
      for (const view of ['atmosphere_readings', 'snapshots']) {
        const sql = `select slot from ${view} where pocket_id = ? and ${untilDay('slot')} order by ${byDay(order)} limit 1`;
        const found = await store.get<{ slot: number }>(sql, 'p1', ...endAndDay(until));
        assert.equal(found?.slot, expected, `${view} ${order} ${until}`);
        if (expected === undefined) continue;
        const explain = engine === 'sqlite' ? 'explain query plan' : 'explain';
        const plan = JSON.stringify(await store.all(`${explain} ${sql}`, 'p1', ...endAndDay(until)));
        // Rows of one slot, or of one day, come together.
        assert.match(plan, engine === 'sqlite' ? /by_pocket .*LAST TERM/ : /Presorted Key/, plan);
      }
  });
});
