// The arguments of an operation over REST: its own, and those that REST adds to a list. The schemas of tools are fixed by
// the interface, so tools have none of these.
import Type, { type TProperties } from 'typebox';
import type { InputSchema, Operation } from './define.ts';
import { columnsParameter, fieldsParameter } from './list-fields.ts';
import { cursorParameter } from './list-options.ts';

export function restInputSchema({ input, rest, list, position, table }: Operation<never>): InputSchema {
  const added: TProperties = {
    ...(position && { cursor: Type.Optional(cursorParameter) }),
    ...((list || table) && { fields: Type.Optional(list ? fieldsParameter : columnsParameter) }),
  };
  if (rest?.method === 'POST' || !Object.keys(added).length) return input;
  return Type.Object({ ...input.properties, ...added }, { additionalProperties: false });
}
