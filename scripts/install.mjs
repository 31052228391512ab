// Installs the packages of a checkout before anything else of it can run. As launch.mjs: no dependencies, old syntax.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** What npm's error codes mean, and what to do. */
const network = 'check the network and the proxy that npm uses, then start again';
const unknownHost = `the host of the package registry cannot be found: ${network}`;
const unreachable = `the package registry cannot be reached: ${network}`;
const unwritable = 'a folder cannot be written to: give yourself the right to, then start again';
const meanings = {
  EAI_AGAIN: unknownHost,
  ENOTFOUND: unknownHost,
  ECONNREFUSED: `the package registry refuses the connection: ${network}`,
  ECONNRESET: unreachable,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  ERR_SOCKET_TIMEOUT: unreachable,
  ETIMEDOUT: unreachable,
  ENOTCACHED: 'npm is set to work offline and lacks packages: unset its option "offline", then start again',
  ENOSPC: 'the disk is full: make room (about 500 MB), then start again',
  EACCES: unwritable,
  EPERM: unwritable,
  EROFS: unwritable,
};

/** Installs what is missing or of another version than the lockfile says. Returns what went wrong, in one line. */
export function installMissing(root, nodePackage, needsDev) {
  const wanted = readPackages(join(root, 'package-lock.json'));
  if (!wanted) return `no readable package-lock.json in ${root}`;
  // npm writes its own record of what is installed last, so an install that was cut short has none.
  const found = readPackages(join(root, 'node_modules', '.package-lock.json')) || {};
  const entries = Object.entries(wanted).filter(([path]) => path !== '');
  const hasDev = entries.some(([path, { dev }]) => dev && found[path]);
  const withDev = needsDev || hasDev;
  const absent = entries.filter(([path, { optional, devOptional, dev }]) => {
    if (found[path]) return false;
    // npm skips an optional package that it could not fetch, and says nothing.
    return path === `node_modules/${nodePackage}` || !(optional || devOptional || (dev && !needsDev));
  });
  const isStale = entries.some(
    ([path, { version, integrity }]) =>
      found[path] && (found[path].version !== version || found[path].integrity !== integrity),
  );
  if (!isStale && absent.length === 0) return undefined;
  // "npm ci" would first remove the packages with which a service may be running.
  const isAddition = !isStale && absent.every(([, { dev }]) => dev);
  return install(root, isAddition ? ['install', '--no-save'] : ['ci'], withDev);
}

function readPackages(lockfile) {
  try {
    return JSON.parse(readFileSync(lockfile, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

function install(root, command, withDev) {
  try {
    accessSync(root, constants.W_OK);
  } catch {
    return `the packages cannot be installed, because ${root} cannot be written to: make it writable or copy it elsewhere, then start again`;
  }
  process.stderr.write(
    `installing the packages that ${withDev ? 'running and testing need' : 'running needs'}; this takes a minute or two…\n`,
  );
  // npm must not run on the Node that it is about to replace.
  const path = (process.env.PATH || '')
    .split(delimiter)
    .filter((entry) => !entry.startsWith(join(root, 'node_modules')));
  const dev = withDev ? '--include=dev' : '--omit=dev';
  const npm = spawnSync('npm', [...command, dev, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    env: {
      // Without a network npm would wait for a minute or two before it says so.
      npm_config_fetch_retry_mintimeout: '2000',
      npm_config_fetch_retry_maxtimeout: '10000',
      ...process.env,
      PATH: path.join(delimiter),
    },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (npm.status === 0) return undefined;
  if (npm.error && npm.error.code === 'ENOENT')
    return 'there is no npm on the PATH: install it (it comes with Node), then start again';
  const reason = npm.error ? npm.error.message : npmFault(npm.stderr, npm.signal);
  return `npm could not install the packages, and nothing was started: ${reason}`;
}

/** Of what npm says: the meaning of its error code, or else its first sentence, and where the rest is. */
function npmFault(output, signal) {
  const lines = output.split('\n').map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim());
  const value = (name) => {
    const line = lines.find((text) => text.startsWith(`${name} `));
    return line ? line.slice(name.length + 1) : '';
  };
  const code = value('code');
  const sentence = lines.find((line) => line && !/^(code|syscall|errno|path|dest) /.test(line));
  const meaning = meanings[code] || sentence || `it ended with ${signal || 'no word'}`;
  const place = meaning === unwritable && value('path') ? ` (${value('path')})` : '';
  const log = /(\/\S.*_logs\/.*\.log)/.exec(output);
  return `${code ? `${code}, ` : ''}${meaning}${place}${log ? `; npm's log is ${log[1]}` : ''}`;
}
