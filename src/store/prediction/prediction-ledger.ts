// Sealed forecasts with their reveals, as lists and counts; everything is read from the ledger's canonical text.
import { LONGEST_HORIZON } from '../../domain/prediction/generators/all.ts';
import type { PredictionPayload, RevealPayload } from '../../domain/prediction/prediction.ts';
import type { Sealed } from '../../domain/prediction/written.ts';
import type { Window } from '../../domain/time/window.ts';
import type { Reader, Value } from '../engine/store.ts';
import { readEntries } from '../ledger/entries.ts';
import { byDay, hours, windowAndDays, withinDays } from '../rows/day-index.ts';
import { byForecastLeaf } from '../rows/forecast-leaves.ts';
import { lastRun } from '../runtime/job-runs.ts';
import { inPocket } from './forecast-numbers.ts';

/** `pending`: sealed and not revealed yet. */
export type RevealFilter = 'only' | 'pending' | 'both';

export interface LedgerFilter extends Window {
  pocket?: string | undefined;
  generator?: string | undefined;
}

/** The place of a row in the list. Its leaf alone says which rows follow; with the slot, an index finds them. */
export interface LedgerPosition {
  slot: number;
  leaf: number;
}

/** A sealed forecast with its reveal. */
export interface LedgerRow extends LedgerPosition {
  payload: Sealed<PredictionPayload>;
  payload_hash: string;
  /** Null until it is revealed. */
  reveal: Sealed<RevealPayload> | null;
}

interface Row extends LedgerPosition {
  reveal_leaf: number | null;
}

/** The leaf of the forecast. */
const leafOf = { p: 'p.leaf', r: 'r.prediction_leaf' };

function selection(
  table: 'p' | 'r',
  { after, until, pocket, generator }: LedgerFilter,
  from?: LedgerPosition,
): [where: string, params: Value[]] {
  const window = { after, until: from ? Math.min(until, from.slot) : until };
  const slot = `${table}.slot`;
  const [within, params]: [string, Value[]] =
    pocket === undefined
      ? [`${slot} > ? and ${slot} <= ?`, [window.after, window.until]]
      : [withinDays(slot, hours), windowAndDays(window, hours)];
  const where = [within];
  if (from) {
    // With a sign: the leaf is not what the rows are found by.
    where.push(`+${table}.first_leaf < ? and ${leafOf[table]} < ?`);
    params.push(from.leaf, from.leaf);
  }
  for (const [condition, value] of [
    [inPocket(table), pocket],
    [`${table}.generator = ?`, generator],
  ] as const) {
    if (value === undefined) continue;
    where.push(condition);
    params.push(value);
  }
  return [where.join(' and '), params];
}

const bySlot = (table: 'p' | 'r', { pocket }: LedgerFilter): string =>
  pocket === undefined ? `${table}.slot desc` : byDay('desc', `${table}.`, hours);

/** Newest first; those that follow `from`, if it is given. */
export async function predictionLedger(
  store: Reader,
  filter: LedgerFilter,
  revealed: RevealFilter,
  limit: number,
  from?: LedgerPosition,
): Promise<LedgerRow[]> {
  if (revealed === 'pending') return withEntries(store, await openLedger(store, filter, limit, from));
  if (revealed === 'only') {
    const [where, params] = selection('r', filter, from);
    const rows = await store.all<Row>(
      `select r.slot, r.prediction_leaf as leaf, r.leaf as reveal_leaf from revealed_forecasts r
       where ${where} order by ${bySlot('r', filter)}, ${byForecastLeaf('r', 'desc')} limit ?`,
      ...params,
      limit,
    );
    return withEntries(store, rows);
  }
  const [where, params] = selection('p', filter, from);
  // Leaves are numbered in the order of sealing. With the slot before the leaf an index gives the order; by the leaf
  // alone, SQLite reads and sorts every forecast of the window.
  const rows = await store.all<Row>(
    `select p.slot, p.leaf, r.leaf as reveal_leaf from predictions p
     left join reveals r on r.prediction_leaf = p.leaf
     where ${where} order by ${bySlot('p', filter)}, ${byForecastLeaf('p', 'desc')} limit ?`,
    ...params,
    limit,
  );
  return withEntries(store, rows);
}

const unrevealed = `p.reveal_at >= ? and not exists (select 1 from reveals r where r.prediction_leaf = p.leaf)`;

/**
 * A forecast is revealed when it is due or a slot later, so none due before the reveal job's last run is open. The slots
 * that the others can have been sealed at are few: an index finds them, however long the window is.
 */
async function openSince<Filter extends Window>(
  store: Reader,
  filter: Filter,
): Promise<{ due: number; sealed: Filter }> {
  const due = (await lastRun(store, 'reveal', filter.until)) ?? 0;
  return { due, sealed: { ...filter, after: Math.max(filter.after, due - LONGEST_HORIZON - 1) } };
}

async function openLedger(
  store: Reader,
  filter: LedgerFilter,
  limit: number,
  from: LedgerPosition | undefined,
): Promise<Row[]> {
  const { due, sealed } = await openSince(store, filter);
  const [where, params] = selection('p', sealed, from);
  return store.all<Row>(
    `select p.slot, p.leaf, null as reveal_leaf from predictions p
     where ${unrevealed} and ${where} order by p.leaf desc limit ?`,
    due,
    ...params,
    limit,
  );
}

/** How many forecasts are sealed and not yet revealed. */
export async function countOpenPredictions(store: Reader, filter: LedgerFilter): Promise<number> {
  const { due, sealed } = await openSince(store, filter);
  const [where, params] = selection('p', sealed);
  const row = await store.get<{ count: number }>(
    `select count(*) as count from predictions p where ${unrevealed} and ${where}`,
    due,
    ...params,
  );
  return row?.count ?? 0;
}

async function withEntries(store: Reader, rows: readonly Row[]): Promise<LedgerRow[]> {
  const entryAt = await readEntries(
    store,
    rows.flatMap(({ leaf, reveal_leaf }) => (reveal_leaf === null ? [leaf] : [leaf, reveal_leaf])),
  );
  return rows.map(({ slot, leaf, reveal_leaf }) => {
    const { payload, payload_hash } = entryAt(leaf);
    return {
      slot,
      leaf,
      payload: JSON.parse(payload) as Sealed<PredictionPayload>,
      payload_hash,
      reveal:
        reveal_leaf === null ? null : (JSON.parse(entryAt(reveal_leaf).payload) as Sealed<RevealPayload>),
    };
  });
}
