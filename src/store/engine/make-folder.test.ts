import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeFolder } from './make-folder.ts';

test('makes what is missing, and says why it cannot', (t) => {
  const base = mkdtempSync(join(tmpdir(), 'pocketwatch-test-'));
  t.after(() => rmSync(base, { recursive: true }));
  const deep = join(base, 'a', 'b', 'c');
  makeFolder(deep);
  makeFolder(deep);
  assert.ok(statSync(deep).isDirectory());
  const file = join(base, 'file');
  writeFileSync(file, '');
  assert.throws(() => makeFolder(file), { code: 'EEXIST' });
  assert.throws(() => makeFolder(join(file, 'x')), { code: 'ENOTDIR' });
});

test('ends in a folder that lets nothing be made in it', { skip: process.platform !== 'linux' }, () => {
  for (const path of ['/proc/pocketwatch', '/proc/pocketwatch/data'])
    assert.throws(() => makeFolder(path), { code: 'ENOENT' });
});
