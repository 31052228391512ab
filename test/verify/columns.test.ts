// Every column of the tables beside the log that follows from an entry is changed, one at a time, and `verify` names it.
// The log stays as it is, so that of a change in one row only the bundle of its entry is compared again.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { generators } from '../../src/domain/prediction/generators/all.ts';
import { createSigner, privateKeyFromSeed } from '../../src/ledger/key.ts';
import { keyChange } from '../../src/ledger/key-change.ts';
import { TILE_WIDTH } from '../../src/ledger/tiles.ts';
import { openStore } from '../../src/store/engine/open.ts';
import type { Value } from '../../src/store/engine/store.ts';
import { insertKey, lockLog } from '../../src/store/ledger/ledger-keys.ts';
import { LedgerLog } from '../../src/store/ledger/ledger-log.ts';
import { latestCheckpoint } from '../../src/store/ledger/ledger-reads.ts';
import { LogTree } from '../../src/store/ledger/log-tree.ts';
import { tableRows } from '../../src/store/ledger/table-rows.ts';
import { checkBundle } from '../../src/verify/bundle.ts';
import { knownGenerators } from '../../src/verify/figures/generators.ts';
import { fetchBundle, fetchRows, fetchTile } from '../../src/verify/source.ts';
import type { RowFault } from '../../src/verify/tables/compare.ts';
import type { Verdict } from '../../src/verify/verify-ledger.ts';
import { verifyLedger } from '../support/services/verify-ledger.ts';
import { dropGuards } from '../support/stores/tamper-ledger.ts';
import { testSigner } from '../support/stores/test-key.ts';
import { figuresFetcher, ledgerFetcher, NOW, registry, steadyFetcher, writeLogs } from './stored-log.ts';
import { makeViewsWritable } from './writable-views.ts';

const logs = await writeLogs();
const store = openStore({ databaseUrl: undefined, dataDir: logs.whole });
after(async () => {
  await store.close();
  await logs.remove();
});

// With a change of the key, so that the log has an entry of every type.
const next = createSigner(testSigner.name, privateKeyFromSeed(Buffer.alloc(32, 3)));
await store.transaction(async (tx) => {
  await insertKey(tx, next, 2, (await lockLog(tx)).size);
  const ledger = new LedgerLog(new LogTree(next), () => NOW);
  const payload = keyChange(2, testSigner, next);
  await ledger.append(tx, 'key', [{ id: payload.id, payload }]);
  await ledger.write(tx);
});

const size = (await latestCheckpoint(store))?.size ?? 0;
/** What is changed here are rows beside the log. */
const fetch = steadyFetcher(ledgerFetcher(store), ['rows', 'totals/', 'detached/']);
const verify = (): Promise<Verdict> => verifyLedger({ fetch, api: figuresFetcher(store), settle: 0 });
const known = knownGenerators(generators);

/** What `verify` says is wrong beside the entries of the bundle that has this leaf. */
async function rowFaultAt(leaf: number): Promise<RowFault | undefined> {
  const index = Math.floor(leaf / TILE_WIDTH);
  const width = Math.min(TILE_WIDTH, size - index * TILE_WIDTH);
  const [bundle, tile, bytes] = await Promise.all([
    fetchBundle(fetch, index, width),
    fetchTile(fetch, 0, index, width),
    fetchRows(fetch, index, width),
  ]);
  const tables = { bytes, size, zone: registry.city.time_zone };
  return checkBundle({ index, width, bundle, tile, tables }, known).rowFault;
}

class RolledBack extends Error {}

interface Served {
  /** As it is served, such as `reveals_of_predictions`. */
  name: string;
  table: string;
  column: string;
  leaf: number;
  value: Value;
}

