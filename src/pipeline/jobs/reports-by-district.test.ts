// What is told of days, weeks and months in a city of several districts: of each district what a city of its pockets alone
// is told, so that neither memory nor time grows with the square of the city.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshPipeline } from '../../../test/support/pipeline/fresh-pipeline.ts';
import { smallCity } from '../../../test/support/pipeline/small-city.ts';
import { reading, writeDecisions } from '../../../test/support/rows/decisions.ts';
import { dumpTables } from '../../../test/support/stores/dump-tables.ts';
import { openMigratedStore } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import type { Registry } from '../../domain/city/city.ts';
import { DAY, HOUR, SLOT } from '../../domain/time/slot.ts';
import type { Store, Transaction, Value } from '../../store/engine/store.ts';
import { writeReadings } from '../../store/observation/readings.ts';
import { pocketDistricts } from '../../store/runtime/districts.ts';
import { Districts } from '../core/districts.ts';
import { runDue } from '../schedule/run.ts';
import { schedule } from '../schedule/schedule.ts';

const city = smallCity(6);
const PER_DISTRICT = 3;
/** Of a week, the most rows of a pocket that a report is made from. */
const QUARTER_HOURS = (7 * DAY) / SLOT;
/** The first of a month is a Monday: everything is due. */
const monday = Date.parse('2026-06-01T09:00:00+08:00');
const midnight = monday - 9 * HOUR;
const names = ['silence_comparison', 'weekly_report', 'monthly_report'];
const jobs = schedule.filter(({ name }) => names.includes(name) || name === 'restraint_report');
/** What a report says of the pockets that it compares with; a city of one district has nothing to say of them. */
const SAID = 'the other pockets are those of its district.';
const NOTED = `${SAID} `;
const tables = ['weekly_reports', 'pocket_reports', 'hour_changes', 'silence_comparisons'];

/** Readings of two weeks, and decisions of the last day and this morning; each pocket differs by the number it has in the city. */
async function writeHistory(store: Store, { pockets }: Registry): Promise<void> {
  for (const { id } of pockets) {
    const n = city.pockets.findIndex((pocket) => pocket.id === id);
    const decided = Array.from({ length: 31 }, (_, k) => midnight - 16 * HOUR + k * HOUR);
    await writeDecisions(
      store,
      decided.map((slot, k) => ({ pocket: id, slot, gate: (k + n) % 3 ? 'why_now' : null, minutes: n + k })),
    );
    const read = Array.from({ length: (14 * DAY) / SLOT }, (_, k) => midnight - (k + 1) * SLOT);
    const others = read.filter((slot) => !decided.includes(slot));
    await store.transaction((tx) =>
      writeReadings(
        tx,
        others.map((slot, k) => ({
          ...reading({ pocket: id, slot, gate: null }),
          calm: (300 + 60 * n + ((k * 7) % 100)) / 1000,
        })),
      ),
    );
  }
}

const part = (ids: ReadonlySet<string>): Registry => ({
  ...city,
  pockets: city.pockets.filter(({ id }) => ids.has(id)),
  outlets: city.outlets.filter(({ pocket_id }) => ids.has(pocket_id)),
});

/** The store, with the largest number of rows that a statement of a transaction gave. */
function countRows(store: Store): { store: Store; most(): number } {
  let most = 0;
  const counting = (tx: Transaction): Transaction => ({
    ...tx,
    all: async <T>(sql: string, ...params: Value[]) => {
      const rows = await tx.all<T>(sql, ...params);
      most = Math.max(most, rows.length);
      return rows;
    },
  });
  const transaction: Store['transaction'] = (work, changes) =>
    store.transaction((tx) => work(counting(tx)), changes);
  return { store: { ...store, transaction }, most: () => most };
}

describeStores('reports by district', (makePlace) => {
  test('each district has those of a city of its pockets alone', async (t) => {
    const rowsOf = async (registry: Registry, most?: number) => {
      const store = await openMigratedStore(t, makePlace);
      await writeHistory(store, registry);
      const counted = countRows(store);
      const pipeline = { ...freshPipeline(counted.store, registry), districts: new Districts(most) };
      const outcomes = await runDue(pipeline, monday, jobs);
      assert.deepEqual(
        outcomes.map(({ job, outcome }) => `${job} ${outcome}`).sort(),
        jobs.map(({ name }) => `${name} ran`).sort(),
      );
      assert.ok(counted.most() <= PER_DISTRICT * QUARTER_HOURS, `${counted.most()} rows at once`);
      return { store, rows: await dumpTables(store) };
    };
    const { store, rows } = await rowsOf(city, PER_DISTRICT);
    const districts = Map.groupBy(await pocketDistricts(store), ([, district]) => district);
    assert.equal(districts.size, 2);
    assert.equal(rows.restraint_reports?.length, 1);
    const alone: Record<string, string[]>[] = [];
    for (const pockets of districts.values())
      alone.push((await rowsOf(part(new Set(pockets.map(([id]) => id))))).rows);
    const reports = [...(rows.weekly_reports ?? []), ...(rows.pocket_reports ?? [])];
    for (const report of reports) assert.ok(report.includes(SAID), report);
    for (const table of tables) {
      assert.ok(rows[table]?.length, table);
      const found = rows[table]?.map((row) => row.replace(NOTED, ''));
      assert.deepEqual(found?.toSorted(), alone.flatMap((own) => own[table] ?? []).sort(), table);
    }
  });

  test('a month is reported on once, also where the reports of its pockets were written before', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await writeHistory(store, part(new Set([city.pockets[0]?.id ?? ''])));
    const pipeline = freshPipeline(store, city);
    // As in a version in which the job of the pockets' reports wrote this one too.
    await runDue(
      pipeline,
      monday,
      jobs.map((job) => (job.name === 'restraint_report' ? { ...job, name: 'before' } : job)),
    );
    const before = await dumpTables(store);
    assert.equal(before.restraint_reports?.length, 1);
    const outcomes = await runDue(pipeline, monday + SLOT, jobs);
    assert.deepEqual(
      outcomes.map(({ job, outcome }) => [job, outcome]),
      [['restraint_report', 'ran']],
    );
    assert.deepEqual((await dumpTables(store)).restraint_reports, before.restraint_reports);
  });
});
