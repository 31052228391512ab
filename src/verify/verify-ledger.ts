import { checkers } from './checkers.ts';
import { type LogKey, readCheckpoint, readKey, type TreeHead } from './checkpoint.ts';
import { type FaultCode, type FaultPlace, LedgerFault } from './fault.ts';
import { type Count, type ReadRows, readRows } from './rows.ts';
import { fetchText } from './source.ts';

export interface VerifyOptions extends Omit<ReadRows, 'check'> {
  /** An earlier checkpoint. Without one, a log that was rewritten from the start and signed again is not detected. */
  since?: string;
  /** The log's key, if known from elsewhere; otherwise the log's own answer is used. */
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
  const keyText = options.key ?? (await fetchText(fetch, 'key'));
  const key = readKey(keyText);
  const checkpoint = await fetchText(fetch, 'checkpoint');
  const head = readCheckpoint(checkpoint, key);
  const earlier = since === undefined ? undefined : earlierHead(since, key, head);
  const count = await readRows(options, head, earlier);
  return { ok: true, ...head, checkpoint, key: keyText.trimEnd(), ...count };
}

function earlierHead(since: string, key: LogKey, head: TreeHead): TreeHead {
  const earlier = readCheckpoint(since, key);
  if (earlier.size > head.size) {
    throw new LedgerFault('shrunk', `the log had ${earlier.size} rows and now has ${head.size}`);
  }
  return earlier;
}
