// Verifies a log from outside: its checkpoint and key, then every row, then the figures that are published from it.
import { setTimeout as delay } from 'node:timers/promises';
import { isSignedBy, type LogKey, readCheckpoint, readKey, type TreeHead } from './checkpoint.ts';
import { type FaultCode, type FaultPlace, LedgerFault } from './fault.ts';
import { type Computed, compareFigures } from './figures/compare.ts';
import { monthIn, readServed, type Served, silenceWindow, statedZone, wakingIn } from './figures/served.ts';
import { Tally } from './figures/tally.ts';
import { isEndorsed } from './key-changes.ts';
import { type Count, type ReadRows, readRows } from './rows.ts';
import { type FetchBytes, fetchText } from './source.ts';
import { beyondTheLog } from './tables/compare.ts';
import { rollupEnds, wrongTotals } from './tables/totals.ts';

export interface VerifyOptions extends ReadRows {
  /** An earlier checkpoint. Without one, a log that was rewritten from the start and signed again is not detected. */
  since?: string;
  /** The log's key, now or once, if known from elsewhere; otherwise the log's own answer is used. */
  key?: string;
  /** Reads an address of the service under /api; without it no figure is compared. */
  api?: FetchBytes;
  /** How long a figure that differs may take to follow the log, in milliseconds: services cache answers. */
  settle?: number;
}

export type Verdict =
  | ({
      ok: true;
      size: number;
      root: string;
      /** When the newest row was written, as the log signed it; null for an empty log. */
      written_at: string | null;
      /** To be passed as `since` the next time. */
      checkpoint: string;
      key: string;
      /** Whether the published figures follow from the rows; else why they were not compared. */
      figures: 'compared' | string;
      /** Whether the tables beside the log follow from the rows that are not archived, and the rollups from all; a mirror of the log has none. */
      tables: 'compared' | 'compared without rollups' | 'not served';
    } & Count)
  | { ok: false; code: FaultCode; message: string; place: FaultPlace };

/** Where a fault is, for the beginning of a sentence about it. */
export const placeText = ({ leaf, id }: FaultPlace): string => {
  const where = [leaf !== undefined && `leaf ${leaf}`, id].filter(Boolean).join(', ');
  return where && `${where}: `;
};

/** A service notices a write of another process within half a second. */
const SETTLE_MS = 2000;

/** Reads the whole log and trusts only what it computes from the rows. */
export async function verifyLedger(options: VerifyOptions): Promise<Verdict> {
  try {
    return await runVerification(options);
  } catch (fault) {
    if (!(fault instanceof LedgerFault)) throw fault;
    return { ok: false, code: fault.code, message: fault.message, place: fault.place };
  }
}

async function runVerification(options: VerifyOptions): Promise<Verdict> {
  const { since } = options;
  const { served, isReplaced, keyText, key } = await fetchSignedHead(options);
  const { checkpoint } = served;
  const head = readCheckpoint(checkpoint, key);
  const zone = statedZone(served.figures);
  const tally =
    zone === undefined
      ? new Tally(silenceWindow(served.figures))
      : new Tally(silenceWindow(served.figures), wakingIn(zone), monthIn(zone));
  const read = (earlier: TreeHead | undefined, into: Tally, tables?: { zone: string | undefined }) =>
    readRows(options, { origin: key.name, head, earlier, tables }, into);

  const isRecent = since !== undefined && isSignedBy(since, key);
  const tables = served.hasTables ? { zone } : undefined;
  const count = await read(isRecent ? earlierHead(since, key, head) : undefined, tally, tables);
  const beyond = served.ends && beyondTheLog(served.ends, head.size);
  if (beyond !== undefined) throw new LedgerFault('wrong_row', beyond);
  const rolledUp = served.ends && rollupEnds(served.ends);
  const isWhole = count.archived.rows === 0 || count.archived.read;
  const sum =
    isWhole && rolledUp && (await wrongTotals(options.fetch, rolledUp, tally.slots, zone !== undefined));
  if (sum) throw new LedgerFault('wrong_figure', sum);
  const changes = count.key_changes;
  const last = changes.at(-1);
  if (last && last.new_key !== keyText)
    throw new LedgerFault('bad_key', 'the key of the log is not the one that it last changed to', {
      leaf: last.leaf,
    });
  if (isReplaced && !isEndorsed(changes, (options.key ?? '').trimEnd()))
    throw new LedgerFault(
      'bad_signature',
      'the checkpoint is not signed by the given key or one that it names',
    );
  if (since !== undefined && !isRecent) {
    const signer = changes.map(({ old_key }) => readKey(old_key)).find((old) => isSignedBy(since, old));
    if (!signer)
      throw new LedgerFault(
        'bad_signature',
        'no key that this log has had signed the earlier checkpoint: it is of another log, or this one is older than the key',
      );
    // Read a second time, since only now is it known which key may have signed.
    await read(earlierHead(since, signer, head), new Tally());
  }
  const figures = isWhole ? await checkFigures(options, served, { head, count, tally }) : UNREAD;
  return {
    ok: true,
    ...head,
    checkpoint,
    key: keyText,
    figures,
    tables: served.hasTables ? (isWhole ? 'compared' : 'compared without rollups') : 'not served',
    ...count,
  };
}

