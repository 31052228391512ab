// Removes entries that an archive has from the store, and the rows that were made from them. What may go is written down
// first; then bundles go, the oldest first, some in a transaction with their rows, so that a kill leaves whole bundles.
import { PERIOD, periodStart } from '../../domain/stats/rollup.ts';
import { OperatorError } from '../../domain/text/operator-error.ts';
import { SLOT } from '../../domain/time/slot.ts';
import type { Span } from '../../domain/time/window.ts';
import { TILE_WIDTH } from '../../ledger/tiles.ts';
import { sameSlotAndPocket } from '../engine/slot-join.ts';
import type { Reader, Transaction, Value } from '../engine/store.ts';
import { revealLeaf, revealRange, revealsWithin } from '../rows/reveal-leaves.ts';
import { lastBackfilledSlot } from '../runtime/history.ts';
import { type Archive, readArchive } from './archived.ts';
import { readBundles } from './entries.ts';
import { hashLines } from './leaf-tiles.ts';
import { isInTree } from './ledger-reads.ts';

/**
 * The tables whose rows leave with their entries, by the column of their leaf, and whether that of their slot is known. A
 * row of forecasts has the leaf of the first of them, and all are in one bundle. A row is `r` in statements.
 * Submissions, their scores and the keys stay: they are few, and the leaderboard is made from them.
 */
export const sealedTables = [
  { name: 'reveal_figures', leaf: revealLeaf('r'), slot: null },
  { name: 'forecast_sets', leaf: 'leaf', slot: 'slot' },
  { name: 'verdict_figures', leaf: 'leaf', slot: 'slot' },
  { name: 'silence_figures', leaf: 'leaf', slot: 'slot' },
  { name: 'packages', leaf: 'leaf', slot: 'slot' },
] as const;

/** Bundles of one transaction: about 2,000 rows, so that the embedded store is locked for some milliseconds. */
const BUNDLES_OF_BATCH = 8;

/** The slot after the last one of which a row would leave with the first `bundles` bundles; 0 where none would. */
export async function rowsFromAfter(store: Reader, bundles: number): Promise<number> {
  let last: number | null = null;
  for (const { name, leaf, slot } of sealedTables) {
    if (slot === null) continue;
    const sql = `select max(${slot}) as slot from ${name} where ${leaf} < ?`;
    const row = await store.get<{ slot: number | null }>(sql, bundles * TILE_WIDTH);
    if (row?.slot != null) last = Math.max(last ?? 0, row.slot);
  }
  return last === null ? 0 : last + SLOT;
}

/** What of the first `bundles` bundles still waits for its outcome, in words; undefined if nothing does. */
export async function unfinishedBefore(
  store: Reader,
  bundles: number,
  rowsFrom: number,
): Promise<string | undefined> {
  const leaf = bundles * TILE_WIDTH;
  const judged = (table: string) =>
    `select 1 from ${table} d where d.leaf < ? and not exists (select 1 from verdicts v where ${sameSlotAndPocket('v', 'd')}) limit 1`;
  const waiting: [what: string, sql: string, param: number][] = [
    [
      'a forecast is not revealed',
      `select 1 from predictions p where p.first_leaf < ?
       and not exists (select 1 from reveals r where r.prediction_leaf = p.leaf) limit 1`,
      leaf,
    ],
    ['a silence is not judged', judged('silences'), leaf],
    ['a line is not judged', judged('packages'), leaf],
    [
      'a submission is not scored',
      `select 1 from submissions s where s.sealed_at < ?
       and not exists (select 1 from submission_scores r where r.submission_leaf = s.leaf) limit 1`,
      rowsFrom,
    ],
  ];
  for (const [what, sql, param] of waiting) if (await store.get(sql, param)) return what;
  return undefined;
}

/**
 * Says that the first bundles are in an archive. Never fewer than before, and the place that was named last stays unless
 * another one is. The caller holds the operator lock.
 */
export async function writeArchive(
  tx: Transaction,
  { bundles, rows_from, place }: { bundles: number; rows_from: number; place: string | undefined },
): Promise<Archive> {
  const known = await readArchive(tx);
  const archive: Archive = {
    bundles: Math.max(bundles, known?.bundles ?? 0),
    rows_from: Math.max(rows_from, known?.rows_from ?? 0),
    place: place ?? known?.place ?? null,
  };
  if (known && archive.bundles === known.bundles && archive.place === known.place) return known;
  const last = await tx.get<{ number: number | null }>('select max(number) as number from archived_bundles');
  await tx.insert('archived_bundles', [
    { number: (last?.number ?? 0) + 1, ...archive, archived_at: await tx.clock() },
  ]);
  return archive;
}

