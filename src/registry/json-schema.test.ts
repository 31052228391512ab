import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { Compile } from 'typebox/compile';
import { citiesDir, shippedCities } from './city-dir.ts';
import { schemaFiles } from './json-schema.ts';

const folder = join(citiesDir, 'schema');

test('the published schemas are those that the loader checks with', () => {
  if (process.env.UPDATE_SNAPSHOTS) mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(schemaFiles())) {
    const path = join(folder, file);
    if (process.env.UPDATE_SNAPSHOTS) writeFileSync(path, text);
    assert.equal(
      readFileSync(path, 'utf8'),
      text,
      `cities/schema/${file} is not what src/registry says. If the change is meant, read its diff and run
        UPDATE_SNAPSHOTS=1 npm test -- src/registry/json-schema.test.ts`,
    );
  }
  assert.deepEqual(readdirSync(folder).sort(), Object.keys(schemaFiles()).sort());
});

test('every file of a shipped city names its schema and is valid by it', () => {
  for (const name of shippedCities()) {
    const dir = join(citiesDir, name);
    for (const file of readdirSync(dir).filter((each) => each.endsWith('.json'))) {
      const content: { $schema?: string } = JSON.parse(readFileSync(join(dir, file), 'utf8'));
      const path = resolve(dir, content.$schema ?? '');
      assert.equal(path, join(folder, file.replace('.json', '.schema.json')), `${name}/${file}`);
      assert.ok(existsSync(path) && dirname(path) === folder);
      const schema = Compile(JSON.parse(readFileSync(path, 'utf8')));
      assert.deepEqual([...schema.Errors(content)], [], `${name}/${file}`);
    }
  }
});
