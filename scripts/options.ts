// What the scripts read from their command lines.

/** A mistake in what was typed: its message is enough. */
export class UsageError extends Error {}

export function wholeNumber(name: string, given: string): number {
  if (!/^[1-9]\d{0,8}$/.test(given)) throw new UsageError(`--${name} is a whole number from 1`);
  return Number(given);
}
