import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { OperatorError } from '../../domain/text/operator-error.ts';

/** A command of `pocketwatch`. Throwing a UsageError ends it with status 2, any other error with 1. */
export interface Command {
  usage: string;
  run(args: string[]): Promise<void>;
}

export class UsageError extends OperatorError {}

export function readOptions<O extends ParseArgsOptionsConfig>(args: string[], options: O) {
  try {
    return parseArgs({ args, options, allowPositionals: false, strict: true }).values;
  } catch (error) {
    throw new UsageError((error as Error).message.split('. ')[0]);
  }
}

/** People read stderr; stdout is for what a program may want to read. */
export const say = (line: string): void => void process.stderr.write(`${line}\n`);
export const print = (line: string): void => void process.stdout.write(`${line}\n`);
