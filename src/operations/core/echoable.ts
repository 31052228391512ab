import { plainLine } from '../../domain/text/printable.ts';

/**
 * Arguments as an answer may repeat them: texts without control, bidirectional or invisible characters, which could make
 * the words around them read as something else. Objects are left as they are, since no answer repeats one.
 */
export const echoable = <Input extends object>(given: Input): Input =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(plain) : plain(value),
    ]),
  ) as Input;

const plain = (value: unknown): unknown => (typeof value === 'string' ? plainLine(value) : value);
