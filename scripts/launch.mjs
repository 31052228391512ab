// Runs a TypeScript file of this project on the Node it pins, after installing what is missing:
//   node scripts/launch.mjs <file> [argument…]
// Plain JavaScript without dependencies, because it runs before anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { isatty } from 'node:tty';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const installedLockfile = join(modules, '.package-lock.json');
const pinnedNode = join(modules, 'node', 'bin', 'node');
const ownMajor = major(process.versions.node);

if (ownMajor < 20) fail(`This project needs Node 20 or newer to start; this is ${process.versions.node}.`);

const [file, ...args] = process.argv.slice(2);
if (!file) fail('usage: node scripts/launch.mjs <file> [argument…]');
// The service itself runs where the development packages were left out.
const needsDev = !file.startsWith('src/');

let child;
let stopped;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal));

const node = usableNode() ?? (await install());
// Stripping the types of every file takes half of a start: what has been stripped and compiled once is kept.
const env = { NODE_COMPILE_CACHE: join(modules, '.cache', 'compiled'), ...process.env };
const end = await run(node, [resolve(root, file), ...args], { stdio: 'inherit', env });
if (end.signal) raise(end.signal);
else process.exit(end.code);

function major(version) {
  return Number(version.split('.')[0]);
}

function fail(line) {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

function stop(signal) {
  stopped = signal;
  if (!child) raise(signal);
  // A terminal sends Ctrl-C to the whole process group: the child has had it already.
  else if (signal !== 'SIGINT' || !isatty(0)) child.kill(signal);
}

function raise(signal) {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // As process 1 of a container the signal has no effect on ourselves.
  setTimeout(() => process.exit(128 + constants.signals[signal]), 100);
}

function run(command, commandArgs, options, started = () => {}) {
  return new Promise((done, refuse) => {
    child = spawn(command, commandArgs, options);
    child.once('spawn', () => started(child));
    child.once('error', refuse);
    child.once('close', (code, signal) => {
      child = undefined;
      done({ code, signal });
    });
  });
}

/** The Node to run on when everything is installed, or nothing. */
function usableNode() {
  const wanted = packagesOf(join(root, 'package-lock.json'));
  const found = packagesOf(installedLockfile);
  if (!wanted) fail(`There is no readable package-lock.json in ${root}.`);
  // npm writes its own record last, so an interrupted install has none. What it records is compared
  // rather than its age: a clone, a copy or a change of branch sets times that say nothing.
  if (!found || !Object.entries(wanted).every(([path, entry]) => isPresent(entry, found[path], path)))
    return undefined;
  const version = wanted['node_modules/node'].version;
  if (process.execPath === pinnedNode) return pinnedNode;
  const answer = spawnSync(pinnedNode, ['--version'], { encoding: 'utf8', timeout: 10_000 });
  if (answer.stdout?.trim() === `v${version}`) return pinnedNode;
  // Where the pinned build cannot run (another C library, install scripts forbidden) an equal one will do.
  return ownMajor >= major(version) ? process.execPath : undefined;
}

function packagesOf(lockfile) {
  try {
    return JSON.parse(readFileSync(lockfile, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

function isPresent(wanted, found, path) {
  if (path === '') return true;
  if (!found) return wanted.optional || wanted.devOptional || (wanted.dev && !needsDev);
  return wanted.version === found.version && wanted.integrity === found.integrity;
}

async function install() {
  const lock = await takeLock();
  // Another launch may have installed while this one waited.
  if (!usableNode()) await npmCi(lock);
  lock.release();
  if (stopped) return await new Promise(() => raise(stopped));
  return usableNode() ?? fail(`npm ci left no working ${pinnedNode}: does npm forbid install scripts?`);
}

async function npmCi(lock) {
  process.stderr.write('Installing packages (npm ci)…\n');
  rmSync(installedLockfile, { force: true });
  const output = [];
  const npmArgs = ['ci', '--no-audit', '--no-fund', ...(needsDev ? ['--include=dev'] : [])];
  const options = { cwd: root, env: outsideModules(), stdio: ['ignore', 'pipe', 'pipe'] };
  const npm = await run('npm', npmArgs, options, (started) => {
    lock.shareWith(started.pid);
    for (const stream of [started.stdout, started.stderr]) stream.on('data', (data) => output.push(data));
  }).catch((error) => fail(`npm could not be started: ${error.message}`));
  if (npm.code === 0 || stopped) return;
  process.stderr.write(Buffer.concat(output));
  fail('npm ci failed: nothing was started.');
}

/** npm must not run on the Node that it is about to replace. */
function outsideModules() {
  const path = (process.env.PATH ?? '').split(delimiter).filter((entry) => !entry.startsWith(modules));
  return { ...process.env, PATH: path.join(delimiter) };
}

/** One install at a time for each tree. The file holds the processes at work and is touched while they are. */
async function takeLock() {
  const key = createHash('sha256').update(root).digest('hex').slice(0, 16);
  const path = join(tmpdir(), `pocketwatch-install-${process.getuid?.() ?? 0}-${key}`);
  let seen;
  let unchanged = 0;
  while (!claim(path)) {
    const now = lockState(path);
    if (!seen && !now.abandoned) process.stderr.write('Waiting for another launch that installs packages…\n');
    unchanged = now.state === seen ? unchanged + 1 : 0;
    seen = now.state;
    // Ten polls a second: a process number used again by a stranger holds nothing for more than two minutes.
    if (now.abandoned || unchanged > 1200) breakLock(path, now.text);
    await new Promise((done) => setTimeout(done, 100));
  }
  const beat = setInterval(() => touch(path), 5000);
  const release = () => {
    clearInterval(beat);
    process.removeListener('exit', release);
    rmSync(path, { force: true });
  };
  process.on('exit', release);
  return { release, shareWith: (pid) => writeFileSync(path, `${process.pid} ${pid}`) };
}

function claim(path) {
  try {
    writeFileSync(path, `${process.pid}`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    return fail(`The install lock ${path} cannot be written: ${error.message}`);
  }
}

function touch(path) {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {
    // Swept from the temporary folder: the install goes on.
  }
}

function lockState(path) {
  try {
    const text = readFileSync(path, 'utf8');
    const owners = text.split(' ').filter(Boolean).map(Number);
    return {
      text,
      state: `${text} ${statSync(path).mtimeMs}`,
      abandoned: owners.length > 0 && !owners.some(isAlive),
    };
  } catch {
    return { text: '', state: 'gone', abandoned: false };
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Two waiters must not both break it: the second would remove the first one's fresh lock. */
function breakLock(path, judged) {
  const breaking = `${path}.breaking`;
  try {
    mkdirSync(breaking);
  } catch {
    if (Date.now() - (statSync(breaking, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) < 10_000) return;
  }
  try {
    if (readFileSync(path, 'utf8') === judged) rmSync(path);
  } catch {
    // Gone already.
  }
  try {
    rmdirSync(breaking);
  } catch {
    // Cleared by another waiter.
  }
}
