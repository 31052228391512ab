// Which test files run in which process. Starting a process and loading the modules costs more than most files' tests,
// so the files of a folder share one, unless they need one of their own.
import { dirname } from 'node:path';

export const allTests = ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'test/**/*.test.ts'];

/** `npm run test:fast`: SQLite only, no browser, no processes of the service, no long history. */
export const fastTests = [
  'src/{domain,ledger,verify,registry,sources,store,operations,http,web}/**/*.test.ts',
  'src/*.test.ts',
  'test/rooms.test.ts',
];

/**
 * Files that have a process each: they start processes, change the environment or the priority of threads, or simulate
 * weeks. The longest come first, so that none is still running alone at the end.
 */
const alone = ['test/process/', 'test/history/', 'test/browser/', 'src/pipeline/core/', 'test/', 'src/cli/'];

/** The lists of files, a list for each process, in the order in which they are to be started. */
export function plan(files: readonly string[]): string[][] {
  const groups = new Map<string, string[]>();
  for (const file of files.toSorted()) {
    const key = rankOf(file) < alone.length ? file : folderOf(file);
    groups.set(key, [...(groups.get(key) ?? []), file]);
  }
  return [...groups.values()].sort(([one = ''], [other = '']) => rankOf(one) - rankOf(other));
}

function rankOf(file: string): number {
  const rank = alone.findIndex((folder) => file.startsWith(folder));
  return rank < 0 ? alone.length : rank;
}

/** `src/domain` is quick enough to be one group; of other layers each subject is. */
function folderOf(file: string): string {
  const [top = '', layer = '', subject = ''] = dirname(file).split('/');
  return layer === 'domain' ? `${top}/${layer}` : `${top}/${layer}/${subject}`;
}
