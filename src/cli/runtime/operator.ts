// What the operators' commands share: context, actions, options, output.
import type { ParseArgsOptionsConfig } from 'node:util';
import { readConfig } from '../../config.ts';
import type { Registry } from '../../domain/city/city.ts';
import { printable } from '../../domain/text/printable.ts';
import { parseTime, timeFormats } from '../../domain/time/parse-time.ts';
import { cityZone, type Zone } from '../../domain/time/zone.ts';
import { applyOutletChanges } from '../../registry/outlets.ts';
import type { Engine, Reader } from '../../store/engine/store.ts';
import { outletChanges } from '../../store/merchant/outlet-changes.ts';
import { type Command, parseOptions, print, say, UsageError } from './command.ts';
import { loadConfiguredRegistry, openUpgradedStore } from './open.ts';

/** What an operator's command works with, whether the service is running or not. */
export interface OperatorContext {
  store: Engine;
  /** The registry's files, without operators' changes. */
  files: Registry;
  /** The city's time zone. */
  zone: Zone;
  now: number;
}

export async function withOperatorContext(work: (context: OperatorContext) => Promise<void>): Promise<void> {
  const config = readConfig(process.env);
  const files = loadConfiguredRegistry(config);
  const store = await openUpgradedStore(config);
  try {
    await work({ store, files, zone: cityZone(files.city), now: Date.now() });
  } finally {
    await store.close();
  }
}

/** The registry with the operators' changes applied. */
export const registryNow = async (store: Reader, files: Registry): Promise<Registry> =>
  applyOutletChanges(files, await outletChanges(store, 0)).registry;

/** A command with several actions, such as `pocketwatch outlet add`. */
export function commandWithActions(
  name: string,
  usage: string,
  actions: Record<string, (args: string[]) => Promise<void>>,
): Command {
  const known = Object.keys(actions).join(', ');
  return {
    usage,
    run: async ([action, ...args]) => {
      const run = action !== undefined && Object.hasOwn(actions, action) ? actions[action] : undefined;
      if (run) return run(args);
      const problem = action === undefined ? 'nothing to do' : `unknown action: ${printable(action)}`;
      throw new UsageError(`${problem}; pocketwatch ${name} does one of ${known}`);
    },
  };
}

/** Reads options, and exactly as many positional arguments as there are names. */
export function readAction<O extends ParseArgsOptionsConfig>(
  args: string[],
  options: O,
  positionalNames: readonly string[] = [],
) {
  const { values, positionals } = parseOptions(args, options);
  const missing = positionalNames[positionals.length];
  if (missing) throw new UsageError(`give ${missing}`);
  const extra = positionals[positionalNames.length];
  if (extra !== undefined) throw new UsageError(`unexpected argument: ${printable(extra)}`);
  return { values, given: positionals };
}

/** The time that an option gives; undefined where it is left out. */
export function readTimeOption(
  option: string,
  given: string | undefined,
  { files, zone, now }: OperatorContext,
): number | undefined {
  if (given === undefined) return undefined;
  const time = parseTime(given, now, zone);
  if (time === undefined) throw new UsageError(`${option} must be ${timeFormats(files.city.name)}`);
  return time;
}

/** Reports what was done: a sentence for people, with --json an object for programs. */
export const report = (json: boolean | undefined, done: object, sentence: string): void =>
  json ? print(JSON.stringify(done)) : say(sentence);

/** Times as people read them. */
export const dateAndClock = (time: number, zone: Zone): string =>
  `${zone.localDate(time)} ${zone.localClock(time)}`;

/** The same with the short name of the zone. */
export const dateAndZone = (time: number, zone: Zone): string =>
  `${zone.localDate(time)} ${zone.clockWithZone(time)}`;

/** A text table. Cells are made printable, so that none can break a line or hide text. */
export function textTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => printable(cell, LONGEST_CELL)));
  const widths = head.map((_, column) =>
    cells.reduce((widest, row) => Math.max(widest, characterCount(row[column] ?? '')), 0),
  );
  return cells
    .map((row) => row.map((cell, i) => cell + ' '.repeat((widths[i] ?? 0) - characterCount(cell))).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}

const LONGEST_CELL = 100;
const characterCount = (text: string): number => [...text].length;