export interface RemovedBatch {
  bundles: number;
  rows: number;
  /** Of the packed bundles. */
  bytes: number;
}

/** What is still in the store of the first `bundles` bundles: how many of them, and rows of each table. */
export async function countBefore(
  store: Reader,
  bundles: number,
): Promise<{ bundles: number; rows: number }> {
  const count = async (sql: string, before: number) => (await store.get<{ n: number }>(sql, before))?.n ?? 0;
  let rows = 0;
  for (const { name, leaf } of sealedTables)
    rows += await count(`select count(*) as n from ${name} r where ${leaf} < ?`, bundles * TILE_WIDTH);
  return { bundles: await count('select count(*) as n from ledger_bundles where idx < ?', bundles), rows };
}

/** Removes the oldest bundles that are archived, and their rows; undefined where none is left. The caller holds the operator lock. */
export async function removeBatch(tx: Transaction): Promise<RemovedBatch | undefined> {
  const archive = await readArchive(tx);
  const oldest = await tx.get<{ idx: number | null }>('select min(idx) as idx from ledger_bundles');
  const first = oldest?.idx ?? null;
  if (!archive || first === null || first >= archive.bundles) return undefined;
  const end = Math.min(first + BUNDLES_OF_BATCH, archive.bundles);
  await keepTiles(tx, first, end - 1);
  const counted = await tx.get<{ n: number; bytes: number }>(
    'select count(*) as n, sum(length(entries)) as bytes from ledger_bundles where idx >= ? and idx < ?',
    first,
    end,
  );
  const rows = await removeRows(tx, first * TILE_WIDTH, end * TILE_WIDTH);
  await tx.run('delete from ledger_bundles where idx >= ? and idx < ?', first, end);
  return { bundles: counted?.n ?? 0, rows, bytes: counted?.bytes ?? 0 };
}

/** Stores the tiles of level 0 over these bundles, which cannot be computed without them. */
async function keepTiles(tx: Transaction, first: number, last: number): Promise<void> {
  const indexes = Array.from({ length: last - first + 1 }, (_, n) => first + n);
  const tiles = [...(await readBundles(tx, indexes))].map(([idx, lines]) => ({
    level: 0,
    idx,
    hashes: hashLines(idx, lines),
  }));
  for (const { idx, hashes } of tiles)
    if (!(await isInTree(tx, idx, hashes)))
      throw new OperatorError(`the entries of bundle ${idx} in the database do not hash to their leaves`);
  await tx.insert('ledger_tiles', tiles);
}

async function removeRows(tx: Transaction, from: number, to: number): Promise<number> {
  const kept = await forecastsBetweenTotals(tx);
  let removed = 0;
  for (const { name, leaf } of sealedTables) {
    const own = name === 'forecast_sets' || name === 'reveal_figures' ? kept : undefined;
    const forecast = name === 'reveal_figures' ? 'prediction_leaf' : leaf;
    const stays = own ? ` and not (${forecast} >= ? and ${forecast} < ?)` : '';
    const [within, range] =
      name === 'reveal_figures'
        ? [revealsWithin, revealRange(from, to)]
        : [`${leaf} >= ? and ${leaf} < ?`, [from, to]];
    const where = `where ${within}${stays}`;
    const params: Value[] = [...range, ...(own ? [own.from, own.to] : [])];
    const counted = await tx.get<{ n: number }>(`select count(*) as n from ${name} as r ${where}`, ...params);
    removed += counted?.n ?? 0;
    await tx.run(`delete from ${name} as r ${where}`, ...params);
  }
  return removed;
}

/**
 * The leaves of the forecasts of the half hour in which the first history ends, where it ends within one: reports of
 * accuracy over all time are split there, and what lies between two totals is counted from its rows, which stay.
 */
async function forecastsBetweenTotals(store: Reader): Promise<Span | undefined> {
  const last = await lastBackfilledSlot(store);
  if (last === null || (last + SLOT) % PERIOD === 0) return undefined;
  const start = periodStart(last);
  const leaves = await store.get<{ first: number | null; last: number | null }>(
    'select min(leaf) as first, max(leaf) as last from predictions where slot >= ? and slot < ?',
    start,
    start + PERIOD,
  );
  return leaves?.first == null || leaves.last == null
    ? undefined
    : { from: leaves.first, to: leaves.last + 1 };
}
