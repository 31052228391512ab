import { OperatorError } from '../domain/text/operator-error.ts';

/** Every problem found, one a line: file, entry (counted from 1), field, and what it should be. */
export class RegistryError extends OperatorError {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    const shown = problems.map(printableText);
    super(shown.join('\n'));
    this.problems = shown;
  }
}

const MOST_PROBLEMS = 20;

/** Text of unknown origin, made safe to print in a terminal or a log. */
const printableText = (text: string): string =>
  text.slice(0, 300).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);

export function throwProblems(problems: readonly string[]): void {
  if (problems.length === 0) return;
  const rest = problems.length - MOST_PROBLEMS;
  throw new RegistryError([...problems.slice(0, MOST_PROBLEMS), ...(rest > 0 ? [`and ${rest} more`] : [])]);
}
