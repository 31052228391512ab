import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { changelogSection } from './release/changelog.ts';
import { makeRelease } from './release/make-release.ts';

const CHANGELOG = `# Changes

## 1.0.2 (unreleased)

Later.

## 1.0.1 (2026-12-01)

Repairs the map.

### Upgrade

Nothing to do.

## 1.0.0 (2026-11-18)

The first.
`;
const SECTION = 'Repairs the map.\n\n### Upgrade\n\nNothing to do.';

/** A repository whose commit on main is ready to be released as 1.0.1. */
function repository(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), 'release-'));
  t.after(() => rmSync(root, { recursive: true }));
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const write = (file: string, text: string) => writeFileSync(join(root, file), text);
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Somebody');
  git('config', 'user.email', 'somebody@watch.example');
  git('config', 'tag.gpgSign', 'false');
  write('CHANGELOG.md', CHANGELOG);
  mkdirSync(join(root, 'test/stores/1.0.1'), { recursive: true });
  write('test/stores/1.0.1/sqlite.zst', 'a store');
  for (const file of ['package.json', 'package-lock.json']) write(file, '{ "version": "1.0.1" }');
  git('add', '.');
  git('-c', 'commit.gpgSign=false', 'commit', '--quiet', '--message=ready');
  let suites = 0;
  const release = (version: string, { passes = true, dryRun = false, during = () => {} } = {}) =>
    makeRelease({
      ...{ root, version, dryRun },
      runTests: () => {
        suites += 1;
        during();
        return passes;
      },
    });
  return { root, git, write, release, suites: () => suites };
}

test('a release is an annotated tag that carries its section of the changelog', (t) => {
  const { git, release, suites } = repository(t);
  git('tag', 'v1.0.0');
  git('tag', 'v2.0.0-rc.1'); // No version of a release.
  assert.deepEqual(release('1.0.1', { dryRun: true }), { tag: 'v1.0.1', message: SECTION });
  assert.equal(git('tag', '--list', 'v1.0.1'), '');
  assert.equal(suites(), 1);

  release('1.0.1');
  assert.equal(git('cat-file', '-t', 'v1.0.1'), 'tag');
  assert.equal(git('rev-parse', 'v1.0.1^{commit}'), git('rev-parse', 'HEAD'));
  assert.equal(git('tag', '--list', '--format=%(contents)', 'v1.0.1'), `v1.0.1\n\n${SECTION}`);
  assert.throws(() => release('1.0.1'), { message: '1.0.1 is not greater than the newest tag, v1.0.1' });
});

test('everything that is wrong is named before the suite runs', (t) => {
  const { git, write, release, suites } = repository(t);
  git('checkout', '--quiet', '-b', 'work');
  for (const tag of ['v1.0.9', 'v1.0.10']) git('tag', tag);
  write('package.json', '{ "version": "1.0.0" }');
  write('notes', '');
  assert.throws(() => release('1.0.2'), {
    message: `the tree has changes that are not committed:
 M package.json
?? notes
the branch is work: releases are made on main
1.0.2 is not greater than the newest tag, v1.0.10
package.json has the version 1.0.0
package-lock.json has the version 1.0.1
CHANGELOG.md has no section with a date and a text, "## 1.0.2 (YYYY-MM-DD)"
test/stores has no store of 1.0.2: run npm run save-store and commit what it writes`,
  });
  assert.equal(suites(), 0);
});

test('a suite that fails, or that leaves files behind, makes no tag', (t) => {
  const { root, git, release } = repository(t);
  assert.throws(() => release('1.0.1', { passes: false }), { message: 'npm run test:all fails' });
  const during = () => appendFileSync(join(root, 'left-behind'), '');
  assert.throws(() => release('1.0.1', { during }), /not committed:\n\?\? left-behind$/);
  assert.equal(git('tag'), '');
});

test('a section has a date and a text', () => {
  const table: [changelog: string, section: string | undefined][] = [
    [CHANGELOG, SECTION],
    ['## 1.0.1 (2026-12-01)\n\nText.\n', 'Text.'],
    ['## 1.0.1\n\nText.\n', undefined],
    ['## 1.0.1 (unreleased)\n\nText.\n', undefined],
    ['## 1.0.1 (2026-13-01)\n\nText.\n', undefined],
    ['## 1.0.1 (2026-12-01)\n\n## 1.0.0 (2026-11-18)\n\nText.\n', undefined],
    ['## 1.0.10 (2026-12-01)\n\nText.\n', undefined],
    ['### 1.0.1 (2026-12-01)\n\nText.\n', undefined],
  ];
  for (const [changelog, section] of table)
    assert.equal(changelogSection(changelog, '1.0.1'), section, changelog);
});
