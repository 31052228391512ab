// The docs point at files and headings that exist.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { changelogSection } from '../scripts/release/changelog.ts';
import { packageVersion } from '../src/cli/runtime/build-id.ts';
import { INTERFACE_VERSION } from '../src/http/answers/app-context.ts';

const root = join(import.meta.dirname, '..');
const pages = ['*.md', 'docs/**/*.md'].flatMap((pattern) => globSync(pattern, { cwd: root }));
const readPage = (page: string): string => readFileSync(join(root, page), 'utf8');

/** The fragment that a Markdown renderer gives a heading. */
const headingAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

const pageAnchors = (page: string): Set<string> =>
  new Set([...readPage(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => headingAnchor(heading)));

test('every relative link leads to a file, and its fragment to a heading', () => {
  for (const page of pages) {
    for (const [, target = ''] of readPage(page).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const [path = '', fragment] = target.split('#');
      const file = path ? join(dirname(page), path) : page;
      assert.ok(existsSync(join(root, file)), `${page} links to ${target}`);
      if (fragment) assert.ok(pageAnchors(file).has(fragment), `${page} links to ${target}`);
    }
  }
});

test('every source file that a page names exists', () => {
  for (const page of pages) {
    for (const [, path = ''] of readPage(page).matchAll(
      /`((?:src|test|scripts|bench|migrations|docs)\/[\w./-]+)`/g,
    ))
      assert.ok(existsSync(join(root, path)), `${page} names ${path}`);
  }
});

test('lockfile and changelog have the version of the package, the docs of MCP that of the interface', () => {
  const version = packageVersion();
  const { packages, ...lock } = JSON.parse(readPage('package-lock.json'));
  assert.deepEqual([lock.version, packages[''].version], [version, version]);
  assert.ok(changelogSection(readPage('CHANGELOG.md'), version), version);
  assert.ok(readPage('docs/mcp/STATUS.md').includes(`\n- Version ${INTERFACE_VERSION} of the interface `));
  assert.equal(/^## (.+)$/m.exec(readPage('docs/mcp/CHANGELOG.md'))?.[1], INTERFACE_VERSION);
});
