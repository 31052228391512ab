// The example of a typed client, as README shows it: generated from a running service, compiled strictly, and run.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startService } from '../../support/services/service.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
const example = join(root, 'examples/typed-client');
/** The example has a TypeScript of its own, which the generator uses too. */
const fromExample = createRequire(join(example, 'package.json'));
const programPath = (name: string, file: string) =>
  join(dirname(fromExample.resolve(`${name}/package.json`)), file);

test('a client is generated from the service, compiles in strict mode and gets answers', async (t) => {
  const { url } = await startService(t);
  // A copy, so that nothing of the example changes.
  const folder = mkdtempSync(join(tmpdir(), 'pocketwatch-client-'));
  t.after(() => rmSync(folder, { recursive: true }));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const file of ['package.json', 'tsconfig.json', 'calm-pockets.ts'])
    copyFileSync(join(example, file), join(folder, file));
  const node = (...given: string[]) =>
    run(process.execPath, given, { cwd: folder, env: { ...process.env, POCKETWATCH_URL: url } });

  await node(programPath('openapi-typescript', 'bin/cli.js'), `${url}/openapi.json`, '--output', 'api.ts');
  await node(programPath('typescript', 'bin/tsc'));
  const { stdout } = await node('calm-pockets.ts');
  const lines = stdout.trim().split('\n');
  assert.match(lines[0] ?? '', /^\d calm pockets, \d+ others$/);
  assert.match(lines[1] ?? '', /^\w+: [a-z]+-[a-z]+, calm 0\.\d+; around \d\d:\d\d SGT /);
  assert.equal(lines.at(-1), '404 unknown pocket: atlantis');
});
