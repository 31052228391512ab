// Runs operations for every interface: checks the arguments, lets the operation answer, applies the voice rules to its
// text, renders the answer for MCP, REST or a page, and caches the result as bytes for the current data version.
import { printable } from '../../domain/text/printable.ts';
import { faultsOf } from '../../domain/text/voice.ts';
import { type CheckedArguments, checkArguments, fromQuery } from '../../operations/core/arguments.ts';
import {
  type Answered,
  NotFound,
  type Operation,
  type Question,
  Refused,
  type Sender,
  type Table,
  toolsOf,
} from '../../operations/core/define.ts';
import { findUnknownName, withUnknownNames } from '../../operations/core/unknown-names.ts';
import { StoreError } from '../../store/engine/store.ts';
import { type Latin1Body, toLatin1Body } from '../cache/latin1-body.ts';
import { createVersionedCache } from '../cache/versioned-cache.ts';
import { type AppContext, metaOf } from './app-context.ts';
import { HttpError } from './errors.ts';
import type { MaybePromise } from './maybe-promise.ts';

export interface OperationRunner {
  /**
   * A tool's result as JSON; an error that the caller can correct is a result too. `admit` returns the sender of a
   * write, or throws if it may not write; reading tools do not call it.
   */
  tool(name: string, given: Record<string, unknown>, admit: () => Sender): MaybePromise<Latin1Body>;
  /** A REST body as JSON; errors are thrown. Arguments have the names of the query's parameters. */
  rest(operation: Operation, given: Record<string, unknown>, sender?: Sender): MaybePromise<Latin1Body>;
  /** The structured half of the answer, rendered by `render`; errors are thrown. */
  page(
    question: Question,
    given: Record<string, unknown>,
    render: (structured: unknown) => string,
  ): MaybePromise<Latin1Body>;
  /** The rows behind a REST answer; errors are thrown. */
  table(operation: Operation, given: Record<string, unknown>): Table | undefined;
}

type Input = Record<string, unknown>;

const MAX_CACHE_BYTES = 32 * 1024 * 1024;

/** Errors whose message is written for the caller. */
const publicErrors = [HttpError, StoreError, NotFound, Refused];
const WITHHELD = 'a line was withheld here: it broke the rules of the voice.';

/** A text that breaks the rules of the voice is not sent: it is passed to `onWithheld`, and a fixed line is sent instead. */
export function createOperationRunner(
  context: AppContext,
  onWithheld: (operation: string, faults: string[], line: string) => void,
): OperationRunner {
  const cache = createVersionedCache<Latin1Body>(
    context.dataVersion,
    context.now,
    ({ length }) => length,
    MAX_CACHE_BYTES,
  );
  const tools = new Map(toolsOf(context.operations).map((operation) => [operation.name, operation]));

  /** The cache key holds the checked input with its defaults, so equal questions share an entry however they were written. */
  const run = (
    kind: string,
    question: Question,
    input: Input,
    render: Render,
    sender?: Sender,
  ): MaybePromise<Latin1Body> => {
    const compute = async () => toLatin1Body(render(await answer(question, input, sender)));
    if (question.effect === 'append') return compute().finally(() => context.dataVersion.refresh());
    if (question.cache === false) return compute();
    return cache.getOrCompute(JSON.stringify([kind, question.name, input]), compute);
  };

  const operationContext = () => {
    const { registry, lookup, store, zone, now, baseUrl, status } = context;
    return { registry, lookup, store, zone, now: now(), baseUrl, ...(status && { status }) };
  };

  const answer = async (
    question: Question,
    input: Input,
    sender: Sender | undefined,
  ): Promise<Answered<unknown>> => {
    const { writer } = context;
    const appends = question.effect === 'append' && writer && sender && { writer: { ...writer, sender } };
    const reading = operationContext();
    let partial = false;
    const onPartial = () => {
      partial = true;
    };
    const answered = await question.answer(input, { ...reading, ...appends, onPartial });
    if (partial) await context.dataVersion.invalidate();
    const { structured, text } = await withUnknownNames(question, input, reading, answered);
    const own = withoutEchoes(text, input);
    const faults = faultsOf(own);
    // An input that may describe a person is not stored, nor a text that was made from it.
    if (faults.length) onWithheld(question.name, faults, question.cache === false ? '' : own);
    return { structured, text: faults.length ? WITHHELD : text };
  };

  type Render = (answer: Answered<unknown>) => string;
  const toolResult =
    ({ name }: Operation): Render =>
    ({ structured, text }) =>
      JSON.stringify({
        content: [{ type: 'text', text }],
        structuredContent: structured,
        _meta: metaOf(context, name),
      });
  const restBody =
    ({ name, rest }: Operation): Render =>
    ({ structured }) => {
      const own = Object.entries(structured as object).filter(
        ([field]) => rest?.fields?.includes(field) ?? true,
      );
      return JSON.stringify({ ...Object.fromEntries(own), _meta: metaOf(context, name) });
    };

  const toolFailure = (name: string, message: string) => {
    const { source, tool, computed_at } = metaOf(context, printable(name));
    const content = [{ type: 'text', text: `error: ${message}` }];
    return toLatin1Body(JSON.stringify({ content, isError: true, _meta: { source, tool, computed_at } }));
  };

  return {
    tool: (name, given, admit) => {
      const operation = tools.get(name);
      if (!operation) return toolFailure(name, `unknown tool: ${printable(name)}`);
      const read = checkArguments(operation.input, given);
      if (!read.ok) return toolFailure(name, read.message);
      const onError = (error: unknown) => {
        if (publicErrors.some((kind) => error instanceof kind))
          return toolFailure(name, (error as Error).message);
        throw error;
      };
      try {
        const sender = operation.effect === 'append' ? admit() : undefined;
        const result = run('tool', operation, read.input, toolResult(operation), sender);
        return typeof result === 'string' ? result : result.catch(onError);
      } catch (error) {
        return onError(error);
      }
    },
    page: (question, given, render) => {
      const input = withKnownIds(context, validInput(checkArguments(question.input, given)));
      return run('page', question, input, ({ structured }) => render(structured));
    },
    rest: (operation, given, sender) => {
      const input = withKnownIds(context, restInput(operation, given));
      return run('rest', operation, input, restBody(operation), sender);
    },
    table: (operation, given) =>
      operation.table?.(withKnownIds(context, restInput(operation, given)), operationContext()),
  };
}

/** The checked input of a REST request. Query parameters that the operation does not know are ignored. */
function restInput({ input, rest }: Operation, given: Input): Input {
  if (rest?.method === 'POST') return validInput(checkArguments(input, given));
  const parameterOf = (name: string) => rest?.names?.[name] ?? name;
  const query = Object.fromEntries(
    Object.keys(input.properties).map((name) => [name, given[parameterOf(name)]]),
  );
  return validInput(checkArguments(input, fromQuery(input, query), parameterOf));
}

/** The text without words of the caller that it repeats: the rules of the voice do not apply to those. */
const withoutEchoes = (text: string, input: Input): string =>
  Object.values(input).reduce<string>(
    (line, value) => (typeof value === 'string' ? line.replaceAll(printable(value), '') : line),
    text,
  );

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
    if (id === undefined || registry.pockets.some((pocket) => pocket.id === id)) continue;
    throw new NotFound(`unknown pocket: ${printable(String(id))}`, details());
  }
  const outlet = input.outlet_id;
  if (outlet !== undefined && !registry.outlets.some(({ id, active }) => active && id === outlet))
    throw new NotFound(`unknown outlet: ${printable(String(outlet))}`, details());
  return input;
}