/** A row for each column; one with a value where there is one. */
async function servedColumns(): Promise<Served[]> {
  const found = new Map<string, Served>();
  for (let tile = 0; tile * TILE_WIDTH < size; tile++) {
    const { tables } = await tableRows(store, tile, Math.min(TILE_WIDTH, size - tile * TILE_WIDTH));
    for (const [name, { columns, rows }] of Object.entries(tables))
      for (const row of rows)
        for (const [at, column] of columns.entries()) {
          const known = found.get(`${name} ${column}`);
          if (column === 'own_leaf' || (known && known.value !== null)) continue;
          const value = row[at] ?? null;
          const table = name.split('_of_')[0] ?? name;
          found.set(`${name} ${column}`, { name, table, column, leaf: Number(row[0]), value });
        }
  }
  return [...found.values()];
}

/** Which row of the table a served row comes from. */
function rowCondition({ name, leaf }: Served): string {
  const [, of] = name.split('_of_');
  if (name === 'reveals_of_predictions') return `prediction_leaf = ${leaf}`;
  if (of === undefined) return `leaf = ${leaf}`;
  return `(slot, pocket_id) = (select slot, pocket_id from ${of} where leaf = ${leaf})`;
}

// Of a view a table with the same rows is made, so that each of its columns can be changed.
for (const name of ['moments', 'atmosphere_readings'])
  await store.transaction((tx) =>
    tx.script(`create table changeable as select * from ${name}; drop view ${name};
      alter table changeable rename to ${name}`),
  );
// The table of snapshots has the name that is served.
await store.transaction((tx) =>
  tx.script(`create table changeable as select * from snapshots; drop view snapshots; drop table env_snapshots;
    alter table changeable rename to env_snapshots; create view snapshots as select * from env_snapshots`),
);
const columns = await servedColumns();
await dropGuards(
  store,
  columns.map(({ table }) => table),
);
await makeViewsWritable(store);
const types = new Map<string, string>();
for (const table of new Set(columns.map(({ table }) => table)))
  for (const { name, type } of await store.all<{ name: string; type: string }>(`pragma table_info(${table})`))
    types.set(`${table} ${name}`, type);

/** Another value of the same kind. */
function otherThan({ table, column, value }: Served): Value {
  if (column === 'json_ld') return String(value).replace('"description":"', '"description":"not ');
  if (column === 'prediction_leaf' || column === 'leaf') return 1_000_000;
  if (typeof value === 'string') return `${value}x`;
  if (typeof value === 'number') return value === 1 ? 0 : value + 1;
  return types.get(`${table} ${column}`) === 'text' ? 'x' : 0.125;
}

const set = (table: string, column: string, row: string, value: Value) =>
  store.transaction((tx) => tx.run(`update ${table} set ${column} = ? where ${row}`, value));

test('as they are, the tables follow from the log', async () => {
  const verdict = await verify();
  assert.ok(verdict.ok, JSON.stringify(verdict));
  assert.deepEqual([verdict.tables, verdict.figures], ['compared', 'compared']);
  const tables = new Set(columns.map(({ table }) => table));
  assert.deepEqual([...tables].sort(), [
    ...['atmosphere_readings', 'env_snapshots', 'ledger_keys', 'moments', 'packages'],
    ...['predictions', 'reveals', 'silences', 'submissions', 'verdicts'],
  ]);
});

for (const served of columns) {
  const { name, table, column } = served;
  const isPosition = column === 'leaf' || (name === 'reveals_of_predictions' && column === 'prediction_leaf');
  // The leaf of a joined row is another table's.
  if (isPosition && name.includes('_of_')) continue;
  // It is made of the pocket and the slot.
  if (table === 'silences' && column === 'id') continue;
  // How much is not sealed: see below.
  if (column === 'attention_minutes_preserved') continue;
  test(`${name}: ${column}`, async () => {
    const row = rowCondition(served);
    const stored = await store.get<Record<string, Value>>(
      `select ${column} as kept from ${table} where ${row}`,
    );
    const changed = otherThan(served);
    const moved = isPosition
      ? `leaf = ${changed}`
      : column === 'prediction_leaf'
        ? 'prediction_leaf = 1000000'
        : row;
    await set(table, column, row, changed);
    // Whoever asks for the items of a closed submission finds none.
    const verdict = column === 'items_hash' ? await verify() : undefined;
    const fault = await rowFaultAt(served.leaf);
    await set(table, column, where(served, row, moved), stored?.kept ?? null);
    if (verdict) return assert.equal(!verdict.ok && verdict.code, 'missing_submission');
    assert.ok(fault, `${table}.${column} was changed to ${changed}`);
    // Its id, which is compared first, is made of it.
    const told = table === 'silences' && column === 'pocket_id' ? 'id' : column;
    const named = isPosition ? `${table} has no row of the entry` : `${table}.${told} is `;
    assert.ok(fault.message.startsWith(named), fault.message);
  });
}

