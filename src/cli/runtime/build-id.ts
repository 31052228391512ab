import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8').trim();

/** That of package.json. The interface has a version of its own (docs/decisions/073). */
export const packageVersion = (): string => (JSON.parse(read('package.json')) as { version: string }).version;

/** The package version, with the commit if this is a git checkout. */
export function buildId(): string {
  const version = packageVersion();
  try {
    const head = read('.git/HEAD');
    const commit = head.startsWith('ref: ') ? read(`.git/${head.slice(5)}`) : head;
    return `${version}+${commit.slice(0, 12)}`;
  } catch {
    return version;
  }
}
