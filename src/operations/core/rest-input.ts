// The arguments of an operation over REST: its own, and those that REST adds to a list.
import Type from 'typebox';
import type { InputSchema, Operation } from './define.ts';
import { cursorParameter } from './list-options.ts';

export function restInputOf({ input, position }: Pick<Operation, 'input' | 'position'>): InputSchema {
  if (!position) return input;
  return Type.Object(
    { ...input.properties, cursor: Type.Optional(cursorParameter) },
    { additionalProperties: false },
  );
}
