import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { BlockFile } from './block-file.ts';

async function scratchFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'block-file-'));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

const block = (length: number, byte: number): Uint8Array => new Uint8Array(length).fill(byte);

test('blocks come back as they were put last, whatever else was put and of whatever size', async (t) => {
  const folder = await scratchFolder(t);
  const puts = fc.array(
    fc.record({
      key: fc.constantFrom('d0001', 'd0002', 'd0003'),
      lengths: fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 4 }),
      byte: fc.integer({ min: 0, max: 255 }),
    }),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(puts, (list) => {
      const file = new BlockFile(folder, -1);
      const last = new Map<string, Uint8Array[]>();
      for (const { key, lengths, byte } of list) {
        const taken = file.take(key);
        assert.deepEqual(taken, last.get(key));
        const blocks = lengths.map((length) => block(length, byte));
        assert.equal(file.put(key, blocks), true);
        last.set(
          key,
          lengths.map((length) => block(length, byte)),
        );
      }
      for (const [key, blocks] of last) assert.deepEqual(file.take(key), blocks);
    }),
    { numRuns: 50 },
  );
});

test('those that fit in memory stay there, and the same ones each time', async (t) => {
  const file = new BlockFile(await scratchFolder(t), 25);
  for (let round = 0; round < 3; round += 1) {
    assert.equal(file.put('d0001', [block(10, 1)]), false);
    assert.equal(file.put('d0002', [block(10, 2), block(5, 2)]), false);
    assert.equal(file.put('d0003', [block(1, 3)]), true);
    assert.equal(file.take('d0001'), undefined);
    assert.deepEqual(file.take('d0003'), [block(1, 3)]);
  }
});

test('the file has no name, so that nothing is left behind', async (t) => {
  const folder = await scratchFolder(t);
  assert.equal(new BlockFile(folder, 0).put('d0001', [block(10, 1)]), true);
  assert.deepEqual(await readdir(folder), []);
});

test('what cannot be written stays in memory', () => {
  const file = new BlockFile(join(tmpdir(), 'no such folder'), 0);
  assert.equal(file.put('d0001', [block(10, 1)]), false);
  assert.equal(file.take('d0001'), undefined);
});
