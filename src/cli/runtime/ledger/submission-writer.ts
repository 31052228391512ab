// What seals submissions while requests are served.
import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { slotStart } from '../../../domain/time/slot.ts';
import { HttpError } from '../../../http/core/errors.ts';
import type { Writer } from '../../../operations/core/define.ts';
import { ClockError, refuseWrongTime } from '../../../store/engine/clock.ts';
import { type Store, StoreError } from '../../../store/engine/store.ts';
import { type AppendToLedger, ledgerAppender } from '../../../store/ledger/append.ts';
import { keyedHash } from '../../../store/prediction/submission-secret.ts';
import { readHistory } from '../../../store/runtime/history.ts';
import type { Pipeline } from '../pipeline-factory.ts';
import { knownCheckpoint } from './known-checkpoint.ts';

/** After this time a client may try again what a wrong clock has refused. */
const WRONG_CLOCK_RETRY_SECONDS = 60;

type Log = Pick<FastifyBaseLogger, 'error'>;

/** Without a pipeline, in a process that only reads, it refuses what would be sealed. */
export async function submissionWriter(
  store: Store,
  pipeline: Pick<Pipeline, 'store' | 'signer'> | undefined,
  dataDir: string,
  log: Log,
): Promise<Writer> {
  if (!pipeline) return { append: refuse, randomId: randomUUID, keyedHash: () => '' };
  const { signer } = pipeline;
  return {
    append: submissionAppender(
      store,
      ledgerAppender(store, signer, undefined, () => knownCheckpoint(dataDir)),
      log,
    ),
    randomId: randomUUID,
    // A replica may not have the secret yet that another process has made.
    keyedHash: await keyedHash(pipeline.store, signer),
  };
}

const refuse = async () => {
  throw new StoreError('read_only');
};

/**
 * Refuses until the first history is complete: until then rows of the past are still being sealed. Refuses while this
 * machine's clock is wrong, and logs that once a slot: a slow one would let forecasts of the past in, and what a fast
 * one seals is of the future.
 */
function submissionAppender(store: Store, append: AppendToLedger, log: Log): AppendToLedger {
  let logged: number | undefined;
  return async (work) => {
    if (!(await readHistory(store)).finished) throw new StoreError('unavailable');
    try {
      await refuseWrongTime(store, Date.now());
      return await append(work);
    } catch (err) {
      if (!(err instanceof ClockError)) throw err;
      const slot = slotStart(Date.now());
      if (slot !== logged) log.error({ err }, 'submissions are refused');
      logged = slot;
      const { message } = new StoreError('unavailable');
      throw new HttpError(503, message, {}, WRONG_CLOCK_RETRY_SECONDS);
    }
  };
}
