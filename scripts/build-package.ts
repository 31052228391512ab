// Writes the sources without types into dist, for the package: Node strips no types under node_modules. It is dist/x.js
// for src/x.ts, as deep as the source, so that what is read by a path relative to it (cities, migrations, docs) is found
// in both places. Types become spaces, so that a stack trace names the lines of the source.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const source = join(root, 'src');
const target = join(root, 'dist');

/** Needed by tests alone. */
const isForTests = (file: string): boolean =>
  /\.(test|fixture)\.ts$|\.snapshot\.json$|(^|\/)testing\//.test(file);

/** Every relative specifier that ends with .ts: of an import, or of the file that a worker runs. */
const withBuiltSpecifiers = (code: string): string =>
  code.replaceAll(/(['"])(\.\.?\/[^'"\n]+)\.ts\1/g, '$1$2.js$1');

rmSync(target, { recursive: true, force: true });
for (const entry of readdirSync(source, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const path = join(entry.parentPath, entry.name);
  const file = path.slice(source.length + 1);
  if (isForTests(file)) continue;
  const built = join(target, file.replace(/\.ts$/, '.js'));
  mkdirSync(dirname(built), { recursive: true });
  if (!file.endsWith('.ts')) cpSync(path, built);
  else writeFileSync(built, withBuiltSpecifiers(stripTypeScriptTypes(readFileSync(path, 'utf8'))));
}
