import Type, { type Static, type TObject, type TProperties } from 'typebox';
import { checkArguments } from './arguments.ts';
import type { Answered, OperationContext, Question } from './define.ts';

/** A question with the arguments it is asked with. */
export interface BoundQuestion<Answer> {
  ask(context: OperationContext): Promise<Answered<Answer>>;
}

/** Arguments that have a default may be left out. */
export const bindArguments = <Input, Answer>(
  question: Question<Input, Answer>,
  given: Partial<Input> = {},
): BoundQuestion<Answer> => ({
  ask: (context) => question.answer(complete(question, given) as Input, context),
});

type AnswersOf<Parts extends Record<string, BoundQuestion<unknown>>> = {
  [Part in keyof Parts]: Parts[Part] extends BoundQuestion<infer Answer> ? Answer : never;
};

/**
 * Several questions asked at once, for a page that shows their answers side by side. The structured half has each
 * answer under its name, and under `asked` what the page itself was asked with.
 */
export function composeOperations<
  P extends TProperties,
  Parts extends Record<string, BoundQuestion<unknown>>,
>(
  name: string,
  input: P,
  partsOf: (given: Static<TObject<P>>) => Parts,
): Question<Static<TObject<P>>, AnswersOf<Parts> & { asked: Static<TObject<P>> }> {
  return {
    name,
    input: Type.Object(input, { additionalProperties: false }),
    effect: 'read',
    answer: async (given, context) => {
      const parts = Object.entries(partsOf(given));
      const answers = await Promise.all(parts.map(([, part]) => part.ask(context)));
      const structured = Object.fromEntries(parts.map(([part], at) => [part, answers[at]?.structured]));
      return {
        structured: { ...(structured as AnswersOf<Parts>), asked: given },
        text: answers.map(({ text }) => text).join('\n'),
      };
    },
  };
}

/** A page's own question: a fault in its arguments is a fault of the page. */
function complete({ name, input }: Pick<Question, 'name' | 'input'>, given: object): Record<string, unknown> {
  const read = checkArguments(input, given as Record<string, unknown>);
  if (!read.ok) throw new Error(`${name}: ${read.message}`);
  return read.input;
}
