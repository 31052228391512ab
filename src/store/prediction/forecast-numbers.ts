// The numbers that rows of forecasts have in place of what is the same for many of them: the pocket, and all that follows
// from the generator. A number is given once, with the first forecast that needs it, and never to anything else.
import type { PredictionPayload } from '../../domain/prediction/prediction.ts';
import { MINUTE } from '../../domain/time/slot.ts';
import { inClause, inClauseChunks } from '../engine/in-clause-chunks.ts';
import type { Transaction } from '../engine/store.ts';

/**
 * Of rows `x` of forecasts: those of a pocket, by its number, which the index has. A list that ends after a few rows needs
 * this: by the pocket's name PostgreSQL would read and sort them all.
 */
export const inPocket = (x: string): string =>
  `${x}.pocket = (select number from forecast_pockets where pocket_id = ?)`;

type Numbered<R> = R & { number: number };

/** Of the pocket and of the generator of a forecast. */
interface ForecastNumbers {
  pocket: number;
  generator: number;
}

/** The numbers of forecasts, in their order. Call it while the log is locked: of two processes that need a new number the second one then finds it. */
export async function numberForecasts(
  tx: Transaction,
  payloads: readonly PredictionPayload[],
): Promise<ForecastNumbers[]> {
  const pockets = await numberRows(tx, 'forecast_pockets', payloads.map(pocketRow), storedPockets);
  const generators = await numberRows(
    tx,
    'forecast_generators',
    payloads.map(generatorRow),
    storedGenerators,
  );
  return payloads.map((_, n) => ({ pocket: pockets[n] ?? -1, generator: generators[n] ?? -1 }));
}

const pocketRow = ({ pocket_id }: PredictionPayload) => ({ pocket_id });

const generatorRow = ({ generator, prediction_type, horizon_minutes, shadow }: PredictionPayload) => ({
  name: generator,
  prediction_type,
  horizon: horizon_minutes * MINUTE,
  shadow: shadow ? 1 : 0,
});

type PocketRow = ReturnType<typeof pocketRow>;
type GeneratorRow = ReturnType<typeof generatorRow>;

/** Of these pockets alone: a city may have very many. */
async function storedPockets(tx: Transaction, pockets: readonly PocketRow[]): Promise<Numbered<PocketRow>[]> {
  const found: Numbered<PocketRow>[] = [];
  for (const chunk of inClauseChunks(pockets.map(({ pocket_id }) => pocket_id)))
    found.push(
      ...(await tx.all<Numbered<PocketRow>>(
        `select number, pocket_id from forecast_pockets where pocket_id in (${inClause(chunk)})`,
        ...chunk,
      )),
    );
  return found;
}

const storedGenerators = (tx: Transaction): Promise<Numbered<GeneratorRow>[]> =>
  tx.all('select number, name, prediction_type, horizon, shadow from forecast_generators');

/** What a transaction has read and given. It goes with it: what is rolled back is known to nobody. */
const known = new WeakMap<Transaction, Map<string, number>>();

/** The numbers of rows, in their order; those that are not stored get the next ones. */
async function numberRows<R extends object>(
  tx: Transaction,
  table: 'forecast_pockets' | 'forecast_generators',
  rows: readonly R[],
  stored: (tx: Transaction, rows: readonly R[]) => Promise<Numbered<R>[]>,
): Promise<number[]> {
  const numbers = known.get(tx) ?? new Map<string, number>();
  known.set(tx, numbers);
  const columns = Object.keys(rows[0] ?? {}) as (keyof R)[];
  const keyOf = (row: R): string => columns.reduce((key, column) => `${key} ${row[column]}`, `${table}`);
  const remember = (row: Numbered<R>) => numbers.set(keyOf(row), row.number);
  const keys = rows.map(keyOf);
  const unknown = (): R[] => {
    const found = new Map<string, R>();
    for (const [n, key] of keys.entries()) if (!numbers.has(key)) found.set(key, rows[n] as R);
    return [...found.values()];
  };
  let added = unknown();
  if (added.length) {
    (await stored(tx, added)).forEach(remember);
    added = unknown();
  }
  if (added.length) {
    const newest = await tx.get<{ number: number | null }>(`select max(number) as number from ${table}`);
    const numbered = added.map((row, n) => ({ number: (newest?.number ?? 0) + n + 1, ...row }));
    await tx.insert(table, numbered);
    numbered.forEach(remember);
  }
  return keys.map((key) => numbers.get(key) ?? -1);
}
