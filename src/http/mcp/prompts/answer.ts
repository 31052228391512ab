// The methods `prompts/list` and `prompts/get`.
import { printable } from '../../../domain/text/printable.ts';
import { isObject } from '../../../operations/core/arguments.ts';
import { toLatin1Body } from '../../cache/latin1-body.ts';
import { invalidParams, type Outcome } from '../methods.ts';
import { LIST_TTL_SECONDS } from '../versions.ts';
import { prompts } from './all.ts';
import { type PromptContext, promptMessage, readArguments } from './prompt.ts';

const listed = toLatin1Body(
  JSON.stringify({
    prompts: prompts.map(({ name, title, description, arguments: known }) => ({
      name,
      title,
      description,
      arguments: known.map(({ kind: _, ...argument }) => argument),
    })),
  }),
);

export const listPrompts = (): Outcome => ({
  result: listed,
  kept: { seconds: LIST_TTL_SECONDS, scope: 'public' },
});

export function getPrompt(
  context: PromptContext,
  { name, arguments: given = {} }: { name?: unknown; arguments?: unknown },
): Outcome {
  if (typeof name !== 'string') return invalidParams('name must be a string');
  const prompt = prompts.find((one) => one.name === name);
  if (!prompt)
    return invalidParams(
      `unknown prompt: ${printable(name)}; there are ${prompts.map((one) => one.name).join(', ')}`,
    );
  if (!isObject(given)) return invalidParams('arguments must be an object');
  const checked = readArguments(prompt, given);
  if ('fault' in checked) return invalidParams(checked.fault);
  const text = promptMessage(prompt.compose(checked.read, context));
  const messages = [{ role: 'user', content: { type: 'text', text } }];
  return { result: toLatin1Body(JSON.stringify({ description: prompt.description, messages })) };
}
