// Runs operations for every interface: checks the arguments, counts the cost, has the answer rendered (render-answer.ts)
// on this thread or in the queue of heavy work, and caches it as bytes for the current data version.
import { findOutlet, findPocket } from '../../domain/city/lists/find-entries.ts';
import { printable } from '../../domain/text/printable.ts';
import {
  type CheckedArguments,
  checkArguments,
  fromQuery,
  futureFault,
} from '../../operations/core/arguments.ts';
import {
  callableTools,
  estimateRows,
  NotFound,
  type Operation,
  type Question,
  Refused,
  type Sender,
} from '../../operations/core/define.ts';
import { restInputSchema } from '../../operations/core/rest-input.ts';
import { findUnknownName } from '../../operations/core/unknown-names.ts';
import { StoreError } from '../../store/engine/store.ts';
import { ArchivedError } from '../../store/ledger/archived.ts';
import { asLatin1, type Body, type Latin1Body, toLatin1Body } from '../cache/latin1-body.ts';
import { type CacheCounts, createCachePair } from '../cache/versioned-cache.ts';
import { HttpError } from '../core/errors.ts';
import { type MaybePromise, mapMaybePromise } from '../core/maybe-promise.ts';
import { HEAVY_ROWS, hintFor, type ReadClient, unitsOfBytes, unitsOfRows } from '../heavy/cost.ts';
import type { HeavyAnswers, HeavyJob, OnWithheld, OpenTable } from '../heavy/jobs.ts';
import type { HeavyQueue } from '../heavy/queue.ts';
import { type AppContext, answerMeta, answerTimes } from './app-context.ts';
import { currentNotice } from './notice.ts';
import {
  type Content,
  type Input,
  type Render,
  renderAnswer,
  restBody,
  toolResult,
} from './render-answer.ts';
import { parameterNamer, parameterValue } from './rest-parameters.ts';

export interface OperationRunner {
  /**
   * A tool's result as JSON; an error that the caller can correct is a result too. `admit` returns the sender of a
   * write, or throws if it may not write; reading tools do not call it.
   */
  tool(name: string, given: Input, client: ReadClient, admit: () => Sender): MaybePromise<Latin1Body>;
  /** The same of an operation that reads, whether or not it is a tool: what MCP resources are made of. */
  report(operation: Operation, given: Input, client: ReadClient): MaybePromise<Latin1Body>;
  /** A REST body as JSON; errors are thrown. Arguments have the names of the query's parameters. */
  rest(operation: Operation, given: Input, client: ReadClient, sender?: Sender): MaybePromise<Body>;
  /** The structured half of the answer, rendered by `render`; errors are thrown. */
  page(
    question: Question,
    given: Input,
    client: ReadClient,
    render: (structured: unknown) => string,
  ): MaybePromise<Body>;
  /** The rows behind a REST answer of an operation that has a table; errors are thrown. */
  table(operation: Operation, given: Input, client: ReadClient): Promise<OpenTable>;
  /** Of its caches of answers. */
  cacheCounts(): CacheCounts;
}

/** Where heavy questions are computed, and the queue before it. */
export interface HeavyWork {
  queue: HeavyQueue;
  answers: HeavyAnswers;
}

interface Ask {
  kind: 'tool' | 'rest' | 'page';
  question: Question;
  input: Input;
  render: Render;
  client: ReadClient;
  sender?: Sender | undefined;
}

/** Apart, so that a few long answers do not evict all short ones. */
const MAX_CACHE_BYTES = { light: 24 * 1024 * 1024, heavy: 16 * 1024 * 1024 };

/** Errors whose message is written for the caller. */
const publicErrors = [HttpError, StoreError, NotFound, Refused, ArchivedError];

const contentText = (content: Content): string =>
  typeof content === 'string' ? content : JSON.stringify(content);

const bodyLength = (body: Body): number => (typeof body === 'string' ? body : body.bytes).length;

