// Which test files run in which process. Starting a process and loading the modules costs more than most files' tests,
// so the files of a layer share one, unless they need one of their own.
import { dirname } from 'node:path';

export const allTests = ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'test/**/*.test.ts'];

/** `npm run test:fast`: SQLite only, no browser, no processes of the service, no long history. */
export const fastTests = [
  'src/{domain,ledger,metrics,verify,registry,sources,store,operations,http,web}/**/*.test.ts',
  'src/*.test.ts',
  'test/rooms.test.ts',
];

/**
 * Of these `npm test` runs no more than the samples (samples.ts), and `npm run test:all`, and so CI, every test: they are few
 * and take most of the time. They play weeks and months, kill processes and servers, edit a store dozens of times, need
 * another program, or do on the slower engine what they have done on the other.
 */
const long = [
  ...['test/history/', 'test/process/', 'test/http/heavy/', 'test/http/reads/', 'test/http/shares/'],
  ...['mcp-clients', 'docs/openapi-conditions', 'docs/typed-client'].map(
    (name) => `test/http/${name}.test.ts`,
  ),
  ...['conditions', 'outage', 'page-craft', 'ten-journeys'].map((name) => `test/browser/${name}.test.ts`),
  ...['src/pipeline/backfill/', 'src/pipeline/publish/', 'test/verify/tampers.test.ts'],
  ...['core/pipeline-state', 'core/pocket-forecaster'].map((name) => `src/pipeline/${name}.test.ts`),
  ...['jobs/reports-by-district', 'schedule/run-districts'].map((name) => `src/pipeline/${name}.test.ts`),
  ...['prediction/forecast-figures', 'rollup/days', 'rollup/rollups'].map(
    (name) => `src/store/${name}.test.ts`,
  ),
  'scripts/skill/',
];

/** Of `test/process`: that the service starts, answers and stops. */
const everyday = ['first-start', 'shutdown'].map((name) => `test/process/${name}.test.ts`);

export const isLong = (file: string): boolean =>
  long.some((start) => file.startsWith(start)) && !everyday.includes(file);

/** What `npm test` runs on SQLite alone: it answers from what the store reads, which is tested on both engines. */
const onSqlite = ['src/operations/'];

/** The options of a group of files of `npm test`. */
export const everydayOptions = (files: readonly string[]): string[] =>
  files.every((file) => onSqlite.some((start) => file.startsWith(start)))
    ? ['--test-skip-pattern=/, on PostgreSQL$/']
    : [];

/** Files that have a process each: they start processes, change the environment or the priority of threads, or simulate weeks. */
const alone = [
  ...['test/process/', 'test/history/ledger', 'test/history/reports'],
  ...['test/http/mcp-clients', 'test/http/heavy', 'test/http/shares/heavy', 'src/store/rollup/'],
  ...['src/cli/runtime/lower-priority', 'src/cli/runtime/log-sink'],
];

/** Layers whose tests take too long to be one group, and folders that take too long to be in that of their layer. */
const divided = [
  ...['backfill', 'jobs', 'publish'].map((name) => `src/pipeline/${name}`),
  ...['test/http/pages', 'test/history/crowd'],
];

/** Layers whose tests take so little time that they are one group. */
const shortLayers = [
  'scripts',
  'src',
  'src/domain',
  'src/ledger',
  'src/metrics',
  'src/registry',
  'src/sources',
  'src/verify',
  'src/web',
  'test',
  'test/support',
];

/** Of these: what runs commands of operators, in the test's process and in short ones, shares one for each subject. */
const operators = ['feed-keys', 'ledger-key', 'operator-outlets', 'operator-records', 'wrong-clock'].map(
  (name) => `test/process/${name}.test.ts`,
);
const keptRows = ['archived-ledger', 'maintain', 'months', 'removed-months-kills'].map(
  (name) => `test/process/store/${name}.test.ts`,
);

/** The names of groups that are not those of a file or a folder. */
const OPERATORS = 'test/process, operators';
const KEPT_ROWS = 'test/process, kept rows';
const OVER_MONTH = 'over a month';
const SHORT = 'short layers';

/** Files that ask one service over a month, in a process that writes it once. */
const overMonth = [
  ...[
    'test/history/month-',
    'test/history/month/',
    'test/history/decisions-agree',
    'test/history/same-words',
  ],
  'test/browser/page-craft',
];

/**
 * The longest groups by their file, folder or name, longest first, so that none is still running alone at the end. One that fills a template which
 * others wait for comes well before them.
 */
const longest = [
  OVER_MONTH,
  'test/process/kills',
  'test/http',
  'src/store',
  'src/pipeline/jobs',
  'test/process/cli',
  'test/verify',
  'test/browser',
  'test/history',
  'test/city',
  SHORT,
  'src/operations',
  'test/process/store/backup',
  'test/process',
  'src/pipeline',
  'src/cli',
];

/** Runs when all others have ended: a proxy takes a process that a busy machine delays for one that has gone. */
const LAST = 'test/process/deployment/rolling-restart';

export const runsAlone = (files: readonly string[]): boolean => files.some((file) => file.startsWith(LAST));

/** The lists of files, a list for each process, in the order in which they are to be started. */
export function plan(files: readonly string[]): string[][] {
  const groups = new Map<string, string[]>();
  for (const file of files.toSorted()) {
    const key = groupKey(file);
    groups.set(key, [...(groups.get(key) ?? []), file]);
  }
  return [...groups].sort(([one], [other]) => startRank(one) - startRank(other)).map(([, group]) => group);
}

function startRank(key: string): number {
  const rank = longest.findIndex((start) => key.startsWith(start));
  return rank < 0 ? longest.length : rank;
}

function groupKey(file: string): string {
  const isIn = (list: readonly string[]) => list.some((start) => file.startsWith(start));
  if (isIn(overMonth)) return OVER_MONTH;
  if (operators.includes(file)) return OPERATORS;
  if (keptRows.includes(file)) return KEPT_ROWS;
  return isIn(alone) ? file : groupFolder(file);
}

/** A layer, except that the longer ones are divided by subject, and the short ones are together. */
function groupFolder(file: string): string {
  const folder = dirname(file);
  const layer = folder.split('/').slice(0, 2).join('/');
  if (shortLayers.includes(layer) || layer.startsWith('scripts/')) return SHORT;
  return divided.some((one) => folder.startsWith(one)) ? folder.split('/').slice(0, 3).join('/') : layer;
}
