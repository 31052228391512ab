// Runs a TypeScript file of this project on the Node it pins, after `npm ci` if the lockfile has changed:
//   node scripts/launch.mjs <file> [argument…]
// Plain JavaScript without dependencies, because it runs before anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { isatty } from 'node:tty';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');
const [file, ...args] = process.argv.slice(2);
if (!file) fail('usage: node scripts/launch.mjs <file> [argument…]');
// The service itself runs where the development packages were left out.
const needsDev = !file.startsWith('src/');

// The Node that is pinned for this platform, with its hash in the lockfile; other platforms have none.
const nodePackage = `node-${process.platform}-${process.arch}`;
const pinnedNode = join(modules, nodePackage, 'bin', 'node');

if (!isInstalled()) install();

// Where the pinned build is missing or cannot run (another platform or C library) the current Node is used.
const node = spawnSync(pinnedNode, ['--version']).status === 0 ? pinnedNode : process.execPath;
if (node !== pinnedNode && !process.features.typescript)
  fail(
    `this needs Node 24 or newer: Node ${process.versions.node} can only run the install, and ${nodePackage} is missing or does not run`,
  );
// Stripping types takes half of a start, so the compiled files are cached.
const env = { NODE_COMPILE_CACHE: join(modules, '.cache', 'compiled'), ...process.env };
const isService = file === 'src/main.ts' && args[0] === 'serve';
// In megabytes, as for the pipeline: without limits V8 lets garbage grow to four times what is in use. Options that are
// set already come later, and win.
if (isService)
  env.NODE_OPTIONS = `--max-old-space-size=1024 --max-semi-space-size=16 ${process.env.NODE_OPTIONS ?? ''}`;
/** The service is started again when it dies after having run this long; one that dies at its start has a fault to mend. */
const HEALTHY_MS = 10_000;
let child;
let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    stopping = true;
    // A terminal sends Ctrl-C to the whole process group: the child has received it already.
    return (signal === 'SIGINT' && isatty(0)) || child.kill(signal);
  });
}
start();

function start() {
  const began = Date.now();
  child = spawn(node, [resolve(root, file), ...args], { stdio: 'inherit', env });
  child.on('exit', (code, signal) => {
    if (isService && !stopping && (signal || code) && Date.now() - began >= HEALTHY_MS) {
      process.stderr.write(`the service died (${signal ?? `exit ${code}`}): starting it again\n`);
      setTimeout(start, 1000);
      return;
    }
    if (!signal) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    // As process 1 of a container the signal has no effect on ourselves.
    setTimeout(() => process.exit(128 + constants.signals[signal]), 100);
  });
}

function fail(line) {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

/** npm writes its own record of what is installed last, so an install that was cut short has none. */
function isInstalled() {
  const wanted =
    readPackages(join(root, 'package-lock.json')) ?? fail(`no readable package-lock.json in ${root}`);
  const found = readPackages(join(modules, '.package-lock.json')) ?? {};
  return Object.entries(wanted).every(([path, { version, integrity, optional, devOptional, dev }]) => {
    if (path === '') return true;
    // npm skips an optional package that it could not fetch, and says nothing.
    if (!found[path])
      return path !== `node_modules/${nodePackage}` && (optional || devOptional || (dev && !needsDev));
    return found[path].version === version && found[path].integrity === integrity;
  });
}

function readPackages(lockfile) {
  try {
    return JSON.parse(readFileSync(lockfile, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

function install() {
  // npm must not run on the Node that it is about to replace.
  const path = (process.env.PATH ?? '').split(delimiter).filter((entry) => !entry.startsWith(modules));
  const npm = spawnSync('npm', ['ci', '--no-audit', '--no-fund', ...(needsDev ? ['--include=dev'] : [])], {
    cwd: root,
    env: { ...process.env, PATH: path.join(delimiter) },
    // Standard output belongs to the file that is run.
    stdio: ['ignore', 2, 2],
  });
  if (npm.status !== 0)
    fail(`npm ci failed${npm.error ? `: ${npm.error.message}` : ''}; nothing was started`);
}
