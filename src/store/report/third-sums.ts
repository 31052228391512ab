import { VINDICATION_WINDOW } from '../../domain/decision/silence.ts';
import { HORIZONS } from '../../domain/prediction/prediction.ts';
import {
  addCounts,
  addKinds,
  countsOf,
  type KindCounts,
  noKinds,
  nothingCounted,
  type PocketCounts,
  piecesOf,
  type Subject,
  THIRD,
  thirdOf,
} from '../../domain/stats/thirds.ts';
import { HOUR, MINUTE } from '../../domain/time/sgt.ts';
import type { Span } from '../../domain/time/spans.ts';
import type { Window } from '../../domain/time/window.ts';
import type { Reader, Transaction, Value } from '../engine/store.ts';
import { lastRun } from '../runtime/job-runs.ts';
import { type Counted, countRows } from './third-rows.ts';

/** A window as it can be added up: the whole thirds that are kept, and what is left at its ends, counted row by row. */
export interface Addends {
  wanted: readonly Subject[];
  kept: Span | null;
  /** Each within one day, of UTC and of Singapore. */
  loose: (Counted & { from: number })[];
}

export async function addendsOf(store: Reader, window: Window, wanted: readonly Subject[]): Promise<Addends> {
  const begun = await beginning(store);
  if (begun === null) return { wanted, kept: null, loose: [] };
  const until = (await nextThird(store)) ?? begun;
  const pieces = piecesOf({ ...window, after: Math.max(window.after, begun - 1) });
  const isKept = ({ to, whole }: Span & { whole: boolean }) => whole && to <= until;
  const kept = pieces.filter(isKept);
  const [first, last] = [kept[0], kept.at(-1)];
  const loose = [];
  for (const piece of pieces)
    if (!isKept(piece)) loose.push({ from: piece.from, ...(await countRows(store, piece, wanted)) });
  return { wanted, kept: first && last ? { from: first.from, to: last.to } : null, loose };
}

/** By pocket; of one alone where it is named. */
export async function pocketSums(
  store: Reader,
  { wanted, kept, loose }: Addends,
  pocket?: string,
): Promise<Map<string, PocketCounts>> {
  const sums = new Map<string, PocketCounts>();
  const add = (id: string, counts: Partial<PocketCounts>) => addCounts(entry(sums, id), counts);
  if (kept) {
    const [only, params]: [string, Value[]] =
      pocket === undefined ? ['', []] : ['and pocket_id = ?', [pocket]];
    const rows = await store.all<Partial<PocketCounts> & { pocket_id: string }>(
      `select pocket_id, ${columnSums(wanted)} from pocket_thirds
       where start >= ? and start < ? ${only} group by pocket_id`,
      kept.from,
      kept.to,
      ...params,
    );
    for (const { pocket_id, ...counts } of rows) add(pocket_id, counts);
  }
  for (const { pockets } of loose)
    for (const [id, counts] of pockets) if (pocket === undefined || id === pocket) add(id, counts);
  return sums;
}

/** By day and pocket: days since the epoch, of UTC or of Singapore. */
export async function daySums(
  store: Reader,
  { wanted, kept, loose }: Addends,
  zone: 'UTC' | 'SGT',
): Promise<Map<number, Map<string, PocketCounts>>> {
  const offset = zone === 'SGT' ? 8 * HOUR : 0;
  const days = new Map<number, Map<string, PocketCounts>>();
  const add = (day: number, pocket: string, counts: Partial<PocketCounts>) => {
    const pockets = days.get(day) ?? new Map();
    days.set(day, pockets);
    addCounts(entry(pockets, pocket), counts);
  };
  if (kept) {
    // The offset stands in the text: a parameter would make the division inexact.
    const rows = await store.all<Partial<PocketCounts> & { day: number; pocket_id: string }>(
      `select (start + ${offset}) / 86400000 as day, pocket_id, ${columnSums(wanted)} from pocket_thirds
       where start >= ? and start < ? group by day, pocket_id`,
      kept.from,
      kept.to,
    );
    for (const { day, pocket_id, ...counts } of rows) add(day, pocket_id, counts);
  }
  for (const { from, pockets } of loose)
    for (const [id, counts] of pockets) add(Math.floor((from + offset) / 86_400_000), id, counts);
  return days;
}

/** Of the whole network, by kind. */
export async function kindSums(store: Reader, { kept, loose }: Addends): Promise<KindCounts> {
  const sums = noKinds();
  if (kept) {
    const rows = await store.all<{ body: string }>(
      'select body from third_kinds where start >= ? and start < ?',
      kept.from,
      kept.to,
    );
    for (const { body } of rows) addKinds(sums, JSON.parse(body) as KindCounts);
  }
  for (const { kinds } of loose) addKinds(sums, kinds);
  return sums;
}

const columnSums = (wanted: readonly Subject[]): string =>
  countsOf(wanted)
    .map((name) => `sum(${name}) as ${name}`)
    .join(', ');

function entry(sums: Map<string, PocketCounts>, pocket: string): PocketCounts {
  let own = sums.get(pocket);
  if (!own) {
    own = nothingCounted();
    sums.set(pocket, own);
  }
  return own;
}

/** Keeps the sums of every third that nothing can be added to any more. */
export async function keepThirds(tx: Transaction): Promise<void> {
  const end = await judgedUntil(tx);
  let start = (await nextThird(tx)) ?? (await beginning(tx));
  for (; start !== null && start + THIRD <= end; start += THIRD) {
    const third = start;
    const { pockets, kinds } = await countRows(tx, { from: third, to: third + THIRD });
    await tx.insert(
      'pocket_thirds',
      [...pockets].map(([pocket_id, counts]) => ({ start: third, pocket_id, ...counts })),
    );
    await tx.insert('third_kinds', [{ start: third, body: JSON.stringify(kinds) }]);
  }
}

const FARTHEST = Math.max(...HORIZONS) * MINUTE;

/** What was sealed before has its verdict or its reveal. */
async function judgedUntil(store: Reader): Promise<number> {
  const [vindicated, revealed] = [await lastRun(store, 'vindication'), await lastRun(store, 'reveal')];
  return Math.min((vindicated ?? 0) - VINDICATION_WINDOW, (revealed ?? 0) - FARTHEST);
}

/** The first that is not kept; null when none is. */
async function nextThird(store: Reader): Promise<number | null> {
  const kept = await store.get<{ start: number | null }>('select max(start) as start from third_kinds');
  return kept?.start ? kept.start + THIRD : null;
}

/** The third of the first reading: before it nothing was decided or forecast. Null when nothing was read. */
async function beginning(store: Reader): Promise<number | null> {
  const first = await store.get<{ slot: number | null }>('select min(slot) as slot from atmosphere_readings');
  return first?.slot ? thirdOf(first.slot) : null;
}
