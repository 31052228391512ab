import Type, { type TProperties } from 'typebox';
import { readArguments } from './arguments.ts';
import type { Operation } from './define.ts';

/** An operation, and the arguments it is asked with. */
export type Question = readonly [operation: Operation, given?: Record<string, unknown>];

/**
 * Several questions asked at once, for a page that shows their answers side by side. The structured half has each
 * answer under its name, and under `asked` what the page itself was asked with.
 */
export function composeOperations(
  name: string,
  input: TProperties,
  questions: (given: Record<string, unknown>) => Record<string, Question>,
): Operation {
  return {
    name,
    title: name,
    description: name,
    input: Type.Object(input, { additionalProperties: false }),
    effect: 'read',
    tool: false,
    answer: async (given, world) => {
      const asked = Object.entries(questions(given));
      const answers = await Promise.all(
        asked.map(([, [operation, own = {}]]) => operation.answer(complete(operation, own), world)),
      );
      return {
        structured: {
          ...Object.fromEntries(asked.map(([part], at) => [part, answers[at]?.structured])),
          asked: given,
        },
        text: answers.map(({ text }) => text).join('\n'),
      };
    },
  };
}

/** Our own question: a fault in it is ours. */
function complete({ name, input }: Operation, given: Record<string, unknown>): Record<string, unknown> {
  const read = readArguments(input, given);
  if (!read.ok) throw new Error(`${name}: ${read.message}`);
  return read.input;
}
