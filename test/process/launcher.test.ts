// The launcher behind `npm start` and the pocketwatch command: installs what is missing, then runs the file.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';

const repository = join(import.meta.dirname, '../..');
const nodePackage = `node-${process.platform}-${process.arch}`;

/** A project of the same layout, with an npm that is a script: it logs its calls and installs nothing real. */
function project(t: TestContext, npm = 'install') {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'pocketwatch-commands-')));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const path = (...parts: string[]) => join(root, ...parts);
  for (const folder of ['scripts', 'bin', 'src', 'tools']) mkdirSync(path(folder));
  for (const file of ['scripts/launch.mjs', 'bin/pocketwatch.mjs'])
    cpSync(join(repository, file), path(file));
  writeFileSync(path('package.json'), '{ "type": "module" }');
  writeFileSync(
    path('src/main.ts'),
    `const args: string[] = process.argv.slice(2);
    if (args[0] === 'wait') {
      const awake = setInterval(() => {}, 1000);
      process.once('SIGTERM', () => { process.stdout.write('drained\\n'); clearInterval(awake); });
    }
    process.stdout.write(JSON.stringify({ args, cwd: process.cwd() }) + '\\n');
    process.exitCode = Number(args[1] ?? 0);`,
  );
  const lock = (version: string, extra = {}) => {
    const node = { version: process.versions.node, optional: true };
    const packages = {
      '': {},
      [`node_modules/${nodePackage}`]: node,
      'node_modules/node-plan9-mips': node,
      'node_modules/pg': { version },
      ...extra,
    };
    writeFileSync(path('package-lock.json'), JSON.stringify({ packages }));
  };
  lock('1.0.0', { 'node_modules/lint': { version: '1.0.0', dev: true } });
  const installs = `mkdir -p node_modules/${nodePackage}/bin
    ln -sf '${process.execPath}' node_modules/${nodePackage}/bin/node
    cp package-lock.json node_modules/.package-lock.json`;
  const breaks = 'echo the registry is away >&2; exit 7';
  const body = npm === 'install' ? installs : breaks;
  writeFileSync(path('tools/npm'), `#!/bin/sh\necho "$@" >> npm-calls\necho chatter\n${body}\n`);
  chmodSync(path('tools/npm'), 0o755);

  const start = (program: string, args: string[], cwd = root) => {
    const env = {
      ...process.env,
      PATH: `${path('tools')}:${process.env.PATH}`,
      NODE_TEST_CONTEXT: undefined,
    };
    return spawn(process.execPath, [program, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  };
  return {
    path,
    lock,
    start,
    launch: (...args: string[]) => outcome(start(path('scripts/launch.mjs'), args)),
    installs: () =>
      existsSync(path('npm-calls')) ? readFileSync(path('npm-calls'), 'utf8').split('\n').length - 1 : 0,
  };
}

async function outcome(child: ChildProcess) {
  const text = { stdout: '', stderr: '' };
  child.stdout?.on('data', (data) => (text.stdout += data));
  child.stderr?.on('data', (data) => (text.stderr += data));
  const [code, signal] = await once(child, 'close');
  return { code, signal, ...text };
}

test('the first launch installs and shows the output of npm, the next one does not', async (t) => {
  const { launch, installs, path } = project(t);
  const first = await launch('src/main.ts', 'serve');
  assert.equal(first.code, 0, first.stderr);
  assert.equal(first.stderr, 'chatter\n');
  assert.deepEqual(JSON.parse(first.stdout).args, ['serve']);
  assert.equal(installs(), 1);

  const second = await launch('src/main.ts', 'serve');
  assert.equal(second.stderr, '');
  // A clone or a copy gives the lockfile a new time and the same content.
  const later = new Date(Date.now() + 60_000);
  utimesSync(path('package-lock.json'), later, later);
  await launch('src/main.ts', 'serve');
  assert.equal(installs(), 1);
});

test('a launch installs again when the lockfile has changed', async (t) => {
  const { launch, installs, lock } = project(t);
  await launch('src/main.ts');
  lock('1.0.1');
  assert.equal((await launch('src/main.ts')).code, 0);
  assert.equal(installs(), 2);
});

test('a launch installs again after an install that was cut short', async (t) => {
  const { launch, installs, path } = project(t);
  await launch('src/main.ts');
  rmSync(path('node_modules/.package-lock.json'));
  await launch('src/main.ts');
  assert.equal(installs(), 2);
});

test('a launch installs again where npm left out the pinned Node of this platform', async (t) => {
  const { launch, installs, path } = project(t);
  await launch('src/main.ts');
  const installed = JSON.parse(readFileSync(path('node_modules/.package-lock.json'), 'utf8'));
  delete installed.packages['node_modules/node-plan9-mips'];
  writeFileSync(path('node_modules/.package-lock.json'), JSON.stringify(installed));
  await launch('src/main.ts');
  assert.equal(installs(), 1, 'that of another platform is not needed');
  delete installed.packages[`node_modules/${nodePackage}`];
  writeFileSync(path('node_modules/.package-lock.json'), JSON.stringify(installed));
  await launch('src/main.ts');
  assert.equal(installs(), 2);
});

test('the Node of every platform that README names is in the lockfile with its hash', () => {
  const read = (file: string) => readFileSync(join(repository, file), 'utf8');
  const { optionalDependencies } = JSON.parse(read('package.json'));
  const { packages } = JSON.parse(read('package-lock.json'));
  const named = [...read('README.md').matchAll(/`(node-\w+-\w+)`/g)].map(([, name = '']) => name);
  assert.ok(named.length);
  assert.deepEqual(Object.keys(optionalDependencies), named.toSorted());
  for (const name of named) {
    const { version, integrity, hasInstallScript } = packages[`node_modules/${name}`];
    assert.equal(version, optionalDependencies[name]);
    assert.match(integrity, /^sha512-[\w+/]{86}==$/);
    assert.equal(hasInstallScript, undefined);
  }
  assert.equal(new Set(Object.values(optionalDependencies)).size, 1, 'one version');
});

test('the service starts without the development packages, the tools install them', async (t) => {
  const { launch, installs, path } = project(t);
  await launch('src/main.ts');
  const installed = JSON.parse(readFileSync(path('node_modules/.package-lock.json'), 'utf8'));
  delete installed.packages['node_modules/lint'];
  writeFileSync(path('node_modules/.package-lock.json'), JSON.stringify(installed));
  await launch('src/main.ts');
  assert.equal(installs(), 1);

  cpSync(path('src/main.ts'), path('scripts/check.ts'));
  await launch('scripts/check.ts');
  assert.match(readFileSync(path('npm-calls'), 'utf8'), /--include=dev\n$/);
});

test('a failed install shows the output of npm and starts nothing', async (t) => {
  const { launch } = project(t, 'break');
  const { code, stdout, stderr } = await launch('src/main.ts');
  assert.equal(code, 1);
  assert.equal(stdout, '');
  assert.match(stderr, /the registry is away/);
});

test('the exit code is that of the file', async (t) => {
  const { launch } = project(t);
  assert.equal((await launch('src/main.ts', 'verify', '3')).code, 3);
});

test('SIGTERM reaches the file, which may finish its work', async (t) => {
  const { launch, start, path } = project(t);
  await launch('src/main.ts');
  const child = start(path('scripts/launch.mjs'), ['src/main.ts', 'wait', '4']);
  const ended = outcome(child);
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  const { code, stdout } = await ended;
  assert.match(stdout, /drained/);
  assert.equal(code, 4);
});

test('a file killed by a signal ends its launcher the same way', async (t) => {
  const { launch, start, path } = project(t);
  await launch('src/main.ts');
  const child = start(path('scripts/launch.mjs'), ['src/main.ts', 'wait']);
  const ended = outcome(child);
  await once(child.stdout, 'data');
  child.kill('SIGHUP');
  assert.equal((await ended).signal, 'SIGHUP');
});

test('the service has a limited heap, unless the operator sets another', async (t) => {
  const { launch, path } = project(t);
  writeFileSync(
    path('src/main.ts'),
    `import { getHeapStatistics } from 'node:v8';
    process.stdout.write(String(Math.round(getHeapStatistics().heap_size_limit / 2 ** 20)));`,
  );
  const heapLimit = async (command: string) => Number((await launch('src/main.ts', command)).stdout);
  const limit = await heapLimit('serve');
  assert.ok(limit >= 1024 && limit < 1200, `${limit} MiB`);
  const { NODE_OPTIONS } = process.env;
  t.after(() =>
    NODE_OPTIONS === undefined
      ? delete process.env.NODE_OPTIONS
      : Object.assign(process.env, { NODE_OPTIONS }),
  );
  process.env.NODE_OPTIONS = '--max-old-space-size=300';
  assert.ok((await heapLimit('serve')) < 500);
});

test('a service that dies is started again, unless it dies at its start', async (t) => {
  const { launch, path } = project(t);
  writeFileSync(
    path('src/main.ts'),
    `import { appendFileSync, readFileSync } from 'node:fs';
    appendFileSync('starts', '.');
    const starts = readFileSync('starts', 'utf8').length;
    if (starts === 1) setTimeout(() => process.kill(process.pid, 'SIGKILL'), 10_100);
    else process.exit(3);`,
  );
  const { code, stderr } = await launch('src/main.ts', 'serve');
  assert.match(stderr, /the service died \(SIGKILL\): starting it again/);
  assert.equal(code, 3);
  assert.equal(readFileSync(path('starts'), 'utf8'), '..');
});

test('the command works through a symbolic link, in the working directory of its caller', async (t) => {
  const { start, path } = project(t);
  mkdirSync(path('elsewhere'));
  symlinkSync(path('bin/pocketwatch.mjs'), path('elsewhere/pocketwatch'));
  const { stdout } = await outcome(start(path('elsewhere/pocketwatch'), ['verify', '0'], path('elsewhere')));
  const { args, cwd } = JSON.parse(stdout);
  assert.deepEqual(args, ['verify', '0']);
  assert.equal(cwd, path('elsewhere'));
});
