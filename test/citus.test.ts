// The page on Citus names every table of a store, and every file that has SQL.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Store } from '../src/store/engine/store.ts';
import { tableNames } from './support/stores/dump-tables.ts';
import { openMigratedStore } from './support/stores/open-stores.ts';
import { describeStores, sqlitePlace } from './support/stores/store-places.ts';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/citus.md'), 'utf8');

const section = (heading: string): string =>
  page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';

/** The cells of each row of the tables in a section. */
const rowsOf = (heading: string): string[][] =>
  section(heading)
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(2).split(' | '));

const namesOf = (cell: string, name = /`(\w+)`/g): string[] =>
  Array.from(cell.matchAll(name), ([, found = '']) => found);

describeStores('the page on Citus', (makePlace, engine) => {
  test('says of every table once where its rows would be', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    // Only PostgreSQL locks its upgrades by a row.
    const tables =
      engine === 'sqlite' ? [...(await tableNames(store)), 'schema_lock'] : await tableNames(store);
    assert.deepEqual(
      rowsOf('Tables')
        .flatMap(([tables = '']) => namesOf(tables))
        .sort(),
      tables.sort(),
    );
  });
});

test('a table that would be distributed has that column in every key, or the page says how its key changes', async (t) => {
  const store = await openMigratedStore(t, sqlitePlace);
  for (const [tables = '', kind = '', change = ''] of rowsOf('Tables')) {
    const [, column] = /^by `(\w+)`/.exec(kind) ?? [];
    if (column === undefined) continue;
    for (const table of namesOf(tables)) {
      const keys = await uniqueKeys(store, table);
      const lacking: string[] = keys.filter((key) => !key.includes(column)).map(String);
      const [, stated, replaced] = /^`([\w, ]+)` becomes `([\w, ]+)`/.exec(change) ?? [];
      assert.deepEqual(lacking, stated === undefined ? [] : [stated], table);
      if (stated !== undefined) assert.equal(replaced, `${stated}, ${column}`, table);
    }
  }
});

/** The columns of the primary key and of unique indexes. */
async function uniqueKeys(store: Store, table: string): Promise<string[][]> {
  const columnsOf = async (sql: string, ...params: string[]): Promise<string[]> =>
    (await store.all<{ name: string }>(sql, ...params)).map(({ name }) => name);
  const primary = await columnsOf('select name from pragma_table_info(?) where pk > 0 order by pk', table);
  const indexes = await columnsOf(
    `select name from pragma_index_list(?) where "unique" = 1 and origin <> 'pk'`,
    table,
  );
  const unique = indexes.map((index) => columnsOf('select name from pragma_index_info(?)', index));
  return [primary, ...(await Promise.all(unique))].filter((key) => key.length > 0);
}

test('the page on Citus says of every file with SQL what becomes of it', () => {
  const store = join(root, 'src/store');
  const withSql = globSync('**/*.ts', { cwd: store }).filter(
    (file) => !/\.test\.ts$|(^|\/)testing\//.test(file) && hasSql(readFileSync(join(store, file), 'utf8')),
  );
  const named = new Set(rowsOf('Statements').flatMap(([, files = '']) => namesOf(files, /`([\w/-]+\.ts)`/g)));
  assert.deepEqual([...named].sort(), withSql.sort());
});

/** Statements are lower case, and so are the words of comments, which are left out. */
function hasSql(source: string): boolean {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  return /\bselect\b|\binsert into\b|\bdelete from\b|\bupdate \w+ set\b|\block table\b|\.insert(<\w+>)?\(/.test(
    code,
  );
}
