import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox';
import type { Substrate } from '../../domain/atmosphere/signal.ts';
import type { Registry } from '../../domain/city/city.ts';
import type { Lookup } from '../../domain/city/lookup.ts';
import type { MailStatus } from '../../domain/report/heartbeat.ts';
import type { Cell } from '../../domain/text/csv.ts';
import type { Reader } from '../../store/engine/store.ts';
import type { AppendToLedger } from '../../store/ledger/append.ts';

/** What an operation may look at. */
export interface OperationContext {
  registry: Registry;
  lookup: Lookup;
  store: Reader;
  now: number;
  /** The public address, without a slash at its end. */
  baseUrl: string;
  /** Given to an operation whose effect is to append, and to no other. */
  writer?: Writer;
  /** Absent where nothing runs on the clock. */
  status?: StatusProvider;
}

/** What the service knows of its own running, beyond the store. */
export interface StatusProvider {
  substrate: Substrate;
  /** For each job, the last slot that it was to run for. */
  dueBy(now: number): { job: string; slot: number }[];
  mail(): Promise<MailStatus>;
}

export interface Writer {
  append: AppendToLedger;
  /** Nobody can guess it. */
  randomId(): string;
}

/** Every argument with a default is present by the time `load` sees it. */
type Arguments<P extends TProperties> = Static<TObject<P>>;

interface Definition<P extends TProperties, A extends TSchema, Data> {
  name: string;
  title: string;
  /** Tells an agent when to use the tool and what comes back. */
  description: string;
  /** The arguments; no others are accepted. */
  input: P;
  /** Schema of the structured half of the answer. What `shape` returns must fit it, so a page that shows a field does too. */
  output: A;
  effect: 'read' | 'append';
  /** False where the question may tell of a person, or the answer may end within the quarter hour: no cache holds it. */
  cache?: false;
  load(input: Arguments<P>, context: OperationContext): Promise<Data> | Data;
  /** Pure: the structured half of the answer. */
  shape(data: Data, input: Arguments<P>): Static<A>;
  /** Pure: the text half, in the service's voice. */
  speak(answer: Static<A>, input: Arguments<P>): string;
  /** The rows behind the answer, all that the question selects: what REST sends with `format=csv`. */
  table?(input: Arguments<P>, context: OperationContext): Table;
  /** False for an operation that is asked over REST alone. */
  tool?: false;
  rest?: RestAddress;
}

export interface RestAddress {
  /** A part such as `:id` is the argument of that name. */
  path: string;
  /** A GET reads its query, a POST its JSON body. */
  method?: 'POST';
  /** The bucket that its requests are counted in. */
  limit?: 'mcp' | 'legitimacy' | 'submit';
  /** The query's own name for an argument, where it differs. */
  names?: Record<string, string>;
  /** The fields of its body, where it has not all that the tool gives. */
  fields?: readonly string[];
}

/** Newest rows first, a few hundred at a time. */
export interface Table {
  /** Base name of the file that a browser saves. */
  name: string;
  columns: readonly string[];
  batches: AsyncIterable<readonly (readonly Cell[])[]>;
}

/** Both halves of an answer: data for programs, a text for people and models. */
export interface Answered<Answer> {
  structured: Answer;
  text: string;
}

export type InputSchema = TObject<TProperties>;

/** Anything that can be asked: an operation, or the operations behind one page (`composeOperations`). */
export interface Question<Input = Record<string, unknown>, Answer = unknown> {
  name: string;
  input: InputSchema;
  effect: 'read' | 'append';
  /** False: see `Definition`. */
  cache?: false;
  answer(input: Input, context: OperationContext): Promise<Answered<Answer>>;
}

/** One question that the service answers, defined once: MCP, REST, OpenAPI, docs and tests are loops over these. */
export interface Operation<Input = Record<string, unknown>, Answer = unknown>
  extends Question<Input, Answer> {
  title: string;
  description: string;
  output: TSchema;
  table?(input: Input, context: OperationContext): Table;
  tool?: false;
  rest?: RestAddress;
}

/** The type of a question's answer, for whoever shows it. */
export type AnswerOf<Q> = Q extends Question<never, infer Answer> ? Answer : never;

export function defineOperation<P extends TProperties, A extends TSchema, Data>(
  definition: Definition<P, A, Data>,
): Operation<Arguments<P>, Static<A>> {
  const { load, shape, speak, input, ...published } = definition;
  return {
    ...published,
    input: Type.Object(input, { additionalProperties: false }),
    answer: async (given, context) => {
      const structured = shape(await load(given, context), given);
      return { structured, text: speak(structured, given) };
    },
  };
}

/** What was asked for by its own name does not exist. Over REST this is a 404. */
export class NotFound extends Error {
  override name = 'NotFound';
}

/** Arguments of the right types that still cannot be accepted. Over REST this is a 400. */
export class Refused extends Error {
  override name = 'Refused';
}

export const toolsOf = (operations: readonly Operation[]): Operation[] =>
  operations.filter(({ tool }) => tool !== false);

/** The tool's entry in the manifest and in `tools/list`. */
export function publishedTool({ name, title, description, input, effect }: Operation) {
  const reads = effect === 'read';
  return {
    name,
    title,
    description,
    inputSchema: publishedSchema(input),
    annotations: {
      readOnlyHint: reads,
      destructiveHint: !reads,
      idempotentHint: reads,
      openWorldHint: false,
    },
  };
}

/** Arguments that have a default need not be given. */
export function publishedSchema(input: InputSchema) {
  const required = Object.entries(input.properties)
    .filter(([name, schema]) => input.required?.includes(name) && !('default' in schema))
    .map(([name]) => name);
  return {
    type: 'object',
    properties: input.properties,
    ...(required.length && { required }),
    additionalProperties: false,
  };
}
