import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readArguments } from './arguments.ts';
import { allTests, everydayOptions, fastTests, isLong, plan } from './plan.ts';

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
    'scripts/test/a.test.ts',
    'test/a.test.ts',
    'src/domain/time/sgt.test.ts',
    'src/operations/pocket/a.test.ts',
    'test/process/cli.test.ts',
    'test/history/same-words.test.ts',
    'test/history/month-calm.test.ts',
    'test/process/kills.test.ts',
    'test/process/ledger-key.test.ts',
    'test/process/wrong-clock.test.ts',
    'test/process/store/months.test.ts',
    'test/process/store/maintain.test.ts',
  ];
  assert.deepEqual(plan(files), [
    ['test/history/month-calm.test.ts', 'test/history/same-words.test.ts'],
    ['test/process/kills.test.ts'],
    ['test/http/a.test.ts', 'test/http/stream/a.test.ts'],
    ['test/http/pages/a.test.ts'],
    ['test/process/cli.test.ts'],
    [
      'scripts/test/a.test.ts',
      'src/domain/text/voice.test.ts',
      'src/domain/time/sgt.test.ts',
      'src/ledger/a.test.ts',
      'test/a.test.ts',
    ],
    ['src/operations/pocket/a.test.ts', 'src/operations/report/a.test.ts'],
    ['test/process/ledger-key.test.ts', 'test/process/wrong-clock.test.ts'],
    ['test/process/store/maintain.test.ts', 'test/process/store/months.test.ts'],
    ['src/pipeline/feeds/a.test.ts', 'src/pipeline/schedule/run.test.ts'],
  ]);
});

test('an ordinary run leaves out what is long, which is a small part of the files, and has tests of every layer', () => {
  const files = found(allTests);
  const run = files.filter((file) => !isLong(file));
  assert.ok(run.length > 0.85 * files.length && run.length < files.length);
  for (const folder of [
    'src/pipeline',
    'src/store',
    'test/browser',
    'test/http',
    'test/process',
    'test/verify',
  ])
    assert.ok(
      run.some((file) => file.startsWith(`${folder}/`)),
      folder,
    );
  for (const file of ['test/process/kills.test.ts', 'test/history/reports.test.ts']) assert.ok(isLong(file));
});

test('what answers from the store is run on SQLite by an ordinary run, and all else on both engines', () => {
  const groups = plan(found(allTests).filter((file) => !isLong(file)));
  const [alone = [], ...others] = groups.filter((group) => everydayOptions(group).length > 0);
  assert.deepEqual(others, []);
  assert.ok(alone.length > 50 && alone.every((file) => file.startsWith('src/operations/')));
  const [, pattern = ''] = /=\/(.*)\/$/.exec(everydayOptions(alone)[0] ?? '') ?? [];
  assert.match('any suite, on PostgreSQL', new RegExp(pattern));
  assert.doesNotMatch('any suite, on SQLite', new RegExp(pattern));
});

test('what CI runs leaves out nothing', () => {
  const script = readFileSync(join(cwd, '.ci/run'), 'utf8');
  assert.match(script, /^npm run test:all$/m);
  const { scripts } = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'));
  assert.match(scripts['test:all'], /scripts\/test\.ts --all$/);
  assert.equal(readArguments(['--all']).extent, 'all');
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