export function createOperationRunner(
  context: AppContext,
  { queue, answers: heavy }: HeavyWork,
  onWithheld: OnWithheld,
): OperationRunner {
  const { dataVersion } = context;
  const now = () => answerTimes(context).now;
  const lightCaches = createCachePair<Body>(dataVersion, now, bodyLength, MAX_CACHE_BYTES.light);
  const heavyCaches = createCachePair<Body>(dataVersion, now, bodyLength, MAX_CACHE_BYTES.heavy);
  const tools = new Map(callableTools(context.operations).map((operation) => [operation.name, operation]));

  const heavyJob = (kind: HeavyJob['kind'], { name }: Question, input: Input): HeavyJob => {
    const notice = kind === 'page' ? currentNotice(context) : null;
    const readAt = context.readAt?.();
    return { kind, name, input, now: context.now(), ...(readAt !== undefined && { readAt }), notice };
  };

  /** Computes the answer: on this thread, or in the queue of heavy work if it is read from many rows. */
  const compute = async (ask: Ask, rows: number): Promise<Body> => {
    const { kind, question, input, render, sender, client } = ask;
    client.take(unitsOfRows(rows));
    const isHeavy = question.effect !== 'append' && rows > HEAVY_ROWS;
    const answered = isHeavy
      ? await queue.run(client.key, kind === 'page' ? 'page' : 'data', hintFor(question.input), () =>
          heavy.answer(heavyJob(kind, question, input), context.registry),
        )
      : await renderAnswer(context, question, input, render, onWithheld, sender);
    if (answered.partial) await context.dataVersion.invalidate();
    const body = 'bytes' in answered ? answered : toLatin1Body(contentText(answered.content));
    client.charge(unitsOfBytes(bodyLength(body)));
    return body;
  };

  /** The cache key holds the checked input with its defaults, so equal questions share an entry however they were written. */
  const run = (ask: Ask): MaybePromise<Body> => {
    const { kind, question, input } = ask;
    const rows = estimateRows(question, input, context.registry);
    if (question.effect === 'append') return compute(ask, rows).finally(() => context.dataVersion.refresh());
    if (question.cache === false) return compute(ask, rows);
    const caches = rows > HEAVY_ROWS ? heavyCaches : lightCaches;
    const key = JSON.stringify([kind, question.name, input]);
    return caches.of(question).getOrCompute(key, () => compute(ask, rows));
  };

  const toolFailure = (name: string, message: string) => {
    const { source, tool, computed_at } = answerMeta(context, printable(name));
    const content = [{ type: 'text', text: `error: ${message}` }];
    return toLatin1Body(JSON.stringify({ content, isError: true, _meta: { source, tool, computed_at } }));
  };

  const runTool = (operation: Operation, given: Input, client: ReadClient, admit?: () => Sender) => {
    const { name, input, effect } = operation;
    const read = checkArguments(input, given);
    if (!read.ok) return toolFailure(name, read.message);
    const future = futureFault(input, read.input, presentTime(context));
    if (future) return toolFailure(name, future);
    const onError = (error: unknown) => {
      if (publicErrors.some((kind) => error instanceof kind))
        return toolFailure(name, (error as Error).message);
      throw error;
    };
    try {
      const sender = effect === 'append' ? admit?.() : undefined;
      const render = toolResult(context, operation);
      const ask: Ask = { kind: 'tool', question: operation, input: read.input, render, client, sender };
      const result = mapMaybePromise(run(ask), asLatin1);
      return result instanceof Promise ? result.catch(onError) : result;
    } catch (error) {
      return onError(error);
    }
  };

  return {
    tool: (name, given, client, admit) => {
      const operation = tools.get(name);
      return operation
        ? runTool(operation, given, client, admit)
        : toolFailure(name, `unknown tool: ${printable(name)}`);
    },
    report: (operation, given, client) => runTool(operation, given, client),
    page: (question, given, client, render) => {
      const input = withKnownIds(context, validInput(checkArguments(question.input, given)));
      const future = futureFault(question.input, input, presentTime(context));
      // An address that will exist one day does not exist yet.
      if (future) throw new NotFound(future);
      return run({ kind: 'page', question, input, client, render: ({ structured }) => render(structured) });
    },
    rest: (operation, given, client, sender) => {
      const input = knownInput(context, operation, given);
      const render = restBody(context, operation);
      return run({ kind: 'rest', question: operation, input, render, client, sender });
    },
    table: async (operation, given, client) => {
      const input = knownInput(context, operation, given);
      const table = await queue.run(client.key, 'data', hintFor(operation.input), () =>
        heavy.table(heavyJob('table', operation, input), context.registry),
      );
      return {
        ...table,
        // A table gives its place back between two batches, so a slow client holds up nobody.
        next: async () => {
          const batch = await queue.resume(client.key, table.next);
          if (batch) client.charge(unitsOfRows(batch.rows) + unitsOfBytes(batch.bytes.length));
          return batch;
        },
      };
    },
    cacheCounts: () => {
      const caches = [...lightCaches.both, ...heavyCaches.both];
      const sum = (of: keyof CacheCounts) => caches.reduce((total, { counts }) => total + counts[of], 0);
      return { hits: sum('hits'), misses: sum('misses') };
    },
  };
}

/** The checked input of a REST request, with ids that exist; otherwise a 400 or a 404. */
export const knownInput = (context: AppContext, operation: Operation, given: Input): Input =>
  withKnownIds(context, restInput(context, operation, given));

const presentTime = (context: AppContext) => ({ now: answerTimes(context).now, zone: context.zone });

/** The checked input of a REST request. Query parameters that the operation does not know are ignored. */
function restInput(context: AppContext, operation: Operation, given: Input): Input {
  const input = restInputSchema(operation);
  if (operation.rest?.method === 'POST') return validInput(checkArguments(input, given));
  const parameterName = parameterNamer(operation);
  const query = Object.fromEntries(
    Object.keys(input.properties).map((name) => [name, parameterValue(given, parameterName(name))]),
  );
  const read = validInput(checkArguments(input, fromQuery(input, query), parameterName));
  const future = futureFault(input, read, presentTime(context), parameterName);
  if (future) throw new Refused(future);
  return read;
}

function validInput(read: CheckedArguments): Input {
  if (!read.ok) throw new Refused(read.message);
  return read.input;
}

/** The input, if every pocket and active outlet that it names exists; otherwise a 404 with similar names. */
function withKnownIds(context: AppContext, input: Input): Input {
  const { registry } = context;
  const details = () => findUnknownName(input, context)?.fields;
  for (const name of ['pocket_id', 'pocket_id_a', 'pocket_id_b']) {
    const id = input[name];
    if (id === undefined || findPocket(registry, String(id))) continue;
    throw new NotFound(`unknown pocket: ${printable(String(id))}`, details());
  }
  const outlet = input.outlet_id;
  if (outlet !== undefined && !findOutlet(registry, String(outlet))?.active)
    throw new NotFound(`unknown outlet: ${printable(String(outlet))}`, details());
  return input;
}
