// What an operation is: one question that the service answers, with its schemas, how it loads data and how it answers.
import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox';
import type { Registry } from '../../domain/city/city.ts';
import type { Lookup } from '../../domain/city/lookup.ts';
import type { MailStatus, ReplicaHealth } from '../../domain/report/heartbeat.ts';
import type { Substrate } from '../../domain/signals/signal.ts';
import type { Zone } from '../../domain/time/zone.ts';
import type { Reader } from '../../store/engine/store.ts';
import type { KeyedHash } from '../../store/prediction/submission-secret.ts';
import type { SubmissionWriter } from '../../store/prediction/submission-writer.ts';
import { withFieldDescriptions } from '../descriptions/describe-fields.ts';
import type { InputSchema } from './arguments.ts';
import { echoable } from './echoable.ts';
import { chosenFields, rowFields, withFields } from './list-fields.ts';
import { readCursor, writeCursor } from './list-options.ts';
import type { SeenRules } from './seen.ts';
import { type Table, withColumns, withConstant } from './table.ts';
import { restAddress } from './text-list.ts';
import type { Toolset } from './toolsets.ts';
import { type NotFoundRules, withUnknownFields } from './unknown-names.ts';

/** What an operation may read: its only access to the store, the clock and the registry. */
export interface OperationContext {
  registry: Registry;
  lookup: Lookup;
  store: Reader;
  /** Where the signals behind the stored rows came from. */
  substrate: Substrate;
  now: number;
  /** The city's time zone. */
  zone: Zone;
  /** The public address, without a slash at its end. */
  baseUrl: string;
  /** Given to an operation whose effect is to append, and to no other. */
  writer?: RequestWriter;
  /** Absent where no pipeline runs. */
  status?: StatusProvider;
  /** Called by an operation that answers although the store failed: that answer must not be cached. */
  onPartial?(): void;
}

/** The state of the service itself that is not in the store. */
export interface StatusProvider {
  /** For each job, the last slot for which it was due. */
  dueBy(now: number): { job: string; slot: number }[];
  mail(): Promise<MailStatus>;
  /** What is wrong with the file of the embedded store; undefined when nothing is known to be. */
  storeDamage(): string | undefined;
  /** Since when nothing is written because the disk of the store is full; undefined while it has room. */
  fullSince(): number | undefined;
  /** Whether the ledger has another key by now than this process, which then seals nothing. */
  isKeyChanged(): Promise<boolean>;
  /** Whether a newer version has upgraded the store since this process was started. */
  isUpgraded(): boolean;
  /** Of the replica that answers, if there is one. */
  replica?(): ReplicaHealth | undefined;
}

export interface Writer extends Pick<SubmissionWriter, 'accept' | 'seal'> {
  /** Cannot be guessed: it is the id or the nonce of a submission. */
  randomId(): string;
  /** A hash that only this service can compute, for what must be compared and not be known. */
  keyedHash: KeyedHash;
}

/** The sender of a write. */
export interface Sender {
  /** As limits count it: an IPv4 address or the /64 of an IPv6 one. It is never stored as it is. */
  address: string;
  /** Chosen by the client: a request that is sent again has the same one. */
  idempotencyKey?: string;
  /** Takes from the sender's quota of the day, and throws if too little is left. The result gives it back. */
  charge(amount: { rows: number; bytes: number }): () => void;
}

export interface RequestWriter extends Writer {
  sender: Sender;
}

/** Every argument with a default is present by the time `load` sees it. */
type Arguments<P extends TProperties> = Static<TObject<P>>;

