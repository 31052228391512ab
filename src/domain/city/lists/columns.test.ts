import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cityDir } from '../../../registry/city-dir.ts';
import { loadRegistry } from '../../../registry/load.ts';
import { columnList, plainEntry } from './columns.ts';
import { fromShared, shareRegistry } from './share-registry.ts';
import { toColumns } from './write-columns.ts';

interface Entry {
  id: string;
  size: number;
  words?: string[];
  open?: boolean;
  level?: number;
}

const entries: Entry[] = [
  { id: 'a', size: 1 },
  { id: '中峇鲁 ☂', size: -0.5, words: ['x', 'ÿ'], level: 0 },
  { id: 'a', size: 1e300, words: [], open: false },
];
const list = columnList<Entry>(toColumns(entries, []));

test('an entry has the fields of the object that it was made from, also where others have more', () => {
  assert.deepEqual(list.map(plainEntry), entries);
  assert.deepEqual(
    list.map(({ id, size, words, open, level }) => [id, size, words, open, level]),
    entries.map(({ id, size, words, open, level }) => [id, size, words, open, level]),
  );
  assert.deepEqual(JSON.parse(JSON.stringify(list)), entries);
  assert.equal(plainEntry(entries[0] as Entry), entries[0]);
});

test('neither the list nor an entry can be changed, nor what is in it', () => {
  assert.throws(() => (list as Entry[]).pop(), TypeError);
  assert.throws(() => Object.assign(list[0] as Entry, { size: 2 }), TypeError);
  assert.throws(() => list[1]?.words?.push('y'), TypeError);
});

test('a field that is a text in one entry and a number in another is refused', () => {
  for (const mixed of [
    [{ id: 'a' }, { id: 1 }],
    [{ id: 1 }, { id: 'a' }],
  ])
    assert.throws(() => toColumns(mixed, []), TypeError);
});

test('another thread has the same registry, and reads it from the same memory', () => {
  const registry = loadRegistry(cityDir('singapore'));
  const shared = shareRegistry(registry);
  const sent = structuredClone(shared);
  const { pockets, outlets, ...rest } = fromShared(sent);
  assert.deepEqual(
    { ...rest, pockets: pockets.map(plainEntry), outlets: outlets.map(plainEntry) },
    { ...registry, pockets: registry.pockets, outlets: registry.outlets },
  );
  assert.equal(shareRegistry({ ...registry, pockets }).pockets, sent.pockets, 'columns are written once');
  for (const { columns } of [shared.pockets, shared.outlets])
    for (const column of columns) {
      const { numbers } = column.kind === 'number' ? column : column.texts;
      assert.ok(numbers.buffer instanceof SharedArrayBuffer, column.name);
      if (column.kind !== 'number') assert.ok(column.texts.bytes.buffer instanceof SharedArrayBuffer);
    }
});

test('a text that many entries have is stored once, also in a long list; of others nothing is kept', () => {
  const many = Array.from({ length: 20_000 }, (_, n) => ({
    id: `entry ${n}`,
    kind: `kind ${n % 3}`,
    pair: `${n >> 1}`,
  }));
  const { columns } = toColumns(many, ['id']);
  const texts = Object.fromEntries(
    columns.flatMap((column) => (column.kind === 'number' ? [] : [[column.name, column.texts]])),
  );
  assert.equal(texts.kind?.starts.length, 4);
  assert.equal(texts.pair?.starts.length, 10_001);
  assert.deepEqual([texts.kind?.kept, texts.pair?.kept, texts.id?.kept], [true, true, true]);
  const alone = toColumns(many, []);
  assert.ok(
    alone.columns.some((column) => column.kind === 'text' && !column.texts.kept),
    'ids are not kept',
  );
  assert.deepEqual(columnList(alone).map(plainEntry), many);
});
