// The package that `npm pack` makes, in a folder without the repository: every file that is read at run time is in it,
// and Node, which strips no types under node_modules, runs it.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { commands } from '../../src/cli/command-line.ts';
import { beginShortHistory } from '../support/pipeline/short-history.ts';
import { smallRegistry } from '../support/pipeline/small-registry.ts';
import { ask, post } from '../support/services/http-client.ts';
import { untilReady } from '../support/services/processes.ts';

const repository = join(import.meta.dirname, '../..');
const place = realpathSync(mkdtempSync(join(tmpdir(), 'pocketwatch-package-')));
after(() => rmSync(place, { recursive: true, force: true }));

/** Packs a copy: the built files would otherwise lie among those that other tests read. */
function pack(): string {
  const copy = join(place, 'copy');
  const left = ['.git', 'node_modules', 'data', 'dist', 'test', 'bench', 'examples'];
  cpSync(repository, copy, {
    recursive: true,
    filter: (path) => path === repository || !left.includes(path.slice(repository.length + 1)),
  });
  symlinkSync(realpathSync(join(repository, 'node_modules')), join(copy, 'node_modules'));
  execFileSync('npm', ['pack', '--silent', '--pack-destination', place], { cwd: copy, stdio: 'pipe' });
  assert.ok(!existsSync(join(copy, 'dist')), 'what was built is removed again');
  return join(place, readdirSync(place).find((name) => name.endsWith('.tgz')) ?? '');
}

/** As npm would install it, but with the dependencies of the checkout. */
function unpack(tarball: string): string {
  const modules = join(place, 'user', 'node_modules');
  const unpacked = join(modules, 'pocketwatch');
  mkdirSync(unpacked, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1']);
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(unpacked, 'package.json'), 'utf8'),
  );
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const installed = join(repository, 'node_modules', name);
    if (!existsSync(installed)) continue;
    mkdirSync(join(modules, name, '..'), { recursive: true });
    symlinkSync(realpathSync(installed), join(modules, name));
  }
  return unpacked;
}

const tarball = pack();
const unpacked = unpack(tarball);
const user = join(place, 'user');
const listing = () => readdirSync(unpacked, { recursive: true, encoding: 'utf8' }).toSorted();
const packed = listing();

function start(...args: string[]) {
  const env = {
    PATH: process.env.PATH,
    HOME: user,
    HOST: '127.0.0.1',
    PORT: '0',
    HISTORY_DAYS: '1',
    CITY_DIR: smallRegistry(user),
  };
  const child = spawn(process.execPath, [join(unpacked, 'bin/pocketwatch.mjs'), ...args], { cwd: user, env });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (data) => (output.stdout += data));
  child.stderr.on('data', (data) => (output.stderr += data));
  return { child, output, closed: once(child, 'close') };
}

test('it has what runs and nothing else, and is small', () => {
  const tops = new Set(packed.map((file) => file.split('/')[0]));
  for (const name of ['src', 'test', 'bench', 'examples', 'package-lock.json'])
    assert.ok(!tops.has(name), name);
  assert.deepEqual(
    packed.filter((file) => /\.(test|fixture|snapshot)\.|\.ts$|(^|\/)testing(\/|$)/.test(file)),
    [],
  );
  assert.ok(statSync(tarball).size < 2_000_000, `${basename(tarball)}: ${statSync(tarball).size} bytes`);
});

test('every command is there', async () => {
  const { output, closed } = start('--help');
  assert.deepEqual(await closed, [0, null], output.stderr);
  for (const name of Object.keys(commands))
    assert.match(output.stdout, new RegExp(`^ {2}pocketwatch ${name} `, 'm'));
});

test('it serves, with its threads, from its own files, and can be verified', async (t) => {
  const dataDir = join(user, 'data');
  mkdirSync(dataDir);
  await beginShortHistory({ databaseUrl: undefined, dataDir, remove: async () => undefined });
  const { child, output, closed } = start('serve');
  t.after(() => child.kill('SIGKILL'));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const [, found] = /Server listening at (http:\/\/127\.0\.0\.1:\d+)/.exec(output.stdout) ?? [];
      if (found) resolve(found);
    });
    child.on('exit', () => reject(new Error(`ended: ${output.stderr}`)));
  });
  // The thread of the pipeline writes the rest of the history.
  await untilReady(url);
  // The table is made by the thread for heavy answers; the texts are files of the package.
  const table = '/api/predictions?since=all&format=csv';
  for (const path of [
    '/',
    '/docs',
    '/mcp',
    '/llms-full.txt',
    '/glossary.md',
    '/mcp/CHANGELOG.md',
    '/mcp/STATUS.md',
    '/LICENSE-CONTENT.md',
    table,
  ])
    assert.equal((await ask(url + path)).status, 200, path);
  const tools = await post(`${url}/api/mcp`, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  assert.ok(tools.json<{ result: { tools: unknown[] } }>().result.tools.length > 0);

  const verify = start('verify', url);
  assert.deepEqual(await verify.closed, [0, null], verify.output.stderr);
  assert.match(verify.output.stderr, /^verified \d+ rows/);

  child.kill('SIGTERM');
  assert.deepEqual(await closed, [0, null], output.stderr);
  assert.doesNotMatch(output.stdout, /"level":[56]0/);
  assert.ok(existsSync(join(dataDir, 'ledger.key')), 'the data is in ./data');
  assert.deepEqual(listing(), packed, 'nothing is written into the package');
});
