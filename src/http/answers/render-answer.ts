// Lets an operation answer, applies the voice rules to its text and renders the answer for MCP, REST or a page. It has
// no cache, so that it can run on any thread.
import { printable } from '../../domain/text/printable.ts';
import { voiceFaults } from '../../domain/text/voice.ts';
import type { Operation, OperationContext, Question, Sender } from '../../operations/core/define.ts';
import { withSeen } from '../../operations/core/seen.ts';
import { withUnknownNames } from '../../operations/core/unknown-names.ts';
import { type Body, bodyBytes, computeEtag, type Latin1Body, toLatin1Body } from '../cache/latin1-body.ts';
import { orFromPrimary } from '../core/from-primary.ts';
import type { OnWithheld } from '../heavy/jobs.ts';
import { type AppContext, answerMeta, answerTimes } from './app-context.ts';

export type Input = Record<string, unknown>;

/** An answer before it is rendered. */
interface Rendered {
  structured: unknown;
  /** Composed and checked only if it is asked for. */
  text(): Promise<string>;
  next_cursor?: string | null;
}
/** What is sent: a page, or what is written as JSON. */
export type Content = string | object;
export type Render = (answer: Rendered) => Content | Promise<Content>;

export type RenderContext = Pick<
  AppContext,
  'baseUrl' | 'registry' | 'lookup' | 'store' | 'zone' | 'substrate' | 'now' | 'readAt' | 'writer' | 'status'
>;

const WITHHELD = 'a line was withheld here: it broke the rules of the voice.';

export function operationContext(context: RenderContext): OperationContext {
  const { registry, lookup, store, substrate, zone, baseUrl, status } = context;
  const { now } = answerTimes(context);
  return { registry, lookup, store, substrate, zone, now, baseUrl, ...(status && { status }) };
}

/**
 * `partial` is set if the store failed for a part of the answer: it must not be cached. A text that breaks the rules of
 * the voice is not sent: it is passed to `onWithheld`, and a fixed line is sent instead.
 */
export async function renderAnswer(
  context: RenderContext,
  question: Question,
  input: Input,
  render: Render,
  onWithheld: OnWithheld,
  sender?: Sender,
): Promise<{ content: Content; partial: boolean }> {
  const { writer } = context;
  const reading = operationContext(context);
  // What is sealed is of now, however old what was read is.
  const own = question.effect === 'append' && { now: context.now() };
  const appends = own && writer && sender && { writer: { ...writer, sender } };
  let partial = false;
  const onPartial = () => {
    partial = true;
  };
  const answered = await orFromPrimary(reading.store, (store) =>
    question.answer(input, { ...reading, ...own, ...appends, store, onPartial }),
  );
  const known = await withUnknownNames(question, input, reading, answered);
  const { next_cursor } = answered;
  const content = await render({
    structured: known.structured,
    text: async () => {
      // An answer about a name that does not exist tells of no reading.
      const text = known === answered ? await withSeen(question, input, answered, reading) : known.text;
      const ownWords = withoutEchoes(text, input);
      const faults = voiceFaults(text).length ? voiceFaults(ownWords) : [];
      if (!faults.length) return withWholeAddresses(text, context.baseUrl);
      // An input that may describe a person is not stored, nor a text that was made from it.
      onWithheld(question.name, faults, question.cache === false ? '' : ownWords);
      return WITHHELD;
    },
    ...(next_cursor !== undefined && { next_cursor }),
  });
  return { content, partial };
}

export const toolResult =
  (context: RenderContext, { name, brief }: Operation): Render =>
  async ({ structured, text }) => ({
    content: [{ type: 'text', text: await text() }],
    structuredContent: brief ? brief(structured) : structured,
    _meta: answerMeta(context, name),
  });

export const restBody =
  (context: RenderContext, { name, rest }: Operation): Render =>
  ({ structured, next_cursor }) => {
    const own = Object.entries(structured as object).filter(
      ([field]) => rest?.fields?.includes(field) ?? true,
    );
    const page = next_cursor === undefined ? {} : { next_cursor };
    return { ...Object.fromEntries(own), ...page, _meta: answerMeta(context, name) };
  };

/** An address of the service's own in a text is whole, so that a model can follow it. */
const withWholeAddresses = (text: string, baseUrl: string): string =>
  text.replaceAll(/(?<=^|\s)\/(?=api\/)/g, `${baseUrl}/`);

/**
 * The REST body with `ignored` in its `_meta`, which `restBody` writes last. It is added to the finished bytes: a query
 * with a name that nobody reads then still shares the cached answer of the one without it.
 */
export function withIgnored(body: Body, ignored: readonly string[]): Body {
  if (!ignored.length) return body;
  const end = toLatin1Body(`,"ignored":${JSON.stringify(ignored)}}}`);
  if (typeof body === 'string') return `${body.slice(0, -2)}${end}` as Latin1Body;
  const bytes = Buffer.concat([body.bytes.subarray(0, -2), bodyBytes(end)]);
  return { bytes, etag: computeEtag(bytes) };
}

/** The text without words of the caller that it repeats: the rules of the voice do not apply to those. */
const withoutEchoes = (text: string, input: Input): string =>
  Object.values(input).reduce<string>(
    (line, value) => (typeof value === 'string' ? line.replaceAll(printable(value), '') : line),
    text,
  );
