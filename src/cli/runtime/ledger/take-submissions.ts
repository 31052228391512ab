// What takes submissions while requests are served.
import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { slotStart } from '../../../domain/time/slot.ts';
import { HttpError } from '../../../http/core/errors.ts';
import type { Writer } from '../../../operations/core/define.ts';
import { ClockError, refuseWrongTime } from '../../../store/engine/clock.ts';
import { type Store, StoreError } from '../../../store/engine/store.ts';
import { keyedHash } from '../../../store/prediction/submission-secret.ts';
import { submissionWriter } from '../../../store/prediction/submission-writer.ts';
import { readHistory } from '../../../store/runtime/history.ts';
import { unlessFull } from '../full-disk.ts';
import type { Pipeline } from '../pipeline-factory.ts';
import { knownCheckpoint } from './known-checkpoint.ts';

/** After this time a client may try again what a wrong clock has refused. */
const WRONG_CLOCK_RETRY_SECONDS = 60;
/** How often what was accepted and not appended yet is looked for: a process may have been killed in between. */
const LOOK_MS = 5_000;

type Log = Pick<FastifyBaseLogger, 'error'>;

export interface Submissions {
  writer: Writer;
  stop(): void;
}

/** Without a pipeline, in a process that only reads, it refuses what would be sealed. */
export async function takeSubmissions(
  store: Store,
  pipeline: Pick<Pipeline, 'store' | 'signer'> | undefined,
  dataDir: string,
  log: Log,
): Promise<Submissions> {
  if (!pipeline)
    return {
      writer: { accept: refuse, seal: refuse, randomId: randomUUID, keyedHash: () => '' },
      stop: () => {},
    };
  const { signer } = pipeline;
  const logOnce = oncePerSlot(log);
  const onFailure = unlessFull((error) => logOnce(error, 'submissions were accepted and are not sealed yet'));
  const { accept, seal, appendAll } = submissionWriter(store, signer, {
    known: () => knownCheckpoint(dataDir),
    onFailure,
  });
  const timer = setInterval(() => appendAll().catch(onFailure), LOOK_MS).unref();
  return {
    writer: {
      accept: (work) => refusing(store, logOnce, () => accept(work)),
      seal,
      randomId: randomUUID,
      // A replica may not have the secret yet that another process has made.
      keyedHash: await keyedHash(pipeline.store, signer),
    },
    stop: () => clearInterval(timer),
  };
}

const refuse = async () => {
  throw new StoreError('read_only');
};

type LogOnce = (err: unknown, message: string) => void;

function oncePerSlot(log: Log): LogOnce {
  const logged = new Map<string, number>();
  return (err, message) => {
    const slot = slotStart(Date.now());
    if (logged.get(message) !== slot) log.error({ err }, message);
    logged.set(message, slot);
  };
}

/**
 * Refuses until the first history is complete: until then rows of the past are still being sealed. Refuses while this
 * machine's clock is wrong, and logs that once a slot: by it windows are open that have closed, or the other way round.
 */
async function refusing<T>(store: Store, logOnce: LogOnce, accept: () => Promise<T>): Promise<T> {
  if (!(await readHistory(store)).finished) throw new StoreError('unavailable');
  try {
    await refuseWrongTime(store, Date.now());
    return await accept();
  } catch (err) {
    if (!(err instanceof ClockError)) throw err;
    logOnce(err, 'submissions are refused');
    throw new HttpError(503, new StoreError('unavailable').message, {}, WRONG_CLOCK_RETRY_SECONDS);
  }
}
