// Finds entries of the ledger by a hash, and lists them by pocket and time. Every statement is an indexed lookup of a
// bounded number of rows, since anybody may ask.
import { LedgerError } from '../../ledger/error.ts';
import { hashAt } from '../../ledger/merkle.ts';
import { computeSeal } from '../../ledger/seal.ts';
import { TILE_WIDTH } from '../../ledger/tiles.ts';
import type { Reader, Value } from '../engine/store.ts';
import { inPocket } from '../prediction/forecast-numbers.ts';
import { byDay, days, hours, utcDay } from '../rows/day-index.ts';
import { byForecastLeaf } from '../rows/forecast-leaves.ts';
import { ArchivedError, firstKeptLeaf } from './archived.ts';
import { entryLeafHash } from './bundles.ts';
import { type LedgerEntry, readEntries, sealedEntry } from './entries.ts';
import { HASH_START, leavesByHash } from './hash-index.ts';
import { tileReader } from './ledger-reads.ts';
import type { UnhashedEntry } from './packed-bundle.ts';

/** Entries that share the first digits of a hash; beyond these the log would hold billions of entries. */
const MOST_MATCHES = 20;

/** The hash that a payload would be sealed with; null for one that canonical JSON refuses. */
export function payloadHash(payload: object): string | null {
  try {
    return computeSeal(payload).payload_hash;
  } catch (error) {
    if (error instanceof LedgerError) return null;
    throw error;
  }
}

export interface HashMatch {
  matched: 'payload_hash' | 'leaf_hash';
  entry: LedgerEntry;
}

/**
 * Entries whose payload hash or leaf hash begins with these hex digits, of which there are at least 8. An ArchivedError
 * is thrown where only an entry that has left the store can be meant.
 */
export async function entriesByHash(store: Reader, hex: string): Promise<HashMatch[]> {
  const bundled = (await leavesByHash(store, hex)).slice(0, 2 * MOST_MATCHES);
  const { entries, archived } = await readKept(store, bundled);
  const found = new Map([...entries, ...(await unindexedEntries(store, hex))].map((one) => [one.leaf, one]));
  const matching = (hashOf: (entry: LedgerEntry) => string) =>
    [...found.values()]
      .filter((entry) => hashOf(entry).startsWith(hex))
      .sort((a, b) => a.leaf - b.leaf)
      .slice(0, MOST_MATCHES);
  const matches = [
    ...matching(({ payload_hash }) => payload_hash.slice('sha256:'.length)).map((entry) => ({
      matched: 'payload_hash' as const,
      entry,
    })),
    ...matching(entryLeafHash).map((entry) => ({ matched: 'leaf_hash' as const, entry })),
  ];
  if (!matches.length)
    for (const one of archived) if (await mayHaveHash(store, one.leaf, hex)) throw one.error;
  return matches;
}

async function readKept(store: Reader, leaves: readonly number[]) {
  const entryAt = await readEntries(store, leaves);
  const entries: LedgerEntry[] = [];
  const archived: { leaf: number; error: ArchivedError }[] = [];
  for (const leaf of leaves)
    try {
      entries.push(entryAt(leaf));
    } catch (error) {
      if (!(error instanceof ArchivedError)) throw error;
      archived.push({ leaf, error });
    }
  return { entries, archived };
}

/** The tile has the whole leaf hash of an archived entry; of its payload hash the index alone has the beginning. */
async function mayHaveHash(store: Reader, leaf: number, hex: string): Promise<boolean> {
  const tile = { level: 0, index: Math.floor(leaf / TILE_WIDTH), width: TILE_WIDTH };
  const own = hashAt(await tileReader(store)(tile), leaf % TILE_WIDTH);
  return own.startsWith(hex) || !own.startsWith(hex.slice(0, HASH_START));
}

