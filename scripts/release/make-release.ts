// Tags a version, once everything that a release promises holds of the tree (docs/versions.md).
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../../src/domain/text/operator-error.ts';
import { changelogSection } from './changelog.ts';

export interface ReleaseRequest {
  /** The folder of the repository. */
  root: string;
  version: string;
  /** Whether the suite passes. */
  runTests: () => boolean;
  dryRun: boolean;
}

export class ReleaseError extends OperatorError {}

export const isVersion = (text: string): boolean => /^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(text);

/** Makes an annotated tag with the changelog's section as its message, and returns both. */
export function makeRelease({ root, version, runTests, dryRun }: ReleaseRequest) {
  const commit = git(root, ['rev-parse', 'HEAD']);
  refuseFaults(root, version);
  if (!runTests()) throw new ReleaseError('npm run test:all fails');
  // The suite takes minutes, and may itself write files.
  refuseFaults(root, version);
  const tag = `v${version}`;
  const message = changelogSection(read(root, 'CHANGELOG.md'), version) ?? '';
  // Headings begin with #, which git would take for comments.
  if (!dryRun)
    git(
      root,
      ['tag', '--annotate', '--cleanup=whitespace', '--file=-', tag, commit],
      `${tag}\n\n${message}\n`,
    );
  return { tag, message };
}

function refuseFaults(root: string, version: string): void {
  const faults = findFaults(root, version);
  if (faults.length > 0) throw new ReleaseError(faults.join('\n'));
}

function findFaults(root: string, version: string): string[] {
  const changes = git(root, ['status', '--porcelain']);
  const branch = git(root, ['branch', '--show-current']);
  const newest = git(root, ['tag', '--list', 'v*'])
    .split('\n')
    .map((tag) => tag.slice(1))
    .filter(isVersion)
    .sort(compareVersions)
    .at(-1);
  const others = ['package.json', 'package-lock.json'].flatMap((file) => {
    const found: unknown = JSON.parse(read(root, file)).version;
    return found === version ? [] : [`${file} has the version ${found}`];
  });
  return [
    ...(changes ? [`the tree has changes that are not committed:\n${changes}`] : []),
    ...(branch === 'main' ? [] : [`the branch is ${branch || 'none'}: releases are made on main`]),
    ...(newest === undefined || compareVersions(version, newest) > 0
      ? []
      : [`${version} is not greater than the newest tag, v${newest}`]),
    ...others,
    ...(changelogSection(read(root, 'CHANGELOG.md'), version) === undefined
      ? [`CHANGELOG.md has no section with a date and a text, "## ${version} (YYYY-MM-DD)"`]
      : []),
    ...(existsSync(join(root, 'test/stores', version))
      ? []
      : [`test/stores has no store of ${version}: run npm run save-store and commit what it writes`]),
  ];
}

const compareVersions = (one: string, other: string): number =>
  one.localeCompare(other, 'en', { numeric: true });

const read = (root: string, file: string): string => readFileSync(join(root, file), 'utf8');

function git(root: string, args: string[], input = ''): string {
  return execFileSync('git', args, { cwd: root, input, encoding: 'utf8' }).trimEnd();
}
