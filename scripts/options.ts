// What the scripts read from their command lines.
import { UsageError } from '../src/cli/runtime/command.ts';

export function wholeNumber(name: string, given: string): number {
  if (!/^[1-9]\d{0,8}$/.test(given)) throw new UsageError(`--${name} is a whole number from 1`);
  return Number(given);
}
