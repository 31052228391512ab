import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, test } from 'node:test';
import { Compile } from 'typebox/schema';
import type { Feed } from '../sources/core/feed.ts';
import { allAdapters, feedProblems } from '../sources/live/all.ts';
import { recipes } from '../sources/live/recipes.fixture.ts';
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
      assert.deepEqual(schema.Errors(content)[1], [], `${name}/${file}`);
    }
  }
});

describe('an editor knows the settings of each adapter', () => {
  const schema = Compile(JSON.parse(schemaFiles()['sources.schema.json'] ?? ''));
  const isValid = (feed: unknown): boolean => schema.Check({ sources: [feed] });
  const shipped = shippedCities().flatMap((name): Feed[] => {
    const path = join(citiesDir, name, 'sources.json');
    return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).sources : [];
  });

  for (const { name, settings, about } of allAdapters) {
    const feed = [...recipes, ...shipped].find(({ adapter }) => adapter === name);
    assert.ok(feed, `the docs or a shipped city have a feed of ${name}`);
    const properties = (settings as unknown as { properties: Record<string, object> }).properties;
    const withSetting = (setting: string, value: unknown) => ({
      ...feed,
      settings: { ...feed.settings, [setting]: value },
    });

    test(`${name}: what the adapter refuses is marked`, () => {
      assert.ok(isValid(feed));
      for (const setting of [...Object.keys(properties), 'no_such_setting']) {
        const wrong = withSetting(setting, null);
        assert.ok(feedProblems(wrong).length > 0, setting);
        assert.ok(!isValid(wrong), setting);
      }
      const fields = { ...feed.fields, no_such_field: Object.values(feed.fields)[0] };
      assert.equal(isValid({ ...feed, fields }), about.fields === undefined);
      assert.ok(!isValid({ ...feed, adapter: 'no-such-adapter' }));
      assert.ok(!isValid({ ...feed, settings: [] }));
    });
  }

  test('every setting says what it is for, at every depth', () => {
    const silent: string[] = [];
    const visit = (node: unknown, path: string): void => {
      if (typeof node !== 'object' || node === null) return;
      if ('properties' in node)
        for (const [name, property] of Object.entries(node.properties as Record<string, object>))
          if (!('description' in property || 'const' in property)) silent.push(`${path}.${name}`);
      for (const [key, child] of Object.entries(node)) visit(child, `${path}.${key}`);
    };
    for (const { name, settings } of allAdapters) visit(JSON.parse(JSON.stringify(settings)), name);
    assert.deepEqual(silent, []);
  });
});