interface Definition<P extends TProperties, A extends TSchema, C extends TProperties, Data>
  extends NotFoundRules<Arguments<P>, OperationContext>,
    SeenRules<Static<A>> {
  name: string;
  title: string;
  /** Says when to use the tool, when another, and what it returns; the models that choose a tool read it. */
  description: string;
  /** The sets of tools that it belongs to, one at least; absent from an operation that has a REST address only. */
  toolsets?: readonly Toolset[];
  /** The arguments; no others are accepted. */
  input: P;
  /** Schema of the structured half of the answer. It types what `shape` returns and what pages read. */
  output: A;
  /** Absent where the operation only reads. */
  effect?: 'append';
  /** False where the arguments may describe a person, or the answer may expire within the quarter hour: it is never cached. */
  cache?: false;
  /** True where the answer shows the log's size or its newest entries: every submission changes it. */
  readsLog?: true;
  /** About how many rows the answer is read from; by default its `limit` or its `hours`. Many rows make it heavy (src/http/heavy). */
  rows?(input: Arguments<P>, registry: Pick<Registry, 'pockets' | 'outlets'>): number;
  /** The field of the answer that is a list of rows. */
  list?: Extract<keyof Static<A>, string>;
  /** The fields of a position in that list, if REST can page through it (list-options.ts). Nothing in it is secret. */
  position?: C;
  /** `from`: the position of the last row of the page before. */
  load(input: Arguments<P>, context: OperationContext, from?: Static<TObject<C>>): Promise<Data> | Data;
  /** The position of the last row that was loaded; null if no other follows. */
  next?(data: Data, from?: Static<TObject<C>>): Static<TObject<C>> | null;
  /** Pure: the structured half of the answer. */
  shape(data: Data, input: Arguments<P>, zone: Zone): Static<A>;
  /** Pure: the text half, in the service's voice. */
  speak(answer: Static<A>, input: Arguments<P>, zone: Zone): string;
  /** Pure: the structured half as a tool gives it, where the whole one of REST and pages is too long for a model. */
  brief?(answer: Static<A>): Static<A>;
  /** All rows that the question selects, whatever its limit: what REST sends with `format=csv`, and a column `substrate`. */
  table?(input: Arguments<P>, context: OperationContext): Table;
  /** Of a tool 'on_request': it can be called like every other, and is listed only where one of its sets is chosen. */
  tool?: 'on_request';
  rest?: RestAddress;
}

interface RestAddress {
  /** A segment such as `:id` is the argument of that name. */
  path: string;
  /** A GET reads its query, a POST its JSON body. */
  method?: 'POST';
  /** The rate limit that its requests count towards. */
  limit?: 'mcp' | 'legitimacy' | 'submit';
  /** Names of query parameters, by argument, where they differ. */
  names?: Record<string, string>;
  /** The fields of its body, where it has fewer than the tool's answer. */
  fields?: readonly string[];
}

/** Both halves of an answer: data for programs, a text for people and models. */
export interface Answered<Answer> {
  structured: Answer;
  /** Composed when it is read: REST and pages send none. */
  readonly text: string;
  /** Of a list that REST can page through; null at its end. */
  next_cursor?: string | null;
}

export type { InputSchema, Table };

/** Anything that can be asked: an operation, or the operations behind one page (`composeOperations`). */
export interface Question<Input = Record<string, unknown>, Answer = unknown>
  extends NotFoundRules<Input, OperationContext>,
    SeenRules<Answer> {
  name: string;
  input: InputSchema;
  /** See `Definition`, for all four. */
  effect?: 'append';
  cache?: false;
  readsLog?: true;
  rows?(input: Input, registry: Pick<Registry, 'pockets' | 'outlets'>): number;
  answer(input: Input, context: OperationContext): Promise<Answered<Answer>>;
}

/** One question that the service answers, defined once: MCP, REST, OpenAPI, docs and tests are loops over these. */
export interface Operation<Input = Record<string, unknown>, Answer = unknown>
  extends Question<Input, Answer> {
  title: string;
  description: string;
  toolsets?: readonly Toolset[];
  /** The schema of the answer, every field described: made when it is asked for, since only documents and tests need it. */
  output(): TSchema;
  /** See `Definition`, for all of these. Its input may have a `cursor` and `fields` beside the arguments (rest-input.ts). */
  list?: string;
  position?: TProperties;
  brief?(answer: Answer): Answer;
  table?(input: Input, context: OperationContext): Table;
  tool?: 'on_request';
  rest?: RestAddress;
}

/** About how many rows a question reads: estimated from its arguments and the size of the city, before it is asked. */
export function estimateRows<Input extends object>(
  question: Question<Input>,
  input: Input,
  registry: Pick<Registry, 'pockets' | 'outlets'>,
): number {
  if (question.rows) return question.rows(input, registry);
  const { limit = 0, hours = 0 } = input as { limit?: number; hours?: number };
  return Math.max(limit, hours);
}

