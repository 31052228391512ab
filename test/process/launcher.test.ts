// The launcher behind `npm start` and the pocketwatch command: installs what is missing, then runs the file.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
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

/**
 * A project of the same layout, with an npm that is a script: it logs its calls and installs nothing real, or says that
 * it failed.
 */
function project(t: TestContext, failure?: string) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'pocketwatch-commands-')));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const path = (...parts: string[]) => join(root, ...parts);
  for (const folder of ['scripts', 'bin', 'src', 'tools']) mkdirSync(path(folder));
  for (const file of ['scripts/launch.mjs', 'scripts/install.mjs', 'bin/pocketwatch.mjs'])
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
  // As npm does, it leaves out what is for development alone where it is told to.
  const record = `const packages = Object.entries(JSON.parse(fs.readFileSync("package-lock.json")).packages);
    const wanted = packages.filter(([, { dev }]) => !dev || !process.argv.includes("--omit=dev"));
    fs.writeFileSync("node_modules/.package-lock.json", JSON.stringify({ packages: Object.fromEntries(wanted) }));`;
  const installs = `mkdir -p node_modules/${nodePackage}/bin
    ln -sf '${process.execPath}' node_modules/${nodePackage}/bin/node
    '${process.execPath}' -e '${record}' -- "$@"`;
  const breaks = `cat >&2 <<'END'\n${failure}\nEND\nexit 1`;
  const body = failure === undefined ? installs : breaks;
  writeFileSync(path('tools/npm'), `#!/bin/sh\necho "$@" >> npm-calls\necho chatter\n${body}\n`);
  chmodSync(path('tools/npm'), 0o755);

  const start = (program: string, args: string[], cwd = root, uid?: number) => {
    const env = {
      ...process.env,
      PATH: `${path('tools')}:${process.env.PATH}`,
      NODE_TEST_CONTEXT: undefined,
    };
    return spawn(process.execPath, [program, ...args], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(uid !== undefined && { uid }),
    });
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

