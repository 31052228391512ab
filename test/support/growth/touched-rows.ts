// How much of the store a question reads: its statements are recorded, and each is run again by an engine that tells.
import type { Reader, Store, Value } from '../../../src/store/engine/store.ts';

export interface Statement {
  sql: string;
  params: Value[];
}

/** What a statement read on PostgreSQL: rows that were looked at, whether or not they were wanted. */
export interface Touched {
  sql: string;
  rows: number;
}

/** A reader of its own: what another question has in memory is read again. */
export function recordingReader(store: Reader): Reader & { statements: Statement[] } {
  const statements: Statement[] = [];
  return {
    statements,
    all: (sql, ...params) => {
      statements.push({ sql, params });
      return store.all(sql, ...params);
    },
    get: (sql, ...params) => {
      statements.push({ sql, params });
      return store.get(sql, ...params);
    },
  };
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

/** The same statement with the same parameters is run once. */
export function touchedCounter(store: Store): (statements: readonly Statement[]) => Promise<Touched[]> {
  const known = new Map<string, Touched>();
  return (statements) =>
    store.transaction(async (tx) => {
      // Small tables are read and joined faster as a whole. What the index of a large one would be used for shows
      // without these.
      for (const way of ['seqscan', 'hashjoin', 'mergejoin', 'material'])
        await tx.script(`set local enable_${way} = off`);
      // Rows are counted here, not pages: of two ways the one with fewer rows is taken.
      for (const page of ['seq', 'random']) await tx.script(`set local ${page}_page_cost = 0`);
      const counted: Touched[] = [];
      for (const { sql, params } of statements) {
        const key = JSON.stringify([sql, params]);
        const found = known.get(key) ?? (await explain(tx, { sql, params }));
        known.set(key, found);
        counted.push(found);
      }
      return counted;
    }, 'feeds');
}

async function explain(tx: Reader, { sql, params }: Statement): Promise<Touched> {
  const row = await tx.get<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `explain (analyze, timing off, format json) ${sql}`,
    ...params,
  );
  const plan = row?.['QUERY PLAN'][0].Plan;
  if (!plan) throw new Error(`no plan of ${sql}`);
  return { sql, rows: rowsOf(plan) };
}

/** What rows have numbers for: a look-up in them is of a row that is counted. */
const names = ['forecast_lists', 'forecast_pockets', 'outlet_numbers', 'run_names'];

/** Rows of tables, wherever in the plan they are read. Means over loops are rounded, so that a look-up counts as a row. */
function rowsOf(node: PlanNode): number {
  const each =
    (node['Actual Rows'] ?? 0) +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  const table = node['Relation Name'];
  const own = table && !names.includes(table) ? Math.max(1, each) * (node['Actual Loops'] ?? 0) : 0;
  return own + (node.Plans ?? []).reduce((sum, plan) => sum + rowsOf(plan), 0);
}

/** Tables that SQLite reads from one end to the other for a statement; one with a limit stops where it has enough. */
export async function scannedTables(store: Reader, { sql, params }: Statement): Promise<string[]> {
  if (/ limit /.test(sql)) return [];
  const plan = await store.all<{ detail: string }>(`explain query plan ${sql}`, ...params);
  const scanned = plan.flatMap(({ detail }) => {
    const name = /^SCAN ([a-z_]\w*)/.exec(detail)?.[1];
    return name ? [new RegExp(`(?:from|join) (\\w+) (?:as )?${name}\\b`).exec(sql)?.[1] ?? name] : [];
  });
  // Others are parts of the statement itself.
  const tables = await store.all<{ name: string }>("select name from sqlite_master where type = 'table'");
  return scanned.filter((name) => tables.some((table) => table.name === name));
}

/** Indexes in which SQLite finds a slot of the whole city for a statement that names a pocket. */
export async function slotsOfAll(store: Reader, { sql, params }: Statement): Promise<string[]> {
  if (!/\bpocket_id = \?|\basked\b/.test(sql)) return [];
  const plan = await store.all<{ detail: string }>(`explain query plan ${sql}`, ...params);
  return plan.flatMap(({ detail }) =>
    / USING (?:COVERING )?(?:INDEX|PRIMARY KEY) .*\(slot(?:=|>|<)[^a-z]*(?:AND slot<\?)?\)$/.test(detail)
      ? [detail]
      : [],
  );
}
