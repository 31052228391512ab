// Runs a file of this project on the Node it pins, in a checkout after installing what is missing:
//   node scripts/launch.mjs <file> [argument…]
// Plain JavaScript without dependencies, because it runs before anything is installed, and without syntax that is newer
// than Node 12, so that an old Node gets a line about itself and not a SyntaxError.
import { spawn, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { join, resolve } from 'node:path';
import { isatty } from 'node:tty';
import { fileURLToPath } from 'node:url';
import { installMissing } from './install.mjs';

/** The oldest Node on which this file and npm run, as `engines` in package.json says, and the oldest that runs the rest. */
const OLDEST_NODE = 20;
const OLDEST_RUNTIME = 24;

const root = fileURLToPath(new URL('..', import.meta.url));
const [file, ...args] = process.argv.slice(2);
if (!file) fail('usage: node scripts/launch.mjs <file> [argument…]');
const version = process.versions.node;
// The pinned Node is a package for each platform, with its hash in the lockfile; other platforms have none.
const nodePackage = `node-${process.platform}-${process.arch}`;

if (parseInt(version, 10) < OLDEST_NODE)
  fail(
    `Node ${version} is too old: install Node ${OLDEST_RUNTIME} or newer from https://nodejs.org and start again`,
  );
const isPackage = file.startsWith('dist/');
if (!isPackage) {
  // The service itself runs where the development packages were left out.
  const fault = installMissing(root, nodePackage, !file.startsWith('src/'));
  if (fault) fail(fault);
}

// Where the pinned build is missing or cannot run (another platform or C library) the current Node is used.
const node = findPinnedNode() || process.execPath;
if (node === process.execPath && parseInt(version, 10) < OLDEST_RUNTIME)
  fail(
    `this needs Node ${OLDEST_RUNTIME} or newer, and this is Node ${version} (${nodePackage}, which would bring a newer one, is missing or does not run): install one from https://nodejs.org and start again`,
  );
const env = { ...process.env };
if (!env.NODE_COMPILE_CACHE) {
  const folder = compileCache();
  if (folder) env.NODE_COMPILE_CACHE = folder;
}
const isService = ['src/main.ts', 'dist/main.js'].includes(file) && args[0] === 'serve';
// In megabytes, as for the pipeline: without limits V8 lets garbage grow to four times what is in use. Options that are
// set already come later, and win.
if (isService)
  env.NODE_OPTIONS = `--max-old-space-size=1024 --max-semi-space-size=16 ${env.NODE_OPTIONS || ''}`;
/** The service is started again when it dies after having run this long; one that dies at its start has a fault to mend. */
const HEALTHY_MS = 10000;
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
      process.stderr.write(`the service died (${signal || `exit ${code}`}): starting it again\n`);
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

/** In a package npm may have put it beside us or above us. */
function findPinnedNode() {
  try {
    const path = createRequire(import.meta.url).resolve(`${nodePackage}/bin/node`);
    return spawnSync(path, ['--version']).status === 0 ? path : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Stripping types and compiling take half of a start, so what is compiled is kept: in a checkout beside the packages, for
 * a package, whose folder may be another user's, in the folder of this user. Node goes on without where it cannot write.
 */
function compileCache() {
  if (!isPackage) return join(root, 'node_modules', '.cache', 'compiled');
  const { XDG_CACHE_HOME, HOME } = process.env;
  const caches = XDG_CACHE_HOME || (HOME && join(HOME, '.cache'));
  return caches && join(caches, 'pocketwatch');
}

function fail(line) {
  process.stderr.write(`pocketwatch: ${line}\n`);
  process.exit(1);
}