/** The type of a question's answer, for the page or test that uses it. */
export type AnswerOf<Q> = Q extends Question<never, infer Answer> ? Answer : never;

export function defineOperation<
  P extends TProperties,
  A extends TSchema,
  Data,
  C extends TProperties = TProperties,
>(definition: Definition<P, A, C, Data>): Operation<Arguments<P>, Static<A>> {
  const { load, next, shape, speak, input, output, table, ...published } = definition;
  const { name, position, list } = published;
  return {
    ...published,
    input: Type.Object(input, { additionalProperties: false }),
    output: () =>
      withFieldDescriptions(
        definition.name,
        withUnknownFields(output, input, definition.reportedPeriods !== undefined),
      ),
    ...(table && {
      table: ({ cursor, fields, ...given }: Arguments<P> & RestOptions, context) => {
        if (cursor !== undefined) throw new Refused('cursor is for json: a csv table has every row');
        const own = table(given as unknown as Arguments<P>, context);
        const all = withConstant(own, 'substrate', context.substrate);
        return fields === undefined ? all : withColumns(all, valid(chosenFields(fields, all.columns)));
      },
    }),
    answer: async ({ cursor, fields, ...given }: Arguments<P> & RestOptions, context) => {
      if (fields !== undefined && list === undefined)
        throw new Refused('fields is for csv here: add format=csv');
      const names =
        fields === undefined || list === undefined
          ? undefined
          : valid(chosenFields(fields, rowFields(output, list)));
      const own = given as unknown as Arguments<P>;
      const question = { name, input: given };
      const start =
        cursor === undefined || !position
          ? undefined
          : valid(readCursor({ ...question, position }, cursor, context.now));
      const now = start?.now ?? context.now;
      const data = await load(own, { ...context, now }, start?.position);
      const shown = echoable(own);
      const whole = shape(data, shown, context.zone);
      const last = next?.(data, start?.position);
      const next_cursor = last && writeCursor(question, { now, position: last });
      return {
        structured: names && list !== undefined ? withFields(whole, list, names) : whole,
        get text() {
          const text = speak(whole, shown, context.zone);
          return published.rest && next_cursor
            ? `${text}\n${nextPageText(context.baseUrl, published.rest, given, next_cursor)}`
            : text;
        },
        ...(next_cursor !== undefined && { next_cursor }),
      };
    },
  };
}

/** Where a text ends with a part of a list: the address of the next part, since tools have no cursor. */
const nextPageText = (baseUrl: string, { path, names }: RestAddress, given: object, cursor: string): string =>
  `the next page: ${baseUrl}${restAddress(path, {
    ...Object.fromEntries(Object.entries(given).map(([name, value]) => [names?.[name] ?? name, value])),
    cursor,
  })}`;

/** What REST adds to the arguments of a list. */
interface RestOptions {
  cursor?: string;
  fields?: string;
}

function valid<T extends object>(read: T | { fault: string }): T {
  if ('fault' in read) throw new Refused(read.fault);
  return read;
}

/** The id that was asked for does not exist. Over REST this is a 404, with `details` as further fields of its body. */
export class NotFound extends Error {
  override name = 'NotFound';
  readonly details: object;
  constructor(message: string, details: object = {}) {
    super(message);
    this.details = details;
  }
}

/** Arguments of the right types that still cannot be accepted. Over REST this is a 400. */
export class Refused extends Error {
  override name = 'Refused';
}

/** The tools that can be called; which of them are listed is in toolsets.ts. */
export const callableTools = (operations: readonly Operation[]): Operation[] => operations.filter(isTool);

export const isTool = ({ toolsets }: Pick<Operation, 'toolsets'>): boolean => toolsets !== undefined;

/** The tool's entry in the manifest and in `tools/list`. */
export function publishedTool({ name, title, description, input, effect }: Operation) {
  const reads = effect === undefined;
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

/** The published form of the input schema, in which arguments with a default are optional. */
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
