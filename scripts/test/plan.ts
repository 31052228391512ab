// Which test files run in which process. Starting a process and loading the modules costs more than most files' tests,
// so the files of a layer share one, unless they need one of their own.
import { dirname } from 'node:path';

export const allTests = ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'test/**/*.test.ts'];

/** `npm run test:fast`: SQLite only, no browser, no processes of the service, no long history. */
export const fastTests = [
  'src/{domain,ledger,verify,registry,sources,store,operations,http,web}/**/*.test.ts',
  'src/*.test.ts',
  'test/rooms.test.ts',
];

/** Files that have a process each: they start processes, change the environment or the priority of threads, or simulate weeks. */
const alone = [
  ...['test/process/', 'test/browser/', 'test/history/ledger', 'test/history/reports'],
  ...['test/http/mcp-clients', 'test/http/heavy', 'test/http/shares/heavy', 'src/store/rollup/'],
  ...['src/cli/runtime/lower-priority', 'src/cli/runtime/log-sink'],
];

/** Layers whose tests take too long to be one group, and folders that take too long to be in that of their layer. */
const divided = ['src/pipeline', 'test/http/pages', 'test/history/crowd'];

/** Layers whose tests take so little time that they are one group. */
const short = ['src', 'src/domain', 'src/ledger', 'src/registry', 'src/sources', 'src/verify', 'src/web'];

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
 * The longest groups, longest first, so that none is still running alone at the end. One that fills a template which
 * others wait for comes well before them.
 */
const longest = [
  ...overMonth,
  'test/process/kills',
  'src/pipeline/jobs/',
  'test/process/cli',
  'test/process/bench',
  'test/http/',
  'test/browser/journeys',
  'test/browser/conditions',
  'src/pipeline/backfill/',
  'test/history/crowd/',
  'test/history/ledger',
  'src/operations/',
  'test/city/',
  'test/process/store/backup',
  'test/history/',
  'src/store/rollup/',
  'test/process/',
  'test/browser/',
  'test/',
  'src/pipeline/',
  'src/cli/',
];

/** The lists of files, a list for each process, in the order in which they are to be started. */
export function plan(files: readonly string[]): string[][] {
  const groups = new Map<string, string[]>();
  for (const file of files.toSorted()) {
    const key = groupKey(file);
    groups.set(key, [...(groups.get(key) ?? []), file]);
  }
  return [...groups.values()].sort(([one = ''], [other = '']) => startRank(one) - startRank(other));
}

function startRank(file: string): number {
  const rank = longest.findIndex((start) => file.startsWith(start));
  return rank < 0 ? longest.length : rank;
}

function groupKey(file: string): string {
  const isIn = (list: readonly string[]) => list.some((start) => file.startsWith(start));
  if (isIn(overMonth)) return 'over a month';
  return isIn(alone) ? file : groupFolder(file);
}

/** A layer, except that the longer ones are divided by subject, and the short ones are together. */
function groupFolder(file: string): string {
  const folder = dirname(file);
  const layer = folder.split('/').slice(0, 2).join('/');
  if (short.includes(layer)) return 'src';
  return divided.some((one) => folder.startsWith(one)) ? folder.split('/').slice(0, 3).join('/') : layer;
}
