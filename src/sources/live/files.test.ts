import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { Compile } from 'typebox/schema';
import type { Poll } from '../core/adapter.ts';
import {
  type FilesSettings,
  type FolderFile,
  filesSettings,
  listFolder,
  newFiles,
  parseFeedFile,
  type SeenFiles,
} from './files.ts';
import { asLine, recipe, recipePoll, recipes } from './recipes.fixture.ts';

const file = (name: string, size = 10, mtime = 1): FolderFile => ({ name, size, mtime });
const names = (files: readonly FolderFile[]): string[] => files.map(({ name }) => name);

describe('which files are new', () => {
  test('complete ones, the oldest first', () => {
    const files = [file('b.csv', 1, 5), file('a.csv', 1, 5), file('c.csv', 1, 2)];
    const partial = [file('.d.csv'), file('e.csv.part'), file('f.csv.TMP')];
    assert.deepEqual(names(newFiles([...files, ...partial], {}, {}).read), ['c.csv', 'a.csv', 'b.csv']);
    assert.deepEqual(names(newFiles([...files, file('x.txt')], {}, { ending: '.txt' }).read), ['x.txt']);
  });

  test('each is read once, and again if it was written anew', () => {
    const { seen } = newFiles([file('a'), file('b')], {}, {});
    assert.deepEqual(newFiles([file('a'), file('b')], seen, {}).read, []);
    assert.deepEqual(names(newFiles([file('a', 11), file('b', 10, 2), file('__proto__')], seen, {}).read), [
      '__proto__',
      'a',
      'b',
    ]);
  });

  test('a large one is refused once', () => {
    const { read, too_large, seen } = newFiles([file('a', 3 * 1024 * 1024)], {}, { most_mb: 2 });
    assert.deepEqual([read, names(too_large)], [[], ['a']]);
    assert.deepEqual(newFiles([file('a', 3 * 1024 * 1024)], seen, { most_mb: 2 }).too_large, []);
  });

  test('over any polls every file is read exactly once, and files that are gone are forgotten', () => {
    const folder = fc.uniqueArray(fc.nat(400), { maxLength: 300 });
    fc.assert(
      fc.property(folder, (numbers) => {
        const files = numbers.map((n) => file(`${n}.csv`, n, n % 7));
        let seen: SeenFiles = {};
        const read: string[] = [];
        for (let poll = 0; poll < 4; poll++) {
          const chosen = newFiles(files, seen, {});
          read.push(...names(chosen.read));
          seen = chosen.seen;
        }
        assert.deepEqual(read.toSorted(), names(files).toSorted());
        assert.deepEqual(newFiles([], seen, {}).seen, {});
      }),
      { numRuns: 30 },
    );
  });
});

describe('a folder', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'feed-files-'));
  });
  after(() => rmSync(folder, { recursive: true }));
  const folderFeed = (settings: Partial<FilesSettings> = {}) => ({
    id: 'parking',
    settings: { folder, ...settings },
  });
  const parse = (name: string, feed: ReturnType<typeof folderFeed>, poll: Poll) =>
    parseFeedFile(name, readFileSync(join(folder, name)), feed, poll);
  const rows =
    'timestamp,feed,place_id,lat,lon,field,value\n' +
    '2026-06-10T12:00:00+02:00,parking,p1,51.96,7.63,free_spaces,12\n' +
    '2026-06-10T12:00:00+02:00,parking,p1,51.96,7.63,free_spaces,12\n' +
    '2026-06-10T12:00:00+02:00,bikes,b1,,,bikes,3\n';

  test('lists complete files, but no folders and no links', async () => {
    writeFileSync(join(folder, 'a.csv.part'), rows);
    assert.deepEqual(newFiles(await listFolder(folder), {}, {}).read, []);
    renameSync(join(folder, 'a.csv.part'), join(folder, 'a.csv'));
    mkdirSync(join(folder, 'deeper.csv'));
    symlinkSync('/etc/hosts', join(folder, 'link.csv'));
    assert.deepEqual(names(newFiles(await listFolder(folder), {}, {}).read), ['a.csv']);
  });

  test('in the replay format: rows of this feed, each once', async () => {
    const { measurements, faults } = await parse('a.csv', folderFeed(), recipePoll());
    assert.deepEqual(measurements.map(asLine), ['p1 free_spaces 12 2026-06-10T10:00']);
    assert.deepEqual(faults, { duplicate: 1 });
  });

  test('in the shape of a table or of JSON, gzipped or not', async () => {
    const csv = { place: 'site', fields: { n: 'n' } };
    writeFileSync(join(folder, 'b.csv.gz'), gzipSync('site,n\nx,3\n'));
    assert.deepEqual((await parse('b.csv.gz', folderFeed({ csv }), recipePoll())).measurements.map(asLine), [
      'x n 3 -',
    ]);
    const json = { place: '{file}', fields: { n: 'n' } };
    writeFileSync(join(folder, 'c.json'), '{"n": 4}');
    assert.deepEqual((await parse('c.json', folderFeed({ json }), recipePoll())).measurements.map(asLine), [
      'c.json n 4 -',
    ]);
  });

  test('errors name the file', async () => {
    writeFileSync(join(folder, 'bad.json'), '{');
    const json = { place: '{file}', fields: { n: 'n' } };
    await assert.rejects(
      parse('bad.json', folderFeed({ json }), recipePoll()),
      /^FeedShapeError: bad.json: expected JSON, got text that is not JSON$/,
    );
    await assert.rejects(
      parse('bad.json', folderFeed(), recipePoll()),
      /bad.json, line 1: expected a JSON object/,
    );
    writeFileSync(join(folder, 'bomb.gz'), gzipSync(Buffer.alloc(2 * 1024 * 1024)));
    await assert.rejects(
      parse('bomb.gz', folderFeed({ json, most_mb: 0.1 }), recipePoll()),
      /damaged or too large/,
    );
  });
});

test('the recipe of docs/sources.md has settings that the adapter accepts', () => {
  const feeds = recipes.filter(({ adapter }) => adapter === 'files');
  assert.ok(feeds.length > 0);
  for (const { id } of feeds) assert.ok(Compile(filesSettings).Check(recipe(id).settings), id);
});
