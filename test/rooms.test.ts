// Imports run one way, as the table of layers in ARCHITECTURE.md says; files and folders stay small.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');
const architecture = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');

const layers = new Map(
  [...architecture.matchAll(/^\| `src\/(\w+)`[^|]*\|[^|]*\|([^|]*)\|$/gm)].map(
    ([, layer = '', allowed = '']) => [layer, allowed.split(',').map((name) => name.trim())],
  ),
);

const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
);

const imports = (file: string): string[] =>
  [...readFileSync(join(root, 'src', file), 'utf8').matchAll(/from '([^']+)'/g)].map(([, from = '']) => from);

test('every folder of src is a layer of the table', () => {
  const folders = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  for (const { name } of folders) assert.ok(layers.has(name), name);
});

test('no layer imports from one that it may not', () => {
  for (const file of sources) {
    const [layer = ''] = file.split('/');
    const allowed = layers.get(layer);
    if (!allowed || allowed.includes('all')) continue;
    for (const from of imports(file).filter((path) => path.startsWith('.'))) {
      const target = join(file, '..', from).split('/')[0] ?? '';
      const own = target === layer || (allowed.includes(target) && !allowed.includes('itself'));
      assert.ok(own, `src/${file} imports ${from}`);
    }
  }
});

test('the domain uses no clock, environment, I/O or randomness', () => {
  for (const file of sources.filter((name) => /^(domain|ledger)\//.test(name))) {
    const text = readFileSync(join(root, 'src', file), 'utf8');
    assert.doesNotMatch(text, /Date\.now|new Date\(\)|Math\.random|process\.|performance\./, file);
    const outside = imports(file).filter((from) => !from.startsWith('.') && from !== 'node:crypto');
    assert.deepEqual(outside, [], file);
  }
});

test('one place reads the environment', () => {
  const readers = sources.filter((file) =>
    /process\.env/.test(readFileSync(join(root, 'src', file), 'utf8')),
  );
  for (const file of readers) assert.match(file, /^cli\//, `${file} passes the environment to config.ts`);
});

test('files stay small', () => {
  for (const file of sources) {
    const lines = readFileSync(join(root, 'src', file), 'utf8').split('\n').length;
    assert.ok(lines <= 320, `src/${file} has ${lines} lines: split it`);
  }
});

test('folders stay small', () => {
  const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' });
  const files = [
    ...sources.map((file) => `src/${file}`),
    ...tests.filter((file) => file.endsWith('.ts')).map((file) => `test/${file}`),
  ];
  for (const [folder, own] of Map.groupBy(files, (file) => dirname(file)))
    assert.ok(own.length <= 18, `${folder} has ${own.length} files: group them into folders`);
});

/** Fails with the first circle that `next` leads through. */
function assertNoCycle(nodes: Iterable<string>, next: (node: string) => Iterable<string>): void {
  const state = new Map<string, 'open' | 'done'>();
  const visit = (node: string, path: readonly string[]): void => {
    assert.notEqual(state.get(node), 'open', [...path, node].join(' → '));
    if (state.get(node) === 'done') return;
    state.set(node, 'open');
    for (const target of next(node)) visit(target, [...path, node]);
    state.set(node, 'done');
  };
  for (const node of nodes) visit(node, []);
}

const filesImportedBy = (file: string): string[] =>
  imports(file)
    .filter((target) => target.startsWith('.'))
    .map((target) => join(dirname(file), target))
    .filter((target) => sources.includes(target));

test('no imports form a cycle', () => assertNoCycle(sources, filesImportedBy));

for (const layer of ['domain', 'http', 'pipeline', 'cli'])
  test(`no folders of ${layer} import each other`, () => {
    // A folder inside another is a part of it.
    const roomFolder = (file: string) => file.split('/').slice(0, 2).join('/');
    const inLayer = (file: string) => file.startsWith(`${layer}/`) && file.split('/').length > 2;
    const folders = Map.groupBy(sources.filter(inLayer), roomFolder);
    assert.ok(folders.size > 1);
    assertNoCycle(folders.keys(), (folder) => {
      const targets = folders.get(folder)?.flatMap(filesImportedBy).filter(inLayer).map(roomFolder) ?? [];
      return new Set(targets.filter((target) => target !== folder));
    });
  });
