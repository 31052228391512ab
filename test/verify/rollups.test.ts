// Every sum of the rollups that follows from the log is changed in one half hour, and `verify` names it.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openStore } from '../../src/store/engine/open.ts';
import { ROLLUP_COLUMNS } from '../../src/verify/figures/slot-sums.ts';
import { verifyLedger } from '../support/services/verify-ledger.ts';
import { figuresFetcher, ledgerFetcher, steadyFetcher, writeLogs } from './stored-log.ts';

const logs = await writeLogs();
const store = openStore({ databaseUrl: undefined, dataDir: logs.whole });
after(async () => {
  await store.close();
  await logs.remove();
});

/** A half hour with rows in each of the tables, and later ones after it. */
const middle = await store.get<{ at: number }>(
  'select max(period_end) - 2 * 1800000 as at from rollup_forecasts',
);
const at = `period_end = ${middle?.at}`;
/** The rows that follow from entries stay as they are. */
const fetch = steadyFetcher(ledgerFetcher(store), ['totals/']);
const verify = () => verifyLedger({ fetch, api: figuresFetcher(store), settle: 0 });
const run = (sql: string) => store.transaction((tx) => tx.run(sql));

test('as they are, the rollups follow from the log', async () => {
  const verdict = await verify();
  assert.ok(verdict.ok, JSON.stringify(verdict));
  assert.equal(verdict.tables, 'compared');
});

/** Each column is changed in the row of all pockets or in that of one, in turn; in `npm run faults` in both. */
const isWhole = process.env.FAULTS === 'all';

for (const [table, columns] of Object.entries(ROLLUP_COLUMNS))
  test(`a sum of ${table}`, async (t) => {
    const isByPocket = ['rollup_pockets', 'rollup_forecasts'].includes(table);
    const rows = isByPocket ? ["pocket_id = ''", "pocket_id = 'chipbee'"] : ['1 = 1'];
    for (const [n, column] of columns.entries())
      for (const which of isWhole ? rows : [rows[n % rows.length] ?? assert.fail()])
        await t.test(`${column} where ${which}`, async () => {
          const change = (by: number) =>
            run(`update ${table} set ${column} = ${column} + ${by} where ${at} and ${which}`);
          await change(1);
          const verdict = await verify();
          await change(-1);
          assert.ok(!verdict.ok && verdict.code === 'wrong_figure', JSON.stringify(verdict));
          const isOfOne = which.includes('chipbee');
          const named = `${table}.${column}${isOfOne ? ' of single pockets' : ''} up to ${new Date(middle?.at ?? 0).toISOString()} is `;
          assert.ok(verdict.message.startsWith(named), verdict.message);
        });
  });

const verifyWithout = async (...tables: string[]) => {
  let verdict: Awaited<ReturnType<typeof verify>> | undefined;
  const rolledBack = store.transaction(async (tx) => {
    for (const table of tables) await tx.run(`delete from ${table} where ${at}`);
    verdict = await verifyLedger({ fetch: ledgerFetcher(tx), api: figuresFetcher(store), settle: 0 });
    throw new Error('rolled back');
  });
  await assert.rejects(rolledBack, /rolled back/);
  return verdict ?? assert.fail('not verified');
};

test('a half hour that is missing is named', async () => {
  const verdict = await verifyWithout('rollup_pockets');
  assert.ok(!verdict.ok && verdict.code === 'wrong_figure', JSON.stringify(verdict));
  assert.match(verdict.message, /^rollup_pockets\.\w+ up to .* is 0, but the rows give [1-9]/);
});

test('a half hour of forecasts may be missing from all tables that become days, and not from one of them', async () => {
  assert.ok((await verifyWithout('rollup_forecasts', 'rollup_calm')).ok);
  for (const table of ['rollup_forecasts', 'rollup_calm']) {
    const verdict = await verifyWithout(table);
    assert.ok(!verdict.ok && verdict.code === 'wrong_figure', JSON.stringify(verdict));
    assert.ok(verdict.message.startsWith(`${table}.`), verdict.message);
  }
});
