// The files of migrations/, each applied once to a store, in the order of their numbers.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../../migrations');

export interface SchemaFile {
  /** The file's name without `.sql`. */
  key: string;
  sql: string;
  /** Hash of the statements; comments and white space do not count. */
  hash: string;
}

export const schemaFiles: readonly SchemaFile[] = readdirSync(folder)
  .filter((name) => /^\d{3}_[a-z_]+\.sql$/.test(name))
  .sort()
  .map((name) => {
    const sql = readFileSync(join(folder, name), 'utf8');
    return { key: name.slice(0, -'.sql'.length), sql, hash: schemaHash(sql) };
  });

export const fileNumber = (key: string): number => Number.parseInt(key, 10);

/** The number of the newest file. */
export const newestNumber = (files: readonly Pick<SchemaFile, 'key'>[]): number =>
  Math.max(0, ...files.map(({ key }) => fileNumber(key)));

/** The number of the schema that this program is written for. */
export const schemaNumber = newestNumber(schemaFiles);

export interface AppendOnly {
  table: string;
  /** The condition on a row `old` under which it may be deleted. */
  removable?: string;
}

/** The lines `append-only: a, b` and `removable from a: CONDITION` of a file. */
export function appendOnlyTables({ sql }: Pick<SchemaFile, 'sql'>): AppendOnly[] {
  const always = [...sql.matchAll(/^-- append-only: (.+)$/gm)].flatMap(([, tables = '']) =>
    tables.split(', ').map((table) => ({ table })),
  );
  const conditional = [...sql.matchAll(/^-- removable from (\w+): (.+)$/gm)].map(
    ([, table = '', removable = '']) => ({ table, removable }),
  );
  return [...always, ...conditional];
}

/** Whether no other process may have the store open while the file is applied. */
export const isAppliedAlone = ({ sql }: SchemaFile): boolean => /^-- alone$/m.test(sql);

/** The lowest number of a program that can read a store to which the file was applied; 0 if every one can. */
export const readableFrom = ({ sql }: SchemaFile): number =>
  Number(/^-- readable from: (\d+)$/m.exec(sql)?.[1] ?? 0);

/** What the file is about: the first sentence of its first comment. */
export const subject = ({ sql }: SchemaFile): string =>
  (/^((?:-- .*\n)+)/.exec(sql)?.[1] ?? '')
    .replace(/^-- /gm, '')
    .replaceAll('\n', ' ')
    .replace(/[.:] .*$/s, '')
    .replace(/\.?\s*$/, '');

function schemaHash(sql: string): string {
  const statements = sql.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim();
  const tables = appendOnlyTables({ sql })
    .map(({ table, removable }) => (removable ? `${table} (${removable})` : table))
    .sort()
    .join(' ');
  return createHash('sha256').update(`${statements}\n${tables}`).digest('hex');
}
