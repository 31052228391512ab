// What statements cost on PostgreSQL, in blocks and rows, which do not depend on the machine.
import type { Reader, Value } from '../../../src/store/engine/store.ts';

interface Statement {
  sql: string;
  params: Value[];
}

/** A reader that notes what is asked for. */
export function recordStatements(store: Reader): Reader & { asked: Statement[] } {
  const asked: Statement[] = [];
  return {
    ...store,
    asked,
    get: (sql, ...params) => {
      asked.push({ sql, params });
      return store.get(sql, ...params);
    },
    all: (sql, ...params) => {
      asked.push({ sql, params });
      return store.all(sql, ...params);
    },
  };
}

interface PlanNode {
  'Shared Hit Blocks': number;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

export const readBlocks = async (store: Reader, statement: Statement): Promise<number> =>
  (await readPlan(store, statement))['Shared Hit Blocks'];

/** The most rows that any step of the plan goes through. */
export const readRows = async (store: Reader, statement: Statement): Promise<number> =>
  mostRows(await readPlan(store, statement));

const mostRows = (node: PlanNode): number =>
  Math.max(
    (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
    ...(node.Plans ?? []).map(mostRows),
  );

async function readPlan(store: Reader, { sql, params }: Statement): Promise<PlanNode> {
  const [row] = await store.all<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `explain (analyze, buffers, format json) ${sql}`,
    ...params,
  );
  if (!row) throw new Error('PostgreSQL gave no plan');
  return row['QUERY PLAN'][0].Plan;
}