/**
 * The newest checkpoint and the key that signs it. Both are asked for a second time if they do not fit: the key may have
 * been changed between the two, or a cache may have kept one of them.
 */
async function fetchSignedHead(options: VerifyOptions, attempts = 2) {
  const served = await fetchServedFigures(options);
  const { checkpoint } = served;
  // The caller's key may be one that the log has replaced since: its changes of key, which are rows, then decide.
  const isReplaced = options.key !== undefined && !isSignedBy(checkpoint, readKey(options.key));
  const text = isReplaced || options.key === undefined ? await fetchText(options.fetch, 'key') : options.key;
  const key = readKey(text.trimEnd());
  if (attempts === 1 || isSignedBy(checkpoint, key))
    return { served, isReplaced, keyText: text.trimEnd(), key };
  await delay(options.settle ?? SETTLE_MS);
  return fetchSignedHead(options, attempts - 1);
}

/** A checkpoint, and the figures that were served while it was the newest one; else why there are none. */
interface ServedFigures {
  checkpoint: string;
  figures: Served | undefined;
  reason: string;
  hasTables: boolean;
  /** The first and the last row of each table. */
  ends: Uint8Array | undefined;
}

const MAX_ENDS = 100_000;
const UNREAD = 'archived rows were not read';
const GROWING = 'the log grew while they were read';

/** Tried twice: a log grows every quarter hour, and constantly while its history is written. */
async function fetchServedFigures(options: VerifyOptions, attempts = 2): Promise<ServedFigures> {
  const { fetch, api } = options;
  const checkpoint = await fetchText(fetch, 'checkpoint');
  const ends = await fetch('rows', MAX_ENDS);
  const figures = api ? await readServed(api) : 'not asked for';
  const hasTables = ends !== undefined;
  const after = await fetchText(fetch, 'checkpoint');
  if (after !== checkpoint)
    return attempts > 1
      ? fetchServedFigures(options, attempts - 1)
      : { checkpoint: after, figures: undefined, reason: GROWING, hasTables, ends: undefined };
  return typeof figures === 'string'
    ? { checkpoint, figures: undefined, reason: figures, hasTables, ends }
    : { checkpoint, figures, reason: '', hasTables, ends };
}

/** A figure that differs is read once more, since the service may have answered with one cached before the last row. */
async function checkFigures(
  options: VerifyOptions,
  { checkpoint, figures, reason }: ServedFigures,
  read: Computed,
): Promise<string> {
  if (!figures) return reason;
  if ((await compareFigures(options.fetch, figures, read)) === undefined) return 'compared';
  await delay(options.settle ?? SETTLE_MS);
  const again = await fetchServedFigures(options);
  if (again.checkpoint !== checkpoint) return GROWING;
  if (!again.figures) return again.reason;
  if (silenceWindow(again.figures)?.to !== silenceWindow(figures)?.to) return GROWING;
  const wrong = await compareFigures(options.fetch, again.figures, read);
  if (wrong !== undefined) throw new LedgerFault('wrong_figure', wrong);
  return 'compared';
}

function earlierHead(since: string, key: LogKey, head: TreeHead): TreeHead {
  const earlier = readCheckpoint(since, key);
  if (earlier.size > head.size) {
    throw new LedgerFault('shrunk', `the log had ${earlier.size} rows and now has ${head.size}`);
  }
  return earlier;
}
