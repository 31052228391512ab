import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { OperatorError } from '../../domain/text/operator-error.ts';
import { printable } from '../../domain/text/printable.ts';
import { CLEAR_LINE } from './terminal/clear-line.ts';

/** A command of `pocketwatch`. Throwing a UsageError ends it with status 2, any other error with 1. */
export interface Command {
  usage: string;
  run(args: string[]): Promise<void>;
}

export class UsageError extends OperatorError {}

/** Options that take a value, and those that do not. */
export const text = { type: 'string' } as const;
export const flag = { type: 'boolean' } as const;

export function parseOptions<O extends ParseArgsOptionsConfig>(
  args: string[],
  options: O,
  allowPositionals = true,
) {
  try {
    return parseArgs({ args, options, allowPositionals, strict: true });
  } catch (error) {
    throw new UsageError(printable((error as Error).message.split('. ')[0] ?? '', 200));
  }
}

export const readOptions = <O extends ParseArgsOptionsConfig>(args: string[], options: O) =>
  parseOptions(args, options, false).values;

/** People read stderr; stdout is for what a program may want to read. */
export const say = (line: string): void =>
  void process.stderr.write(`${process.stderr.isTTY ? CLEAR_LINE : ''}${line}\n`);
export const print = (line: string): void => void process.stdout.write(`${line}\n`);
