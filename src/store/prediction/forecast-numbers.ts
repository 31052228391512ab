// The numbers that rows of forecasts have in place of what is the same for many of them: the pocket, and the list of what
// was forecast together. A number is given once, with the first forecasts that need it, and never to anything else.
import type { PredictionPayload } from '../../domain/prediction/prediction.ts';
import { MINUTE } from '../../domain/time/slot.ts';
import { inClause, inClauseChunks } from '../engine/in-clause-chunks.ts';
import type { Row, Transaction } from '../engine/store.ts';

/**
 * Of rows `x` of forecasts: those of a pocket, by its number, which the index has. By the pocket's name SQLite would read
 * the forecasts of all pockets in the slots that are asked for, and PostgreSQL would sort a list that ends after a few rows.
 * `pocket`: an expression in place of a parameter.
 */
export const inPocket = (x: string, pocket = '?'): string =>
  `${x}.pocket = (select number from forecast_pockets where pocket_id = ${pocket})`;

/** Of the pocket and of the list of forecasts that are stored together. */
interface ForecastNumbers {
  pocket: number;
  list: number;
}

/** The numbers of sets of forecasts, each of a pocket, in their order. Call it while the log is locked: of two processes that need a new number the second one then finds it. */
export async function numberForecasts(
  tx: Transaction,
  sets: readonly (readonly PredictionPayload[])[],
): Promise<ForecastNumbers[]> {
  const pockets = sets.map(([first]) => first?.pocket_id ?? '');
  const lists = sets.map((forecasts) => forecasts.map(memberOf));
  const keys = lists.map(listKey);
  const listsByKey = new Map(keys.map((key, n) => [key, lists[n] ?? []]));
  const pocketNumbers = await giveNumbers(tx, pocketTable, new Set(pockets));
  const listNumbers = await giveNumbers(tx, listTable(listsByKey), listsByKey.keys());
  return sets.map((_, n) => ({
    pocket: pocketNumbers.get(pockets[n] ?? '') ?? -1,
    list: listNumbers.get(keys[n] ?? '') ?? -1,
  }));
}

const memberOf = ({ generator, prediction_type, horizon_minutes, shadow }: PredictionPayload) => ({
  generator,
  prediction_type,
  horizon: horizon_minutes * MINUTE,
  shadow: shadow ? 1 : 0,
});
type Member = ReturnType<typeof memberOf>;

const listKey = (members: readonly Member[]): string =>
  members
    .map(({ generator, prediction_type, horizon, shadow }) =>
      [generator, prediction_type, horizon, shadow].join(' '),
    )
    .join('; ');

/** What has numbers, by a key of text. */
interface NumberedTable {
  name: string;
  number: string;
  /** The stored numbers of these, or of more. */
  read(tx: Transaction, keys: readonly string[]): Promise<Map<string, number>>;
  rows(key: string, number: number): Row[];
}

const pocketTable: NumberedTable = {
  name: 'forecast_pockets',
  number: 'number',
  // Of these alone: a city may have very many.
  read: async (tx, pockets) => {
    const found = new Map<string, number>();
    for (const chunk of inClauseChunks(pockets))
      for (const { number, pocket_id } of await tx.all<{ number: number; pocket_id: string }>(
        `select number, pocket_id from forecast_pockets where pocket_id in (${inClause(chunk)})`,
        ...chunk,
      ))
        found.set(pocket_id, number);
    return found;
  },
  rows: (pocket_id, number) => [{ number, pocket_id }],
};

const listTable = (lists: ReadonlyMap<string, readonly Member[]>): NumberedTable => ({
  name: 'forecast_lists',
  number: 'list',
  read: async (tx) => {
    const rows = await tx.all<Member & { list: number }>(
      'select list, generator, prediction_type, horizon, shadow from forecast_lists order by list, place',
    );
    const byList = Map.groupBy(rows, ({ list }) => list);
    return new Map(Array.from(byList, ([list, members]) => [listKey(members), list]));
  },
  rows: (key, list) => (lists.get(key) ?? []).map((member, place) => ({ list, place, ...member })),
});

/** What a transaction has read and given. It goes with it: what is rolled back is known to nobody. */
const known = new WeakMap<Transaction, Map<string, Map<string, number>>>();

/** The numbers by key; those that are not stored get the next ones. */
async function giveNumbers(
  tx: Transaction,
  table: NumberedTable,
  keys: Iterable<string>,
): Promise<ReadonlyMap<string, number>> {
  const ofTables = known.get(tx) ?? new Map<string, Map<string, number>>();
  known.set(tx, ofTables);
  const numbers = ofTables.get(table.name) ?? new Map<string, number>();
  ofTables.set(table.name, numbers);
  let added = [...keys].filter((key) => !numbers.has(key));
  if (added.length) {
    for (const [key, number] of await table.read(tx, added)) numbers.set(key, number);
    added = added.filter((key) => !numbers.has(key));
  }
  if (added.length) {
    const newest = await tx.get<{ number: number | null }>(
      `select max(${table.number}) as number from ${table.name}`,
    );
    const first = (newest?.number ?? 0) + 1;
    await tx.insert(
      table.name,
      added.flatMap((key, n) => table.rows(key, first + n)),
    );
    for (const [n, key] of added.entries()) numbers.set(key, first + n);
  }
  return numbers;
}
