import { checkers } from './checkers.ts';
import { type LogKey, readCheckpoint, readKey, type TreeHead } from './checkpoint.ts';
import { type FaultCode, type FaultPlace, LedgerFault } from './fault.ts';
import { type Count, type ReadRows, readRows } from './rows.ts';
import { fetchText } from './source.ts';

export interface VerifyOptions extends Omit<ReadRows, 'check'> {
  /** A checkpoint kept from before. Without one, a log rewritten from the start and signed again cannot be told. */
  since?: string;
  /** The log's key if the reader has it from elsewhere; otherwise the log is asked. */
  key?: string;
  /** How many threads read rows beside this one; without any, this one does. */
  threads?: number;
}

export type Verdict =
  | ({
      ok: true;
      size: number;
      root: string;
      /** To be kept for the next time. */
      checkpoint: string;
      key: string;
    } & Count)
  | { ok: false; code: FaultCode; message: string; place: FaultPlace };

/** Reads the whole log and believes nothing in it but what follows from its rows. */
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