/** Where the row is found once its column has changed. */
const where = ({ name, column }: Served, row: string, moved: string): string =>
  name === 'reveals_of_predictions' || name.includes('_of_') ? row : column === 'leaf' ? moved : row;

test('attention was preserved by silences that were right alone', async (t) => {
  const cases: [where: string, value: number][] = [
    ['spoke = 1', 0.5],
    ['spoke = 0 and served = 1', 0.5],
    ['spoke = 0 and served = 0', -0.5],
  ];
  for (const [which, value] of cases)
    await t.test(which, () =>
      changedBy([`update verdicts set attention_minutes_preserved = ${value} where ${which}`], (message) =>
        assert.match(message, /^verdicts\.attention_minutes_preserved is .*, which does not follow/),
      ),
    );
});

test('a row that is deleted, doubled, of another entry or beyond the log is named', async (t) => {
  const cases: [what: string, statements: string[], message: RegExp][] = [
    [
      'deleted',
      ['delete from silence_figures where leaf = (select min(leaf) from silence_figures)'],
      /^silences has no row/,
    ],
    [
      'deleted beside it',
      ['delete from moments where (slot, pocket_id) = (select slot, pocket_id from silences limit 1)'],
      /^moments has no row of the entry/,
    ],
    [
      'doubled',
      [
        'insert into reveal_figures select prediction_leaf + 1000000000, scores, leaves_later - 1000000000, calms from reveal_figures limit 1',
      ],
      /^reveals has more than one row of the entry/,
    ],
    [
      'of an entry of another type',
      [
        'insert into silence_figures select leaf, slot, reveal_at - slot, 1000, 1000, null, 8, 17, 1, 0, pocket_id from predictions limit 1',
      ],
      /^silences has a row that its entry does not give/,
    ],
    [
      'of a generator that has another name',
      [
        "update forecast_lists set generator = 'rain_comfort_60m' where generator = 'quiet_window_60m' and shadow = 0",
      ],
      /^predictions\.generator is "?rain_comfort_60m/,
    ],
    [
      'of a pocket that has another name',
      ["update forecast_pockets set pocket_id = pocket_id || ' moved'"],
      /^predictions\.pocket_id is /,
    ],
    [
      'beyond the log',
      [
        'insert into silence_figures select 1000000, slot, window_ms, 1000, 1000, null, gate, reason, band, 0, pocket_id from silence_figures limit 1',
      ],
      /^silences has a row of leaf 1000000, but the log has \d+ rows/,
    ],
    [
      'before it',
      [
        'insert into silence_figures select -5, slot, window_ms, 1000, 1000, null, gate, reason, band, 0, pocket_id from silence_figures limit 1',
      ],
      /^silences has a row of leaf -5/,
    ],
  ];
  for (const [what, statements, message] of cases)
    await t.test(what, () => changedBy(statements, (told) => assert.match(told, message)));
});

/** Verifies inside a transaction, which is then rolled back. */
async function changedBy(statements: string[], check: (message: string) => void): Promise<void> {
  const changed = store.transaction(async (tx) => {
    for (const statement of statements) await tx.run(statement);
    const verdict = await verifyLedger({ fetch: ledgerFetcher(tx), api: figuresFetcher(store), settle: 0 });
    assert.ok(!verdict.ok && verdict.code === 'wrong_row', JSON.stringify(verdict));
    check(verdict.message);
    throw new RolledBack();
  });
  await assert.rejects(changed, RolledBack);
}
