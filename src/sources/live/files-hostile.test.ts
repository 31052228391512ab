// A folder whose entries change while it is read, and one that has too many.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { FeedShapeError } from '../core/adapter.ts';
import { listFolder, MOST_LISTED, MOST_REPLAY_ROWS, parseFeedFile, readListed } from './files.ts';
import { contextForCheck } from './generic/read-rows.ts';
import { readCsv } from './generic-csv.ts';

const root = mkdtempSync(join(tmpdir(), 'hostile-'));
after(() => rmSync(root, { recursive: true }));
const MB = 1024 * 1024;

test('what was listed as a file and is now a link, a pipe or a folder is not read', {
  timeout: 10_000,
}, async () => {
  writeFileSync(join(root, 'secret'), 'key');
  symlinkSync(join(root, 'secret'), join(root, 'link'));
  execFileSync('mkfifo', [join(root, 'pipe')]);
  mkdirSync(join(root, 'folder'));
  for (const name of ['link', 'pipe', 'folder'])
    await assert.rejects(readListed(root, name, MB), (error: Error) => {
      assert.ok(error instanceof FeedShapeError, String(error));
      assert.equal(error.message, `${name}: not a file`);
      return true;
    });
  assert.equal(String(await readListed(root, 'secret', MB)), 'key');
});

test('a file that has grown beyond the limit since it was listed is not read', async () => {
  writeFileSync(join(root, 'grown'), Buffer.alloc(MB + 1));
  await assert.rejects(
    readListed(root, 'grown', MB),
    /^FeedShapeError: grown: larger than the limit of 1 MB$/,
  );
});

test('a folder with more entries than can be looked at in every poll says so', async () => {
  const crowded = join(root, 'crowded');
  mkdirSync(crowded);
  assert.equal(MOST_LISTED, 20_000);
  for (let n = 0; n <= 20; n++) writeFileSync(join(crowded, `${n}.csv`), '');
  assert.equal((await listFolder(crowded)).length, 21);
  await assert.rejects(listFolder(crowded, 20), /^FeedShapeError: its folder has more than 20 entries/);
});

test('a wide table of more values than fit into memory is refused', () => {
  const names = Array.from({ length: 2000 }, (_, i) => `p${i}`);
  const rows = Array.from({ length: 251 }, (_, i) =>
    [`${1_780_000_000 + i * 60}`, ...names.map(() => '1')].join(','),
  );
  const body = Buffer.from(
    [['time', ...names].slice(0, 2000).join(','), ...rows.map((row) => row.slice(0, -2))].join('\n'),
  );
  const settings = {
    wide: { pattern: '^(p.*)$' },
    place: '{column}',
    time: { at: 'time', format: 'epoch_s' },
    fields: { n: '{cell}' },
  };
  assert.throws(
    () => readCsv(body, settings, contextForCheck({})),
    /^FeedShapeError: expected at most 500000 values$/,
  );
});

test('a small gzip of words without end is refused', async () => {
  const row = '2026-06-10T10:00:00Z,a,x,state,open\n';
  const raw = gzipSync(`timestamp,feed,place_id,field,value\n${row.repeat(1_001)}`);
  const poll = { now: 0, points: [], time_zone: 'UTC' };
  const read = (most?: number) => parseFeedFile('words.csv.gz', raw, { id: 'a', settings: {} }, poll, most);
  assert.equal(MOST_REPLAY_ROWS, 1_000_000);
  await read();
  await assert.rejects(read(1_000), /^FeedShapeError: words\.csv\.gz, line 1002: more than 1000 rows$/);
});
