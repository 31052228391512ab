// npm test: types and lint, then the tests of every change, with a PostgreSQL server beside it, and samples of the long ones.
// npm run test:all: the same with all of the long tests, as CI runs it.
// npm run test:fast: the tests that need neither PostgreSQL nor a browser nor processes, without the check.
// npm test -- <file or pattern>… [--test-… option]: only these, without the check.
import { globSync } from 'node:fs';
import { constants } from 'node:os';
import { join, relative } from 'node:path';
import { startServer } from '../test/support/stores/postgres-server.ts';
import { memoryFolder } from '../test/support/stores/run-folder.ts';
import { startTemplates } from '../test/support/stores/templates.ts';
import { readArguments } from './test/arguments.ts';
import { allTests, everydayOptions, fastTests, isLong, plan } from './test/plan.ts';
import { Runner } from './test/runner.ts';
import { sampleProcesses } from './test/samples.ts';

const root = join(import.meta.dirname, '..');
const runLimit = 45 * 60_000;
/** How many of the slowest files are named at the end; TEST_SLOWEST=1000 names all, of chosen files too. */
const SLOWEST = Number(process.env.TEST_SLOWEST ?? 10);

const { patterns, options, extent } = readArguments(process.argv.slice(2));
const isChosen =
  extent === 'fast' || patterns.length > 0 || options.some((o) => o.startsWith('--test-name-pattern'));
const found = globSync(patterns.length > 0 ? patterns : extent === 'fast' ? fastTests : allTests, {
  cwd: root,
  exclude: ['node_modules'],
});
const files = patterns.length > 0 || extent !== 'everyday' ? found : found.filter((file) => !isLong(file));
const groups = plan(files).map((group) =>
  isChosen || extent !== 'everyday' ? group : [...everydayOptions(group), ...group],
);
const sampled = isChosen || extent !== 'everyday' ? [] : sampleProcesses();
const unmatched = patterns.filter((pattern) => globSync(pattern, { cwd: root }).length === 0);
for (const pattern of unmatched) process.stderr.write(`No test file matches ${pattern}\n`);

const runner = new Runner(root);
process.exitCode = unmatched.length > 0 ? 1 : await checkAndTest();
if (runner.stoppedBy) process.exitCode = 128 + constants.signals[runner.stoppedBy];

async function checkAndTest(): Promise<number> {
  if (extent === 'fast') return test({});
  const starting = startServer({ ...process.env, TEST_POSTGRES_FOLDER: await memoryFolder() });
  const checked = isChosen ? 0 : await runner.run([join('scripts', 'check.ts')]);
  const server = await starting;
  try {
    if (checked !== 0 || runner.stoppedBy) return 1;
    if (process.env.TEST_DATABASE_URL && !server.url) {
      process.stderr.write(`${server.about}\n`);
      return 1;
    }
    const report = () => (server.url ? process.stdout.write(`${server.about}\n`) : warn(server.about));
    report();
    return await test(
      server.url ? { TEST_DATABASE_URL: server.url, TEST_DATABASE_ABOUT: server.about } : {},
      report,
    );
  } finally {
    await server.stop();
  }
}

/** The last line is the sum of all processes, whatever they have printed. */
async function test(database: NodeJS.ProcessEnv, report = () => {}): Promise<number> {
  const templates = await startTemplates(database.TEST_DATABASE_URL);
  const watch = setTimeout(() => {
    process.stderr.write('The tests take too long: ended.\n');
    runner.stop('SIGTERM');
  }, runLimit);
  try {
    const env = { TEST_DATABASE_URL: '', ...database, ...templates.env };
    const { counts, ok } = await runner.test([...sampled, ...groups], options, env);
    report();
    if (!isChosen || process.env.TEST_SLOWEST) process.stdout.write(slowest(counts.durations));
    process.stdout.write(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
    return ok && !runner.stoppedBy ? 0 : 1;
  } finally {
    clearTimeout(watch);
    await templates.remove();
  }
}

/** The files whose tests took longest, so that the next one to make faster is known. */
function slowest(durations: Readonly<Record<string, number>>): string {
  const files = Object.entries(durations).sort(([, one], [, other]) => other - one);
  const lines = files
    .slice(0, SLOWEST)
    .map(([file, ms]) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${relative(root, file)}`);
  return `the slowest files:\n${lines.join('\n')}\n`;
}

function warn(reasons: string): void {
  const lines = ['NO POSTGRESQL: the tests that need it are skipped.', ...reasons.split('\n')];
  const tail = 'Install PostgreSQL, or give a server in TEST_DATABASE_URL.';
  const bar = '!'.repeat(72);
  process.stderr.write(`\n${bar}\n${[...lines, tail].map((line) => `!! ${line}`).join('\n')}\n${bar}\n\n`);
}
