// The runner with generated test files: what it counts, and that every failure is reported.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { Runner } from './runner.ts';

const head = "import { test } from 'node:test';";
const files = {
  passes: `${head} test('one', () => {}); test('two', () => {}); test('three', { skip: true }, () => {});`,
  fails: `${head} test('one', () => { throw new Error('on purpose'); });`,
  'does-not-load': "import './nothing.ts';",
  'by-helper':
    "import { twice } from './helper.ts'; import { test } from 'node:test'; twice(() => test('one', () => {}));",
  dies: `${head} test('one', () => process.kill(process.pid, 'SIGKILL'));`,
};

type Argument = keyof typeof files | `--${string}`;

async function run(t: { after(end: () => void): void }, groups: Argument[][]) {
  const folder = mkdtempSync(join(tmpdir(), 'pocketwatch-runner-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, `${name}.test.ts`), text);
  writeFileSync(
    join(folder, 'helper.ts'),
    "import { describe } from 'node:test'; export const twice = (body) => ['a', 'b'].forEach((name) => describe(name, body));",
  );
  let shown = '';
  const runner = new Runner(folder, (text) => {
    shown += text;
  });
  const named = groups.map((group) =>
    group.map((name) => (name.startsWith('--') ? name : `${name}.test.ts`)),
  );
  const { counts, ok } = await runner.test(named, [], {});
  return { ...counts, ok, shown };
}

test('the counts of all processes are added up', async (t) => {
  const { passed, failed, skipped, ok } = await run(t, [['passes'], ['passes']]);
  assert.deepEqual({ passed, failed, skipped, ok }, { passed: 4, failed: 0, skipped: 2, ok: true });
});

test('a process with options of its own runs the tests that they name', async (t) => {
  const { passed, failed, skipped, ok } = await run(t, [
    ['--test-name-pattern=/^two/', 'passes', 'fails'],
    ['passes'],
  ]);
  assert.deepEqual({ passed, failed, skipped, ok }, { passed: 3, failed: 0, skipped: 1, ok: true });
});

test('a test that fails, a file that does not load and a process that dies each fail the run', async (t) => {
  for (const name of ['fails', 'does-not-load', 'dies'] as const) {
    const { passed, failed, skipped, ok, shown } = await run(t, [[name], ['passes']]);
    assert.deepEqual({ passed, failed, skipped, ok }, { passed: 2, failed: 1, skipped: 1, ok: false }, name);
    assert.ok(shown.indexOf(name) > shown.indexOf('two'), `${name} is shown last`);
  }
});

test('each file has the time that its tests took', async (t) => {
  const { durations } = await run(t, [['passes', 'fails', 'by-helper']]);
  assert.deepEqual(
    Object.keys(durations)
      .map((file) => basename(file))
      .sort(),
    ['by-helper.test.ts', 'fails.test.ts', 'passes.test.ts'],
  );
  for (const ms of Object.values(durations)) assert.ok(ms > 0);
});
