// Every sum of the rollups that follows from the log is changed in one half hour, and `verify` names it.
// The log stays as it is: what it adds up to is read once, and compared with the sums after each change.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { generators } from '../../src/domain/prediction/generators/all.ts';
import { openStore } from '../../src/store/engine/open.ts';
import { readCheckpoint, readKey } from '../../src/verify/checkpoint.ts';
import { wakingIn } from '../../src/verify/figures/served.ts';
import { ROLLUP_COLUMNS } from '../../src/verify/figures/slot-sums.ts';
import { Tally } from '../../src/verify/figures/tally.ts';
import { readRows } from '../../src/verify/rows.ts';
import { fetchText } from '../../src/verify/source.ts';
import { rollupEnds, wrongTotals } from '../../src/verify/tables/totals.ts';
import { verifyLedger } from '../support/services/verify-ledger.ts';
import { testSigner } from '../support/stores/test-key.ts';
import { figuresFetcher, ledgerFetcher, registry, writeLogs } from './stored-log.ts';

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
const fetch = ledgerFetcher(store);
const verify = () => verifyLedger({ fetch, api: figuresFetcher(store), settle: 0 });
const run = (sql: string) => store.transaction((tx) => tx.run(sql));

test('as they are, the rollups follow from the log', async () => {
  const verdict = await verify();
  assert.ok(verdict.ok, JSON.stringify(verdict));
  assert.equal(verdict.tables, 'compared');
});

const key = readKey(testSigner.verifierKey);
const head = readCheckpoint(await fetchText(fetch, 'checkpoint'), key);
const tally = new Tally(undefined, wakingIn(registry.city.time_zone));
await readRows({ fetch, generators }, { origin: key.name, head, earlier: undefined }, tally);
const ends = rollupEnds((await fetch('rows', 100_000)) ?? assert.fail()) ?? assert.fail();

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
          const wrong = await wrongTotals(fetch, ends, tally.slots, true);
          await change(-1);
          const isOfOne = which.includes('chipbee');
          const named = `${table}.${column}${isOfOne ? ' of single pockets' : ''} up to ${new Date(middle?.at ?? 0).toISOString()} is `;
          assert.ok(wrong?.startsWith(named), wrong);
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
