import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isLong } from './plan.ts';
import { sampleProcesses, samples } from './samples.ts';

const root = join(import.meta.dirname, '../..');

/** The titles of the tests and suites of a file, as patterns: what is composed at run time may be anything. */
function titlesOf(file: string): string[] {
  const source = readFileSync(join(root, file), 'utf8');
  const calls = source.matchAll(/\b(test|describe|describeStores)\(\s*(['"`])((?:\\.|(?!\2)[\s\S])*)\2/g);
  const isComposed = /\b(?:test|describe)\([\w.]+,/.test(source);
  const titles = Array.from(calls, ([, call, , text = '']) => {
    const title = text
      .replaceAll(/\\(.)/g, '$1')
      .split(/\$\{.*?\}/)
      .map((part) => RegExp.escape(part))
      .join('.+');
    return call === 'describeStores' ? `${title}, on (?:SQLite|PostgreSQL)` : title;
  });
  return isComposed ? [...titles, '.+'] : titles;
}

test('each sample is a part of a long file, once, by names of its tests', () => {
  assert.equal(new Set(samples.map(({ file }) => file)).size, samples.length);
  for (const { file, tests } of samples) {
    assert.ok(isLong(file), file);
    const titles = titlesOf(file);
    for (const name of tests) {
      const ends = titles.some((title) => new RegExp(`(?:^| )${title}$`).test(name));
      const begins = titles.some((title) => new RegExp(`^${title}`).test(name));
      assert.ok(ends && begins, `${file} has no test ${name}`);
    }
  }
});

test('a sample runs in one process, by the names of its tests', () => {
  const processes = sampleProcesses();
  const files = processes.flatMap((list) => list.filter((argument) => !argument.startsWith('-')));
  assert.deepEqual(files.sort(), samples.map(({ file }) => file).sort());
  for (const list of processes) {
    const own = samples.filter(({ file }) => list.includes(file));
    const patterns = list.filter((argument) => argument.startsWith('--test-name-pattern='));
    assert.equal(patterns.length, own.flatMap(({ tests }) => tests).length);
    for (const name of own.flatMap(({ tests }) => tests))
      assert.ok(
        patterns.some((pattern) => new RegExp(pattern.slice(21, -1)).test(name)),
        name,
      );
  }
});
