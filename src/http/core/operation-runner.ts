import { printable } from '../../domain/text/printable.ts';
import { faultsOf } from '../../domain/text/voice.ts';
import { fromQuery, type Read, readArguments } from '../../operations/core/arguments.ts';
import {
  type Answered,
  NotFound,
  type Operation,
  type Question,
  Refused,
  type Table,
  toolsOf,
} from '../../operations/core/define.ts';
import { StoreError } from '../../store/engine/store.ts';
import { createAnswerCache } from '../cache/answer-cache.ts';
import { type Latin1Body, toLatin1Body } from '../cache/latin1-body.ts';
import type { MaybePromise } from './maybe-promise.ts';
import { metaOf, type Service } from './service.ts';

export interface OperationRunner {
  /** A tool's result as JSON, failures included. */
  tool(name: string, given: Record<string, unknown>): MaybePromise<Latin1Body>;
  /** A REST body as JSON; a failure is thrown. Arguments have the address's own names. */
  rest(operation: Operation, given: Record<string, unknown>): MaybePromise<Latin1Body>;
  /** The answer as `render` makes it from its structured half; a failure is thrown. */
  page(
    question: Question,
    given: Record<string, unknown>,
    render: (structured: unknown) => string,
  ): MaybePromise<Latin1Body>;
  /** The rows behind a REST answer; a failure is thrown. */
  table(operation: Operation, given: Record<string, unknown>): Table | undefined;
}

type Input = Record<string, unknown>;

/** What appends is done each time; so is what may tell of a person. */
export const isCacheable = ({ effect, keep }: Question): boolean => effect !== 'append' && keep !== false;

/** What went wrong and may be said to the caller. */
const tellable = [StoreError, NotFound, Refused];
const WITHHELD = 'a line was withheld here: it broke the rules of the voice.';

/** Operations, answered and kept as bytes. Where a line breaks the voice, `onWithheld` hears of it and nobody else does. */
export function createOperationRunner(
  service: Service,
  onWithheld: (operation: string, faults: string[], line: string) => void,
): OperationRunner {
  const cache = createAnswerCache<Latin1Body>();
  const tools = new Map(toolsOf(service.operations).map((operation) => [operation.name, operation]));

  const version = () => service.dataVersion.version(service.now());

  /** Kept under the words in which it was asked, too: arguments are read only when they are new. */
  const asked = (kind: string, question: Question, given: object, read: () => Input, render: Render) => {
    const make = async () => kept(kind, question, read(), render);
    if (!isCacheable(question)) return make();
    return cache.get(version(), JSON.stringify(['asked', kind, question.name, given]), make);
  };

  const kept = (kind: string, question: Question, input: Input, render: Render) => {
    const make = async () => toLatin1Body(render(await answer(question, input)));
    if (question.effect === 'append') return make().finally(() => service.dataVersion.refresh());
    if (question.keep === false) return make();
    return cache.get(version(), JSON.stringify([kind, question.name, input]), make);
  };

  const world = () => {
    const { registry, lookup, store, now, baseUrl, status } = service;
    return { registry, lookup, store, now: now(), baseUrl, ...(status && { status }) };
  };

  const answer = async (question: Question, input: Input): Promise<Answered<unknown>> => {
    const { writer } = service;
    const appends = question.effect === 'append' && writer && { writer };
    const { structured, text } = await question.answer(input, { ...world(), ...appends });
    const own = withoutEchoes(text, input);
    const faults = faultsOf(own);
    // Where the question may tell of a person, so may the line.
    if (faults.length) onWithheld(question.name, faults, question.keep === false ? '' : own);
    return { structured, text: faults.length ? WITHHELD : text };
  };

  type Render = (answer: Answered<unknown>) => string;
  const toolResult =
    ({ name }: Operation): Render =>
    ({ structured, text }) =>
      JSON.stringify({
        content: [{ type: 'text', text }],
        structuredContent: structured,
        _meta: metaOf(service, name),
      });
  const restBody =
    ({ name, rest }: Operation): Render =>
    ({ structured }) => {
      const own = Object.entries(structured as object).filter(
        ([field]) => rest?.fields?.includes(field) ?? true,
      );
      return JSON.stringify({ ...Object.fromEntries(own), _meta: metaOf(service, name) });
    };

  const toolFailure = (name: string, message: string) => {
    const { source, tool, computed_at } = metaOf(service, printable(name));
    const content = [{ type: 'text', text: `error: ${message}` }];
    return toLatin1Body(JSON.stringify({ content, isError: true, _meta: { source, tool, computed_at } }));
  };

  return {
    tool: (name, given) => {
      const operation = tools.get(name);
      if (!operation) return toolFailure(name, `unknown tool: ${printable(name)}`);
      const read = () => valid(readArguments(operation.input, given));
      const result = asked('tool', operation, given, read, toolResult(operation));
      if (typeof result === 'string') return result;
      return result.catch((error) => {
        if (tellable.some((kind) => error instanceof kind)) return toolFailure(name, error.message);
        throw error;
      });
    },
    page: (question, given, render) => {
      const read = () => observed(service, valid(readArguments(question.input, given)));
      return asked('page', question, given, read, ({ structured }) => render(structured));
    },
    rest: (operation, given) => {
      const { words, read } = restInput(operation, given);
      return asked('rest', operation, words, () => observed(service, read()), restBody(operation));
    },
    table: (operation, given) =>
      operation.table?.(observed(service, restInput(operation, given).read()), world()),
  };
}

/** What was asked over REST: in its own words, and as arguments once they are read. */
function restInput(operation: Operation, given: Input): { words: Input; read: () => Input } {
  const { input, rest: { names = {}, method } = {} } = operation;
  if (method === 'POST') return { words: given, read: () => valid(readArguments(input, given)) };
  const naming = (name: string) => names[name] ?? name;
  const own = Object.keys(input.properties);
  const words = Object.fromEntries(own.map((name) => [name, given[naming(name)]]));
  return { words, read: () => valid(readArguments(input, fromQuery(input, words), naming)) };
}

/** What a caller sent and gets back is not our voice. */
const withoutEchoes = (text: string, input: Input): string =>
  Object.values(input).reduce<string>(
    (line, value) => (typeof value === 'string' ? line.replaceAll(printable(value), '') : line),
    text,
  );

function valid(read: Read): Input {
  if (!read.ok) throw new Refused(read.message);
  return read.input;
}

/** The input, where every pocket and outlet that it names is one of ours. */
function observed({ registry }: Service, input: Input): Input {
  for (const name of ['pocket_id', 'pocket_id_a', 'pocket_id_b']) {
    const id = input[name];
    if (id === undefined || registry.pockets.some((pocket) => pocket.id === id)) continue;
    throw new NotFound(`unknown pocket: ${printable(String(id))}`);
  }
  const outlet = input.outlet_id;
  if (outlet !== undefined && !registry.outlets.some(({ id, active }) => active && id === outlet))
    throw new NotFound(`unknown outlet: ${printable(String(outlet))}`);
  return input;
}
