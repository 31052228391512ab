import Type, { type Static, type TObject, type TProperties } from 'typebox';
import type { Substrate } from '../../domain/atmosphere/signal.ts';
import type { Registry } from '../../domain/city/city.ts';
import type { Lookup } from '../../domain/city/lookup.ts';
import type { Mail } from '../../domain/report/heartbeat.ts';
import type { Cell } from '../../domain/text/csv.ts';
import type { Reader } from '../../store/engine/store.ts';
import type { Append } from '../../store/ledger/append.ts';

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
  mail(): Promise<Mail>;
}

export interface Writer {
  append: Append;
  /** Nobody can guess it. */
  randomId(): string;
}

/** Every argument with a default is present by the time `load` sees it. */
type Arguments<P extends TProperties> = Static<TObject<P>>;

interface Definition<P extends TProperties, Data, Shape extends object> {
  name: string;
  title: string;
  /** Tells an agent when to use the tool and what comes back. */
  description: string;
  /** The arguments; no others are accepted. */
  input: P;
  effect: 'read' | 'append';
  /** False where the question may tell of a person, or the answer may end within the quarter hour: nothing is kept. */
  keep?: false;
  load(input: Arguments<P>, world: OperationContext): Promise<Data> | Data;
  /** Pure: the structured half of the answer. */
  shape(data: Data, input: Arguments<P>): Shape;
  /** Pure: the text half, in the service's voice. */
  speak(shape: Shape, input: Arguments<P>): string;
  /** The rows behind the answer, all that the question selects: what REST sends with `format=csv`. */
  table?(input: Arguments<P>, world: OperationContext): Table;
  /** False for a question that is asked over REST alone. */
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
  /** Of the file that it is kept in. */
  name: string;
  columns: readonly string[];
  batches: AsyncIterable<readonly (readonly Cell[])[]>;
}

export interface Answer {
  structured: object;
  text: string;
}

export type Input = TObject<TProperties>;

/** One question that the service answers, defined once: MCP, REST, OpenAPI, docs and tests are loops over these. */
export interface Operation
  extends Omit<Definition<TProperties, unknown, object>, 'load' | 'shape' | 'speak' | 'input' | 'table'> {
  input: Input;
  answer(input: Record<string, unknown>, world: OperationContext): Promise<Answer>;
  table?(input: Record<string, unknown>, world: OperationContext): Table;
}

export function defineOperation<P extends TProperties, Data, Shape extends object>(
  definition: Definition<P, Data, Shape>,
): Operation {
  const { load, shape, speak, table, input: properties, ...published } = definition;
  return {
    ...published,
    ...(table && { table: (raw, world) => table(raw as Arguments<P>, world) }),
    input: Type.Object(properties, { additionalProperties: false }),
    answer: async (raw, world) => {
      const input = raw as Arguments<P>;
      const structured = shape(await load(input, world), input);
      return { structured, text: speak(structured, input) };
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
export function publishedSchema(input: Input) {
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