test('the first launch installs what running needs, with one line about it; the next one does not', async (t) => {
  const { launch, installs, path } = project(t);
  const first = await launch('src/main.ts', 'serve');
  assert.equal(first.code, 0, first.stderr);
  assert.equal(first.stderr, 'installing the packages that running needs; this takes a minute or two…\n');
  assert.match(readFileSync(path('npm-calls'), 'utf8'), /^ci --omit=dev .*--loglevel=error\n$/);
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

test('the service runs without the development packages; the tools add them, and then they stay', async (t) => {
  const { launch, installs, path, lock } = project(t);
  await launch('src/main.ts');
  await launch('src/main.ts');
  assert.equal(installs(), 1);

  cpSync(path('src/main.ts'), path('scripts/check.ts'));
  await launch('scripts/check.ts');
  const lastCall = () => readFileSync(path('npm-calls'), 'utf8').trim().split('\n').at(-1);
  assert.match(
    lastCall() ?? '',
    /^install --no-save --include=dev /,
    'adds to what a service may be running on',
  );
  await launch('src/main.ts');
  assert.equal(installs(), 2);

  lock('1.0.1', { 'node_modules/lint': { version: '1.0.0', dev: true } });
  await launch('src/main.ts');
  assert.match(lastCall() ?? '', /^ci --include=dev /);
});

const log = 'npm error A complete log of this run can be found in: /home/x y/_logs/1-debug-0.log';
const failures: [name: string, output: string, line: RegExp][] = [
  [
    'no network',
    `npm error code EAI_AGAIN\nnpm error syscall getaddrinfo\nnpm error request failed\n${log}`,
    /EAI_AGAIN, the host of the package registry cannot be found: check the network .*; npm's log is \/home\/x y\/_logs\/1-debug-0\.log\n$/,
  ],
  [
    'a registry that is down, as an older npm says it',
    'npm ERR! code ECONNREFUSED\nnpm ERR!     at x',
    /ECONNREFUSED, the package registry refuses the connection: check the network/,
  ],
  ['npm is offline', `npm error code ENOTCACHED\n${log}`, /ENOTCACHED, npm is set to work offline/],
  ['a full disk', `npm error code ENOSPC\n${log}`, /ENOSPC, the disk is full: make room/],
  [
    'a folder of another user',
    `npm error code EACCES\nnpm error syscall mkdir\nnpm error path /opt/x/node_modules\n${log}`,
    /EACCES, a folder cannot be written to: .* \(\/opt\/x\/node_modules\); npm's log/,
  ],
  ['anything else', 'npm error code EWHAT\nnpm error the moon is full\n', /EWHAT, the moon is full\n$/],
  ['nothing', '', /it ended with no word\n$/],
];
for (const [name, output, line] of failures)
  test(`an install that fails is one line that says what to do: ${name}`, async (t) => {
    const { launch } = project(t, output);
    const { code, stdout, stderr } = await launch('src/main.ts');
    assert.deepEqual([code, stdout], [1, '']);
    const [progress, fault, ...rest] = stderr.split('\n');
    assert.match(progress ?? '', /^installing /);
    assert.deepEqual(rest, ['']);
    assert.match(fault ?? '', /^pocketwatch: npm could not install the packages, and nothing was started: /);
    assert.match(`${fault}\n`, line);
  });

// Root may write everywhere.
const uid = process.getuid?.() === 0 ? 65_534 : process.getuid?.();
const noOtherUser =
  spawnSync(process.execPath, ['--version'], uid === undefined ? {} : { uid }).status !== 0 &&
  'no other user can run this Node';
test('a checkout that cannot be written to is named before npm is asked', {
  skip: noOtherUser,
}, async (t) => {
  const { start, path, installs } = project(t);
  chmodSync(path(), 0o555);
  const { code, stderr } = await outcome(start(path('scripts/launch.mjs'), ['src/main.ts'], path(), uid));
  chmodSync(path(), 0o755);
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^pocketwatch: the packages cannot be installed, because [^\n]* cannot be written to: [^\n]*\n$/,
  );
  assert.equal(installs(), 0);
});

test('an old Node gets one line, with the versions of package.json', async (t) => {
  const { path } = project(t);
  const { engines, optionalDependencies } = JSON.parse(
    readFileSync(join(repository, 'package.json'), 'utf8'),
  );
  const text = readFileSync(path('scripts/launch.mjs'), 'utf8');
  assert.equal(engines.node, `>=${/OLDEST_NODE = (\d+)/.exec(text)?.[1]}`);
  const runtime = /OLDEST_RUNTIME = (\d+)/.exec(text)?.[1];
  for (const version of Object.values<string>(optionalDependencies))
    assert.equal(version.split('.')[0], runtime);

  const pretend = (version: string) =>
    `--import=data:text/javascript,Object.defineProperty(process.versions,'node',{value:'${version}'})`;
  const launchOn = (version: string) =>
    outcome(
      spawn(process.execPath, [pretend(version), path('bin/pocketwatch.mjs'), '--help'], {
        env: { ...process.env, PATH: path('tools'), NODE_TEST_CONTEXT: undefined },
      }),
    );
  const ancient = await launchOn('16.20.2');
  assert.equal(ancient.code, 1);
  assert.equal(
    ancient.stderr,
    'pocketwatch: Node 16.20.2 is too old: install Node 24 or newer from https://nodejs.org and start again\n',
  );
});

test('what an old Node reads has no syntax that is newer than Node 12', () => {
  for (const file of ['bin/pocketwatch.mjs', 'scripts/launch.mjs', 'scripts/install.mjs']) {
    const code = readFileSync(join(repository, file), 'utf8').replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '');
    assert.doesNotMatch(
      code,
      /\?\?|\?\.[\w([]|\bawait\b|\|\|=|&&=|#\w+[ ;(]|\.(at|replaceAll|hasOwn)\(|static \{/,
      file,
    );
    const modules = [...code.matchAll(/from '(?!\.)([^']+)'/g)].map(([, name]) => name);
    for (const name of modules)
      assert.match(name ?? '', /^node:(child_process|fs|module|os|path|tty|url)$/, file);
  }
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
