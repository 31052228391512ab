// Reads and checks the files of a city. All problems are reported together, so that one run shows what to correct.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { pocketSignalKinds } from '../domain/atmosphere/signal.ts';
import type { Registry } from '../domain/city/city.ts';
import { normalise } from '../domain/city/lookup.ts';
import { check, deepFreeze } from './check.ts';
import { outletRules } from './outlets.ts';
import { citySchema, holidaySchema, intentSchema, outletSchema, pocketSchema } from './schema.ts';

export const singaporeDir = join(import.meta.dirname, 'singapore');

/** Every problem found, one a line: file, entry (counted from 1), field, and what it should be. */
export class RegistryError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'RegistryError';
    this.problems = problems;
  }
}

const MOST_PROBLEMS = 20;

/** Text of unknown origin, made safe to print in a terminal or a log. */
const shown = (text: string): string =>
  text.slice(0, 300).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);

const refuse = (problem: string): never => {
  throw new RegistryError([shown(problem)]);
};

function readJson(dir: string, file: string): unknown {
  let bytes: Buffer;
  try {
    bytes = readFileSync(join(dir, file));
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return refuse(
      missing ? `${file} is missing from ${dir}` : `${file} cannot be read: ${(error as Error).message}`,
    );
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    return refuse(`${file} is not JSON in UTF-8: ${(error as Error).message}`);
  }
}

/** "entry 3 (siglap)", or without the name where it cannot be trusted. */
function place(entry: unknown, at: number): string {
  const { id, slug, date } = (entry ?? {}) as Record<string, unknown>;
  const name = id ?? slug ?? date;
  return `entry ${at + 1}${typeof name === 'string' && /^[\w-]{1,64}$/.test(name) ? ` (${name})` : ''}`;
}

function readList<S extends TSchema>(dir: string, file: string, schema: S, problems: string[]): Static<S>[] {
  const entries = readJson(dir, file);
  if (!Array.isArray(entries)) return refuse(`${file} must be a list of entries`);
  const compiled = Compile(schema);
  for (const [at, entry] of entries.entries()) {
    problems.push(
      ...check(compiled, schema, entry).map((problem) => `${file}: ${place(entry, at)}: ${problem}`),
    );
  }
  return entries;
}

function readOne<S extends TSchema>(dir: string, file: string, schema: S, problems: string[]): Static<S> {
  const entry = readJson(dir, file);
  problems.push(...check(Compile(schema), schema, entry).map((problem) => `${file}: ${problem}`));
  return entry as Static<S>;
}

/** Entries whose key, as `keyOf` gives it, an earlier entry already has. */
function repeated<T>(file: string, field: string, entries: T[], keyOf: (entry: T) => string): string[] {
  const first = new Map<string, number>();
  return entries.flatMap((entry, at) => {
    const before = first.get(keyOf(entry));
    if (before === undefined) first.set(keyOf(entry), at);
    return before === undefined
      ? []
      : [`${file}: ${place(entry, at)}: ${field} must be unique, and entry ${before + 1} has it`];
  });
}

const isDay = (date: string): boolean => {
  const time = Date.parse(`${date}T00:00:00Z`);
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(date);
};

type Files = Omit<Registry, 'holidays'> & { holidays: Static<typeof holidaySchema>[] };

/** Rules across entries and files. */
function rules({ pockets, outlets, intents, holidays }: Files): string[] {
  const known = new Set(pockets.map(({ id }) => id));
  const each = <T>(file: string, entries: T[], problemOf: (entry: T) => string | false): string[] =>
    entries.flatMap((entry, at) => {
      const problem = problemOf(entry);
      return problem === false ? [] : [`${file}: ${place(entry, at)}: ${problem}`];
    });
  return [
    ...(pockets.length === 0 ? ['pockets.json must hold at least one pocket'] : []),
    ...repeated('pockets.json', 'id', pockets, ({ id }) => id),
    ...repeated('pockets.json', 'name', pockets, ({ name }) => normalise(name)),
    ...repeated('outlets.json', 'id', outlets, ({ id }) => id),
    ...outletRules(known).flatMap((rule) => each('outlets.json', outlets, rule)),
    ...repeated('intents.json', 'slug', intents, ({ slug }) => slug),
    ...each(
      'intents.json',
      intents,
      ({ hours }) => hours.some(([from, to]) => from >= to) && 'hours must each begin before they end',
    ),
    ...repeated('holidays.json', 'date', holidays, ({ date }) => date),
    ...each('holidays.json', holidays, ({ date }) => !isDay(date) && 'date must be a day of the calendar'),
  ];
}

function stopAt(problems: string[]): void {
  if (problems.length === 0) return;
  const rest = problems.length - MOST_PROBLEMS;
  throw new RegistryError(
    [...problems.slice(0, MOST_PROBLEMS), ...(rest > 0 ? [`and ${rest} more`] : [])].map(shown),
  );
}

/** The city described by the five JSON files of a folder, checked and frozen. */
export function loadRegistry(dir: string): Registry {
  const problems: string[] = [];
  const files: Files = {
    city: { ...readOne(dir, 'city.json', citySchema, problems), scales: 'fixed', priors: {} },
    pockets: readList(dir, 'pockets.json', pocketSchema, problems).map((pocket) => ({
      ...pocket,
      expects: [...pocketSignalKinds],
    })),
    outlets: readList(dir, 'outlets.json', outletSchema, problems),
    intents: readList(dir, 'intents.json', intentSchema, problems),
    holidays: readList(dir, 'holidays.json', holidaySchema, problems),
  };
  stopAt(problems);
  stopAt(rules(files));
  return deepFreeze({ ...files, holidays: files.holidays.map(({ date }) => date) });
}
