// Checks one bundle of 256 rows by itself: leaf hashes, canonical JSON, payload hashes, times. What needs other bundles
// is returned as notes.
import { type Entry, entryId, readEntry, splitEntries } from './entry.ts';
import { type FaultPlace, LedgerFault } from './fault.ts';
import { type Facts, FactsReader } from './figures/facts.ts';
import { type KnownGenerators, unknownGenerator } from './figures/generators.ts';
import { judgedReadings, verdictNumbers, wrongVerdict } from './figures/verdicts.ts';
import { idHash } from './ids.ts';
import { TILE_WIDTH } from './source.ts';
import { compareRows, type RowFault, type ServedRows } from './tables/compare.ts';
import type { Sealed } from './tables/expected.ts';
import {
  isSealedBeforeOutcome,
  notSealedInTime,
  notWrittenInTime,
  outcomeFrom,
  parseSeconds,
} from './times.ts';
import { digestAt, leafDigest } from './tree.ts';

/** A bundle as it was fetched, with the tile of its leaves. */
export interface Part {
  index: number;
  width: number;
  bundle: { bytes: Buffer; more: boolean };
  tile: Buffer;
  /** What the tables beside the log say of these rows, if that is compared. */
  tables?: ServedRows;
}

export interface RowNote {
  leaf: number;
  id: string;
  payload: Entry['payload'];
}

/** What the checks over the whole log need from a bundle. Flat arrays, since a log has millions of rows. */
export interface Notes {
  entries: Record<string, number>;
  sealed_before_outcome: number;
  written_afterwards: number;
  /** When each row was written, in seconds. */
  writtenAt: Float64Array;
  /** For each row, a hash of its id. */
  ids: Float64Array;
  /**
   * For each row, what its outcome names it by, and the time of that outcome (seconds), or 0: of a line or a silence the
   * hash of its id and its end, else the first bits of its payload hash and the time from which it may be revealed.
   */
  marks: Float64Array;
  revealAt: Float64Array;
  /** For each reveal, four numbers: its own leaf, the leaf it reveals, the mark it expects there, its time. */
  reveals: Float64Array;
  /** For each verdict, the numbers of `VERDICT`, and what it says was read: see `judgedReadings`. */
  verdicts: Float64Array;
  judged: Float64Array[];
  /** Rows with a part that is published apart. */
  detached: RowNote[];
  /** What the published figures are made from. */
  facts: Facts;
  /** The rows that change the key of the log, and the submissions. */
  keys: RowNote[];
  submissions: RowNote[];
  /** What is wrong with the tables beside the log, which matters once the log itself is right. */
  rowFault: RowFault | undefined;
  /** The slot from which on there must be snapshots, in epoch milliseconds; 0 if all are there. */
  signalsFrom: number;
}

/** Everything that can be checked of a bundle without the others. */
export function checkBundle(
  { index, width, bundle, tile, tables }: Part,
  generators: KnownGenerators,
): Notes {
  const first = index * TILE_WIDTH;
  const entries: Record<string, number> = {};
  const marks = new Float64Array(width);
  const revealAt = new Float64Array(width);
  const reveals: number[] = [];
  const verdicts: number[] = [];
  const judged: Float64Array[] = [];
  const detached: RowNote[] = [];
  const keys: RowNote[] = [];
  const sealed: Sealed[] = [];
  const submissions: RowNote[] = [];
  const writtenAt = new Float64Array(width);
  const ids = new Float64Array(width);
  const facts = new FactsReader(width, generators);
  const written = { sealed_before_outcome: 0, written_afterwards: 0 };
  let row = 0;
  for (const bytes of splitEntries(bundle, index, width)) {
    const leaf = first + row;
    if (leafDigest(bytes) !== digestAt(tile, row)) {
      throw new LedgerFault(
        'wrong_leaf',
        'the row does not hash to its leaf in the log',
        faultPlace(bytes, leaf),
      );
    }
    const { id, type, payload, payload_hash } = readEntry(bytes, leaf);
    const wrong = notSealedInTime(type, payload);
    if (wrong !== undefined) throw new LedgerFault('out_of_order', wrong, { leaf, id });
    writtenAt[row] = parseSeconds(payload.written_at);
    if (Number.isNaN(writtenAt[row]))
      throw new LedgerFault('bad_entry', 'written_at is not a time', { leaf, id });
    const apart = notWrittenInTime(type, payload);
    if (apart !== undefined) throw new LedgerFault('out_of_order', apart, { leaf, id });
    if ('id' in payload && payload.id !== id)
      throw new LedgerFault('bad_entry', 'the payload has another id than its row', { leaf, id });
    if ('backfilled' in payload && payload.backfilled !== true)
      throw new LedgerFault('bad_entry', 'backfilled is not true', { leaf, id });
    const unknown = type === 'prediction' ? unknownGenerator(generators, payload) : undefined;
    if (unknown !== undefined) throw new LedgerFault('unknown_generator', unknown, { leaf, id });
    const before = isSealedBeforeOutcome(type, payload);
    if (before !== undefined) written[before ? 'sealed_before_outcome' : 'written_afterwards']++;
    entries[type] = (entries[type] ?? 0) + 1;
    ids[row] = idHash(id);
    facts.add(row, type, payload);
    marks[row] = type === 'line' || type === 'silence' ? idHash(id) : hashMark(payload_hash);
    revealAt[row] = outcomeFrom(type, payload);
    if (type === 'reveal') {
      const { sealed_leaf, sealed_hash, revealed_at } = payload;
      const opened = typeof sealed_leaf === 'number' ? sealed_leaf : Number.NaN;
      reveals.push(leaf, opened, hashMark(sealed_hash), parseSeconds(revealed_at));
    }
    if (type === 'verdict') {
      const unfounded = wrongVerdict(payload);
      if (unfounded !== undefined) throw new LedgerFault('wrong_verdict', unfounded, { leaf, id });
      verdicts.push(...verdictNumbers(leaf, payload));
      judged.push(judgedReadings(payload));
    }
    if (type === 'key') keys.push({ leaf, id, payload });
    if (type === 'submission') submissions.push({ leaf, id, payload });
    if ('detached' in payload) detached.push({ leaf, id, payload });
    if (tables) sealed.push({ id, type, payload });
    row++;
  }
  const compared = tables && compareRows(tables, index, sealed);
  return {
    entries,
    ...written,
    writtenAt,
    ids,
    facts: facts.read(),
    marks,
    revealAt,
    reveals: Float64Array.from(reveals),
    verdicts: Float64Array.from(verdicts),
    judged,
    detached,
    keys,
    submissions,
    rowFault: compared?.fault,
    signalsFrom: compared?.signalsFrom ?? 0,
  };
}

/** The first 52 bits of a payload hash: enough to tell rows apart, and exactly representable as a number. */
function hashMark(hash: unknown): number {
  return typeof hash === 'string' && hash.startsWith('sha256:')
    ? Number.parseInt(hash.slice(7, 20), 16)
    : Number.NaN;
}

/** The bytes may differ from what was logged, but their id, if there is one, helps to find the row. */
export function faultPlace(bytes: Buffer, leaf: number): FaultPlace {
  const id = entryId(bytes);
  return id === undefined ? { leaf } : { leaf, id };
}
