// Both ends of the channel to the worker thread that computes heavy answers. The request thread has `remoteAnswers`;
// the worker (cli/runtime/heavy-worker.ts) calls `serveJobs`. Bodies are transferred, not copied.
import type { MessagePort, Worker } from 'node:worker_threads';
import type { Registry } from '../../domain/city/city.ts';
import { fromShared, type SharedRegistry, shareRegistry } from '../../domain/city/lists/share-registry.ts';
import { NotFound, Refused } from '../../operations/core/define.ts';
import { StoreError } from '../../store/engine/store.ts';
import { ArchivedError } from '../../store/ledger/archived.ts';
import type { HeavyAnswers, HeavyJob, HeavyReply, OnWithheld, OpenTable, TableBatch } from './jobs.ts';

interface Call {
  id: number;
  /** Sent when it has changed: an operator may change an outlet. */
  registry?: SharedRegistry;
  /** `next` and `close` are of the table that the call with the id `table` has opened. */
  ask: { job: HeavyJob } | { next: number } | { close: number };
}

type Message =
  | { id: number; value: unknown }
  | { id: number; error: SentError }
  | { withheld: Parameters<OnWithheld> };

/** An error as it crosses threads, where its class is lost. */
interface SentError {
  name: string;
  message: string;
  stack?: string | undefined;
  code?: StoreError['code'];
  details?: object;
}

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** Starts the worker with the first call, and again with the first one after it died. */
export function remoteAnswers(
  start: () => Worker,
  onWithheld: OnWithheld,
  onDeath: (error: Error) => void,
): HeavyAnswers {
  let running: { worker: Worker; pending: Map<number, Pending>; registry?: Registry } | undefined;
  let lastId = 0;
  let stopping = false;

  const begin = () => {
    const worker = start();
    const pending = new Map<number, Pending>();
    let cause = new Error('the worker ended');
    worker.on('message', (message: Message) => {
      if ('withheld' in message) return onWithheld(...message.withheld);
      const call = pending.get(message.id);
      pending.delete(message.id);
      if ('error' in message) call?.reject(restoreError(message.error));
      else call?.resolve(message.value);
    });
    worker.on('error', (error) => {
      cause = error as Error;
    });
    worker.on('exit', (code) => {
      if (running?.worker === worker) running = undefined;
      for (const { reject } of pending.values()) reject(new StoreError('unavailable', { cause }));
      if (code !== 0 && !stopping) onDeath(cause);
    });
    // An idle worker does not keep the process alive.
    worker.unref();
    return { worker, pending };
  };
  const call = <T>(ask: Call['ask'], registry?: Registry): Promise<T> => {
    running ??= begin();
    const { worker, pending } = running;
    const isNew = registry !== undefined && running.registry !== registry;
    if (isNew) running.registry = registry;
    const id = ++lastId;
    return new Promise<T>((resolve, reject) => {
      pending.set(id, { resolve: resolve as Pending['resolve'], reject });
      worker.postMessage({ id, ask, ...(isNew && { registry: shareRegistry(registry) }) } satisfies Call);
    });
  };
  return {
    answer: async (job, registry) => {
      const { bytes, ...reply } = await call<HeavyReply>({ job }, registry);
      return { ...reply, bytes: asBuffer(bytes) };
    },
    table: async (job, registry) => {
      const { table, name, header } = await call<OpenedTable>({ job }, registry);
      const { worker } = running ?? {};
      return {
        name,
        header,
        next: async () => {
          // The tables of a worker end with it.
          if (running?.worker !== worker) throw new StoreError('unavailable');
          const batch = await call<TableBatch | undefined>({ next: table });
          return batch && { ...batch, bytes: asBuffer(batch.bytes) };
        },
        close: () => {
          if (running?.worker === worker) void call({ close: table }).catch(() => undefined);
        },
      };
    },
    stop: async () => {
      stopping = true;
      await running?.worker.terminate();
    },
  };
}

interface OpenedTable extends Pick<OpenTable, 'name' | 'header'> {
  table: number;
}

/** Answers the calls that arrive at `port`. */
export function serveJobs(port: MessagePort, createAnswers: (onWithheld: OnWithheld) => HeavyAnswers): void {
  const answers = createAnswers((...withheld) => port.postMessage({ withheld } satisfies Message));
  const tables = new Map<number, OpenTable>();
  let registry: Registry | undefined;

  const respond = async ({ id, ask }: Call): Promise<unknown> => {
    if ('next' in ask) return tables.get(ask.next)?.next();
    if ('close' in ask) {
      tables.get(ask.close)?.close();
      return void tables.delete(ask.close);
    }
    if (!registry) throw new Error('no registry was sent');
    if (ask.job.kind !== 'table') return answers.answer(ask.job, registry);
    const table = await answers.table(ask.job, registry);
    tables.set(id, table);
    return { table: id, name: table.name, header: table.header } satisfies OpenedTable;
  };
  port.on('message', async (call: Call) => {
    if (call.registry) registry = fromShared(call.registry);
    try {
      const value = await respond(call);
      port.postMessage({ id: call.id, value } satisfies Message, transferable(value));
    } catch (error) {
      port.postMessage({ id: call.id, error: toSentError(error) } satisfies Message);
    }
  });
}

/** The memory of the body, if it has memory of its own: small buffers share a pool. */
function transferable(value: unknown): ArrayBuffer[] {
  const { bytes } = (value ?? {}) as { bytes?: Buffer };
  return bytes && bytes.byteLength === bytes.buffer.byteLength ? [bytes.buffer as ArrayBuffer] : [];
}

const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

function toSentError(error: unknown): SentError {
  const { name, message, stack, code, details } = error as StoreError & NotFound;
  return { name, message, stack, code, details };
}

function restoreError({ name, message, stack, code, details }: SentError): Error {
  if (name === 'StoreError' && code) return new StoreError(code);
  if (name === 'NotFound') return new NotFound(message, details);
  if (name === 'Refused') return new Refused(message);
  if (name === 'ArchivedError') return new ArchivedError(message, details as ArchivedError['details']);
  const error = new Error(message);
  error.stack = stack ?? message;
  return error;
}
