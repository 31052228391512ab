// Combines operations into the question of a page that shows several answers. Such a question is no tool and has no
// REST address.
import Type, { type Static, type TObject, type TProperties } from 'typebox';
import type { Registry } from '../../domain/city/city.ts';
import { StoreError } from '../../store/engine/store.ts';
import { checkArguments } from './arguments.ts';
import { type Answered, estimateRows, type OperationContext, type Question } from './define.ts';
import { echoable } from './echoable.ts';

/** A question together with its arguments. */
interface BoundQuestion<Answer> extends Pick<Question, 'readsLog'> {
  rows(registry: Pick<Registry, 'pockets' | 'outlets'>): number;
  ask(context: OperationContext): Promise<Answered<Answer>>;
}

/** Arguments that have a default may be left out. */
export const bindArguments = <Input extends object, Answer>(
  question: Question<Input, Answer>,
  given: Partial<Input> = {},
): BoundQuestion<Answer> => ({
  ...(question.readsLog && { readsLog: true }),
  rows: (registry) => estimateRows(question, withDefaults(question, given) as Input, registry),
  ask: (context) => question.answer(withDefaults(question, given) as Input, context),
});

/** Null where the store cannot answer: for a page that is served without one, too. */
export const nullWithoutStore = <Answer>(part: BoundQuestion<Answer>): BoundQuestion<Answer | null> => ({
  ...part,
  ask: (context) =>
    part.ask(context).catch((error: unknown) => {
      if (error instanceof StoreError) return { structured: null, text: '' };
      throw error;
    }),
});

type AnswersOf<Parts extends Record<string, BoundQuestion<unknown>>> = {
  [Part in keyof Parts]: Parts[Part] extends BoundQuestion<infer Answer> ? Answer : never;
};

/**
 * Asks several questions at once. The structured half of the answer holds the answer of each part under the part's
 * name, and the arguments of the page itself under `asked`; a page has no text. Declares `readsLog` if a part does:
 * where an answer is cached must be known before its arguments are.
 */
export function composeOperations<
  P extends TProperties,
  Parts extends Record<string, BoundQuestion<unknown>>,
>(
  name: string,
  input: P,
  composeParts: (given: Static<TObject<P>>) => Parts,
  { readsLog, cache }: Pick<Question, 'readsLog' | 'cache'> = {},
): Question<Static<TObject<P>>, AnswersOf<Parts> & { asked: Static<TObject<P>> }> {
  return {
    name,
    input: Type.Object(input, { additionalProperties: false }),
    ...(readsLog && { readsLog }),
    ...(cache === false && { cache }),
    rows: (given, registry) =>
      Object.values(composeParts(given)).reduce((sum, part) => sum + part.rows(registry), 0),
    answer: async (given, context) => {
      const parts = Object.entries(composeParts(given));
      if (!readsLog && parts.some(([, part]) => part.readsLog))
        throw new Error(`${name} has a part that reads the log, so it must declare readsLog`);
      const answers = await Promise.all(parts.map(([, part]) => part.ask(context)));
      const structured = Object.fromEntries(parts.map(([part], at) => [part, answers[at]?.structured]));
      return { structured: { ...(structured as AnswersOf<Parts>), asked: echoable(given) }, text: '' };
    },
  };
}

/** Fills in defaults. Arguments that a page binds are not the visitor's: a fault in them is a bug, so it is a plain Error. */
function withDefaults(
  { name, input }: Pick<Question, 'name' | 'input'>,
  given: object,
): Record<string, unknown> {
  const read = checkArguments(input, given as Record<string, unknown>);
  if (!read.ok) throw new Error(`${name}: ${read.message}`);
  return read.input;
}
