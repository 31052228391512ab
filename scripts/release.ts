// Makes the tag of a release: see docs/versions.md.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { flag, parseOptions, print, say, UsageError } from '../src/cli/runtime/command.ts';
import { OperatorError } from '../src/domain/text/operator-error.ts';
import { isVersion, makeRelease } from './release/make-release.ts';

const HELP = `npm run release -- VERSION [--dry-run]

Runs the suite and tags this commit as vVERSION, with the section of CHANGELOG.md as the message. Refuses a tree with
changes that are not committed, a branch other than main, a version that is not greater than the newest tag, a
package.json or CHANGELOG.md without that version, and a suite that fails. Pushes nothing.

  --dry-run   everything but the tag
  --help      this text`;

const root = join(import.meta.dirname, '..');

function main(args: string[]): void {
  const { values, positionals } = parseOptions(args, { 'dry-run': flag, help: flag });
  if (values.help) {
    print(HELP);
    return;
  }
  const [version = '', ...rest] = positionals;
  if (!isVersion(version) || rest.length > 0) throw new UsageError('give one version, such as 1.0.1');
  const dryRun = values['dry-run'] === true;
  const runTests = () => spawnSync('npm', ['run', 'test:all'], { cwd: root, stdio: 'inherit' }).status === 0;
  const { tag, message } = makeRelease({ root, version, runTests, dryRun });
  print(`${tag}\n\n${message}\n`);
  say(dryRun ? `${tag} could be made` : `${tag} is made; publish it with: git push origin ${tag}`);
}

try {
  main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  say(`release: ${error.message}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
