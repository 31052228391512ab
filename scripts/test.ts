// npm test: types and lint, then every test with a PostgreSQL server beside it.
// npm test -- <file or pattern>… [--test-… option]: only these, without the check.
import { type ChildProcess, spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { availableParallelism, constants } from 'node:os';
import { join } from 'node:path';
import { isatty } from 'node:tty';
import { borrowServer } from '../test/support/postgres-server.ts';

const root = join(import.meta.dirname, '..');
const everything = ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'test/**/*.test.ts'];
const testLimit = 240_000;
const runLimit = 20 * 60_000;

const { patterns, options } = readArguments(process.argv.slice(2));
const chosen = patterns.length > 0 || options.some((option) => option.startsWith('--test-name-pattern'));
const files = globSync(patterns.length > 0 ? patterns : everything, { cwd: root, exclude: ['node_modules'] });
const unmatched = patterns.filter((pattern) => globSync(pattern, { cwd: root }).length === 0);
for (const pattern of unmatched) process.stderr.write(`No test file matches ${pattern}\n`);

let child: ChildProcess | undefined;
let stopped: NodeJS.Signals | undefined;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    stopped = signal;
    // A terminal sends Ctrl-C to the whole process group: the child has had it already.
    if (signal !== 'SIGINT' || !isatty(0)) child?.kill(signal);
  });
}

process.exitCode = unmatched.length > 0 ? 1 : await checkAndTest();
if (stopped) process.exitCode = 128 + constants.signals[stopped];

async function checkAndTest(): Promise<number> {
  const borrowing = borrowServer();
  const checked = chosen ? 0 : await run([join('scripts', 'check.ts')]);
  const server = await borrowing;
  try {
    if (checked !== 0 || stopped) return 1;
    if (process.env.TEST_DATABASE_URL && !server.url) {
      process.stderr.write(`${server.about}\n`);
      return 1;
    }
    const report = () => (server.url ? process.stdout.write(`${server.about}\n`) : warn(server.about));
    report();
    const code = await test(
      server.url ? { TEST_DATABASE_URL: server.url, TEST_DATABASE_ABOUT: server.about } : {},
    );
    report();
    return code;
  } finally {
    await server.giveBack();
  }
}

async function test(env: NodeJS.ProcessEnv): Promise<number> {
  const defaults = [
    `--test-concurrency=${Math.max(2, availableParallelism())}`,
    `--test-timeout=${testLimit}`,
    '--test-reporter=spec',
  ].filter((option) => !options.some((given) => given.split('=')[0] === option.split('=')[0]));
  const watch = setTimeout(() => {
    process.stderr.write('The tests take too long: ended.\n');
    child?.kill('SIGTERM');
  }, runLimit);
  const code = await run(['--test', ...defaults, ...options, ...files], env);
  clearTimeout(watch);
  return code;
}

function run(args: string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  return new Promise((done, refuse) => {
    child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
    child.once('error', refuse);
    child.once('exit', (code) => {
      child = undefined;
      done(code ?? 1);
    });
  });
}

/** Options of `node --test` take their value after `=` or as the next argument. */
function readArguments(args: string[]): { patterns: string[]; options: string[] } {
  const patterns: string[] = [];
  const options: string[] = [];
  const flags = ['--test-only', '--test-force-exit', '--test-update-snapshots'];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? '';
    if (!arg.startsWith('-')) patterns.push(arg);
    else if (arg.startsWith('--test-') && !arg.includes('=') && !flags.includes(arg)) {
      i += 1;
      options.push(`${arg}=${args[i] ?? ''}`);
    } else options.push(arg);
  }
  return { patterns, options };
}

function warn(reasons: string): void {
  const lines = ['NO POSTGRESQL: the tests that need it are skipped.', ...reasons.split('\n')];
  const tail = 'Install PostgreSQL, or give a server in TEST_DATABASE_URL.';
  const bar = '!'.repeat(72);
  process.stderr.write(`\n${bar}\n${[...lines, tail].map((line) => `!! ${line}`).join('\n')}\n${bar}\n\n`);
}
