import { checkers } from './checkers.ts';
import { isSignedBy, type LogKey, readCheckpoint, readKey, type TreeHead } from './checkpoint.ts';
import { type FaultCode, type FaultPlace, LedgerFault } from './fault.ts';
import { isEndorsed } from './key-changes.ts';
import { type Count, type ReadRows, readRows } from './rows.ts';
import { fetchText } from './source.ts';

export interface VerifyOptions extends Omit<ReadRows, 'check'> {
  /** An earlier checkpoint. Without one, a log that was rewritten from the start and signed again is not detected. */
  since?: string;
  /** The log's key, now or once, if known from elsewhere; otherwise the log's own answer is used. */
  key?: string;
  /** How many worker threads check rows; with 0, this thread does. */
  threads?: number;
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
    } & Count)
  | { ok: false; code: FaultCode; message: string; place: FaultPlace };

/** Reads the whole log and trusts only what it computes from the rows. */
export async function verifyLedger(options: VerifyOptions): Promise<Verdict> {
  const { check, close } = checkers(options.threads ?? 0);
  try {
    return await verified({ ...options, check });
  } catch (fault) {
    if (!(fault instanceof LedgerFault)) throw fault;
    return { ok: false, code: fault.code, message: fault.message, place: fault.place };
  } finally {
    await close();
  }
}

async function verified(options: VerifyOptions & ReadRows): Promise<Verdict> {
  const { fetch, since } = options;
  const checkpoint = await fetchText(fetch, 'checkpoint');
  // The caller's key may be one that the log has replaced since: its changes of key, which are rows, then decide.
  const given = options.key === undefined ? undefined : readKey(options.key);
  const isReplaced = given !== undefined && !isSignedBy(checkpoint, given);
  const text = isReplaced || options.key === undefined ? await fetchText(fetch, 'key') : options.key;
  const keyText = text.trimEnd();
  const key = readKey(keyText);
  const head = readCheckpoint(checkpoint, key);
  const read = (earlier?: TreeHead) => readRows(options, key.name, head, earlier);

  const isRecent = since !== undefined && isSignedBy(since, key);
  const count = await read(isRecent ? earlierHead(since, key, head) : undefined);
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
    // Read a second time, since only now is it known which key may have signed.
    await read(earlierHead(since, signer ?? key, head));
  }
  return { ok: true, ...head, checkpoint, key: keyText, ...count };
}

function earlierHead(since: string, key: LogKey, head: TreeHead): TreeHead {
  const earlier = readCheckpoint(since, key);
  if (earlier.size > head.size) {
    throw new LedgerFault('shrunk', `the log had ${earlier.size} rows and now has ${head.size}`);
  }
  return earlier;
}
