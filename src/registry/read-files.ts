// Reads the JSON files of a city's folder and checks each entry against its schema.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { check } from './check.ts';
import { cutList, parsePiece } from './json-pieces.ts';
import { RegistryError } from './registry-error.ts';

const refuse = (problem: string): never => {
  throw new RegistryError([problem]);
};

const MB = 1024 * 1024;
/** Of one file. A city of ten thousand pockets has 10 MB of them; an outline is drawn for every visitor. */
const MOST_BYTES = 64 * MB;
const MOST_OUTLINE_BYTES = MB;

function readBytes(dir: string, file: string): Buffer {
  try {
    // A pipe or a device would be read without end.
    const found = statSync(join(dir, file));
    if (!found.isFile()) refuse(`${file} is not a file`);
    const most = file === 'outline.json' ? MOST_OUTLINE_BYTES : MOST_BYTES;
    if (found.size > most)
      refuse(`${file} must have at most ${most / MB} MB, but has ${Math.ceil(found.size / MB)}`);
    return readFileSync(join(dir, file));
  } catch (error) {
    if (error instanceof RegistryError) throw error;
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return refuse(
      missing ? `${file} is missing from ${dir}` : `${file} cannot be read: ${(error as Error).message}`,
    );
  }
}

function parseJson(bytes: Buffer, file: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    return refuse(`${file} is not JSON in UTF-8: ${(error as Error).message}`);
  }
}

const readJson = (dir: string, file: string): unknown => parseJson(readBytes(dir, file), file);

/** "entry 3 (siglap)", or without the name where it cannot be trusted. */
export function entryName(entry: unknown, at: number): string {
  const { id, slug, date } = (entry ?? {}) as Record<string, unknown>;
  const name = id ?? slug ?? date;
  return `entry ${at + 1}${typeof name === 'string' && /^[\w-]{1,64}$/.test(name) ? ` (${name})` : ''}`;
}

/** The list of a file `{ "$schema": …, "NAME": [ … ] }`, where NAME is also that of the file. */
function fileEntries(content: unknown, name: string): unknown[] {
  const file = `${name}.json`;
  const { $schema, [name]: entries, ...others } = (content ?? {}) as Record<string, unknown>;
  if (Array.isArray(content) || !Array.isArray(entries))
    return refuse(`${file} must be an object with the list "${name}"`);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return refuse(`${file}: ${unknown} is not a known field`);
  if ($schema !== undefined && typeof $schema !== 'string') return refuse(`${file}: $schema must be text`);
  return entries;
}

/**
 * The entries of a list, from the first folder that has the file. Problems are added to `problems`, so that one run
 * shows all of them.
 */
export function readList<S extends TSchema>(
  dirs: readonly string[],
  name: string,
  schema: S,
  problems: string[],
  optional = false,
): Static<S>[] {
  const file = `${name}.json`;
  const dir = folderWith(dirs, file);
  if (dir === undefined && optional) return [];
  return checkEntries(file, fileEntries(readJson(dir ?? dirs[0] ?? '', file), name), schema, problems);
}

const folderWith = (dirs: readonly string[], file: string): string | undefined =>
  dirs.find((candidate) => existsSync(join(candidate, file)));

/**
 * The same of a list that may have hundreds of thousands of entries: each is handed over as soon as it was found valid,
 * and a long file is parsed piece by piece, so that no more of it than one piece is in memory as objects.
 */
export function readLongList<S extends TSchema>(
  dirs: readonly string[],
  name: string,
  schema: S,
  problems: string[],
  take: (entry: Static<S>) => void,
): void {
  const file = `${name}.json`;
  const compiled = Compile(schema);
  const bytes = readBytes(folderWith(dirs, file) ?? dirs[0] ?? '', file);
  let at = 0;
  const takeAll = (entries: readonly unknown[]) => {
    for (const entry of entries) {
      const found = check(compiled, schema, entry);
      if (!found.length) take(entry as Static<S>);
      for (const problem of found) problems.push(`${file}: ${entryName(entry, at)}: ${problem}`);
      at += 1;
    }
  };
  const list = cutList(bytes);
  takeAll(fileEntries(parseJson(list?.around ?? bytes, file), name));
  for (const piece of list?.pieces ?? []) takeAll(entriesOfPiece(piece, bytes, file));
}

function entriesOfPiece(piece: Buffer, bytes: Buffer, file: string): unknown[] {
  try {
    return parsePiece(piece);
  } catch (error) {
    // What is said to be wrong has its place in the whole file.
    parseJson(bytes, file);
    throw error;
  }
}

export function checkEntries<S extends TSchema>(
  file: string,
  entries: readonly unknown[],
  schema: S,
  problems: string[],
): Static<S>[] {
  const compiled = Compile(schema);
  for (const [at, entry] of entries.entries()) {
    for (const problem of check(compiled, schema, entry))
      problems.push(`${file}: ${entryName(entry, at)}: ${problem}`);
  }
  return entries as Static<S>[];
}

/** A file of one object that a city may do without, from the first folder that has it. */
export function readOptional<S extends TSchema>(
  dirs: readonly string[],
  file: string,
  schema: S,
  problems: string[],
): Static<S> | undefined {
  const dir = dirs.find((candidate) => existsSync(join(candidate, file)));
  return dir === undefined ? undefined : readOne(dir, file, schema, problems);
}

export function readOne<S extends TSchema>(
  dir: string,
  file: string,
  schema: S,
  problems: string[],
): Static<S> {
  const entry = readJson(dir, file);
  for (const problem of check(Compile(schema), schema, entry)) problems.push(`${file}: ${problem}`);
  return entry as Static<S>;
}
