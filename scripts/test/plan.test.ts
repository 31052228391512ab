import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { allTests, fastTests, plan } from './plan.ts';

const cwd = join(import.meta.dirname, '../..');
const found = (patterns: string[]) => globSync(patterns, { cwd, exclude: ['node_modules'] });

test('every test file runs in exactly one process', () => {
  const files = found(allTests);
  assert.deepEqual(plan(files).flat().sort(), files.sort());
});

test('files that need a process have one to themselves, the others share one by layer, and the longest start first', () => {
  const files = [
    'src/domain/text/voice.test.ts',
    'src/operations/report/a.test.ts',
    'src/ledger/a.test.ts',
    'test/http/a.test.ts',
    'test/http/pages/a.test.ts',
    'test/http/stream/a.test.ts',
    'src/pipeline/schedule/run.test.ts',
    'src/pipeline/feeds/a.test.ts',
    'src/domain/time/sgt.test.ts',
    'src/operations/pocket/a.test.ts',
    'test/process/cli.test.ts',
    'test/history/same-words.test.ts',
    'test/history/month-calm.test.ts',
    'test/process/kills.test.ts',
  ];
  assert.deepEqual(plan(files), [
    ['test/history/month-calm.test.ts', 'test/history/same-words.test.ts'],
    ['test/process/kills.test.ts'],
    ['test/http/a.test.ts', 'test/http/stream/a.test.ts'],
    ['test/http/pages/a.test.ts'],
    ['test/process/cli.test.ts'],
    ['src/operations/pocket/a.test.ts', 'src/operations/report/a.test.ts'],
    ['src/domain/text/voice.test.ts', 'src/domain/time/sgt.test.ts', 'src/ledger/a.test.ts'],
    ['src/pipeline/feeds/a.test.ts'],
    ['src/pipeline/schedule/run.test.ts'],
  ]);
});

test('the quick run leaves out processes, browsers and long history', () => {
  const files = found(fastTests);
  for (const layer of ['domain', 'ledger', 'operations'])
    assert.ok(
      files.some((file) => file.startsWith(`src/${layer}/`)),
      layer,
    );
  for (const file of files) assert.doesNotMatch(file, /^(test\/\w+|src\/(pipeline|cli))\//);
});