/** Those after the last bundle, which are few, and those of 1.0.0 that are not bundled yet, by the indexes they have. */
async function unindexedEntries(store: Reader, hex: string): Promise<LedgerEntry[]> {
  const start = hex.slice(0, HASH_START);
  const newest = await store.all<UnhashedEntry & { leaf: number }>(
    'select leaf, type, id, payload from ledger_entries',
  );
  const older = await store.all<UnhashedEntry & { leaf: number }>(
    `select leaf, type, id, payload from entries_of_1_0
     where substr(payload_hash, 8, 8) = ? or leaf_hash_start = ? order by leaf limit ${2 * MOST_MATCHES}`,
    start,
    start,
  );
  return [...newest, ...older].map((row) => sealedEntry(row.leaf, row));
}

/**
 * The table of each type that is searched, its column of time, the condition that names a pocket, and what the index of a
 * pocket has in place of the time.
 */
const sources = {
  prediction: { table: 'predictions', time: 'slot', inPocket: inPocket('t'), spans: hours },
  reveal: { table: 'revealed_forecasts', time: 'slot', inPocket: inPocket('t'), spans: hours },
  line: { table: 'packages', time: 'slot', inPocket: 't.pocket_id = ?', spans: null },
  silence: { table: 'silences', time: 'slot', inPocket: 't.pocket_id = ?', spans: days },
  verdict: { table: 'verdicts', time: 'slot', inPocket: 't.pocket_id = ?', spans: days },
  submission: { table: 'submissions', time: 'sealed_at', inPocket: null, spans: null },
} as const;
export type SearchedType = keyof typeof sources;
export const searchedTypes = Object.keys(sources) as SearchedType[];

/** A position in the list: the time and the leaf of an entry. Both never change, so no page skips or repeats a row. */
export interface LedgerPosition {
  time: number;
  leaf: number;
}

export interface LedgerFilter {
  type: SearchedType;
  pocket_id?: string | undefined;
  /** From this time on, and up to but without that one, in epoch milliseconds. */
  from?: number | undefined;
  to?: number | undefined;
  /** Only what comes after this position in the list. */
  after?: LedgerPosition | undefined;
}

/** Those that are not archived, newest first, by the time of sealing; a submission has no pocket, so that a pocket selects none. */
export async function searchEntries(
  store: Reader,
  { type, pocket_id, from, to, after }: LedgerFilter,
  limit: number,
): Promise<(LedgerEntry & { time: number })[]> {
  const { table, time, inPocket, ...source } = sources[type];
  const spans = pocket_id === undefined ? null : source.spans;
  if (pocket_id !== undefined && !inPocket) return [];
  const where: string[] = [];
  const params: Value[] = [];
  const narrow = (condition: string, ...values: Value[]) => {
    where.push(condition);
    params.push(...values);
  };
  if (pocket_id !== undefined && inPocket) narrow(inPocket, pocket_id);
  const narrowTime = (sign: '>=' | '<' | '<=', at: number) => {
    narrow(`t.${time} ${sign} ?`, at);
    if (spans)
      narrow(`${utcDay(`t.${time}`, spans)} ${sign === '>=' ? '>=' : '<='} ?`, Math.floor(at / spans.span));
  };
  if (from !== undefined) narrowTime('>=', from);
  if (to !== undefined) narrowTime('<', to);
  // The time alone too: an index serves it where the leaf is of another table.
  if (after) {
    narrowTime('<=', after.time);
    narrow(`(t.${time}, t.leaf) < (?, ?)`, after.time, after.leaf);
  }
  // With a sign, so that no engine reads the rows by their leaves and sorts all of them.
  narrow('+t.leaf >= ?', await firstKeptLeaf(store));
  const rows = await store.all<LedgerPosition>(
    `select t.leaf, t.${time} as time from ${table} t
     where ${where.join(' and ')} order by ${spans ? byDay('desc', 't.', spans) : `t.${time} desc`}, ${type === 'prediction' ? byForecastLeaf('t', 'desc') : 't.leaf desc'} limit ?`,
    ...params,
    limit,
  );
  const entryAt = await readEntries(
    store,
    rows.map(({ leaf }) => leaf),
  );
  return rows.map((row) => ({ ...entryAt(row.leaf), time: row.time }));
}
