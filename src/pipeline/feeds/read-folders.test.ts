// A folder that another program writes to, from its files to stored rows.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openMigratedStore, openStores } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { readFeedKeys } from '../../config.ts';
import type { Pocket } from '../../domain/city/city.ts';
import type { Feed } from '../../sources/core/feed.ts';
import type { Store } from '../../store/engine/store.ts';
import { readBody } from '../../store/feeds/archive.ts';
import { feedStates } from '../../store/feeds/feed-states.ts';
import { measurementsReceived } from '../../store/feeds/measurements.ts';
import { seenFiles } from '../../store/feeds/seen-files.ts';
import { feedContext } from './feed-context.ts';
import { pollFeeds } from './poll-feeds.ts';
import { readNewFiles } from './read-folders.ts';

const MINUTE = 60_000;
const start = Date.parse('2026-06-10T10:00:00Z');
const root = mkdtempSync(join(tmpdir(), 'pocketwatch-folders-'));
after(() => rmSync(root, { recursive: true }));

const newFolder = () => mkdtempSync(join(root, 'feed-'));
const folderFeed = (folder: string | undefined): Feed => ({
  id: 'counts',
  title: 'counts',
  adapter: 'files',
  every_seconds: 60,
  reach_m: 500,
  fields: { people: { measures: 'crowd', points: 'up', what: 'people', fresh_minutes: 20 } },
  settings: { ...(folder !== undefined && { folder }), ending: '.csv' },
});
const csv = (...rows: [place: string, value: number, at?: number][]): string =>
  [
    'timestamp,feed,place_id,lat,lon,field,value',
    ...rows.map(
      ([place, value, at = start - MINUTE]) =>
        `${new Date(at).toISOString()},counts,${place},51.963,7.626,people,${value}`,
    ),
  ].join('\n');

function startReader(store: Store, folder: string | undefined, clock = { now: start }) {
  const lines: string[] = [];
  const log = (fields: object, message: string) => void lines.push(`${message} ${JSON.stringify(fields)}`);
  const context = feedContext({
    store,
    feeds: [folderFeed(folder)],
    pockets: [{ id: 'dom', lat: 51.963, lng: 7.6255 }] as Pocket[],
    time_zone: 'Europe/Berlin',
    worker: 'test',
    userAgent: 'pocketwatch/test',
    keys: readFeedKeys({}),
    log: { info: log, warn: log },
    keep: { feed_days: 14, archive_days: 7, archive_bytes: 1e9 },
    clock: () => clock.now,
  });
  const poll = () => pollFeeds(context, clock.now, new AbortController().signal);
  return { poll, clock, lines, context };
}
const stored = async (store: Store, now: number) =>
  (await measurementsReceived(store, now, 60 * MINUTE)).map(({ place_id, value }) => `${place_id} ${value}`);

describeStores('a folder of files', (makePlace) => {
  test('is read file by file, each once, with the same checks as a polled feed', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const folder = newFolder();
    const { poll, clock } = startReader(store, folder);
    const first = csv(['north', 7], ['old', 1, start - 60 * MINUTE], ['north', 9]);
    writeFileSync(join(folder, 'a.csv'), first);
    writeFileSync(join(folder, 'b.csv.part'), csv(['half', 1]));
    assert.deepEqual(await poll(), [{ feed: 'counts', outcome: 'read', rows: 1 }]);
    const [row] = await measurementsReceived(store, start, 60 * MINUTE);
    assert.deepEqual([row?.place_id, row?.value, row?.observed_at], ['north', 7, start - MINUTE]);
    const body = await readBody(store, 'counts', row?.body ?? '');
    assert.deepEqual([Buffer.from(body?.raw ?? []).toString(), body?.url], [first, 'file:a.csv']);
    const [state] = await feedStates(store);
    assert.deepEqual(
      [state?.last_success, state?.next_due, state?.pockets, state?.faults],
      [start, start + MINUTE, ['dom'], { duplicate: 1, stale: 1 }],
    );
    assert.deepEqual(await poll(), [], 'not before it is due');

    clock.now += MINUTE;
    assert.deepEqual(await poll(), [{ feed: 'counts', outcome: 'read', rows: 0 }]);
    rmSync(join(folder, 'a.csv'));
    writeFileSync(join(folder, 'c.csv'), csv(['north', 8, start]));
    clock.now += MINUTE;
    assert.deepEqual(await poll(), [{ feed: 'counts', outcome: 'read', rows: 1 }]);
    assert.deepEqual(Object.keys(await seenFiles(store, 'counts')), ['c.csv']);
    assert.deepEqual(await stored(store, clock.now), ['north 7', 'north 8']);
  });

  test('a file is read again after a crash before its rows were stored, and only then', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const folder = newFolder();
    writeFileSync(join(folder, 'a.csv'), csv(['north', 7]));
    const { poll, clock, context } = startReader(store, folder);
    const failing: Store = {
      ...store,
      all: (sql, ...params) => store.all(sql, ...params),
      get: (sql, ...params) => store.get(sql, ...params),
      transaction: (work, changes) =>
        store.transaction(
          (tx) =>
            work({
              ...tx,
              all: (sql, ...params) => tx.all(sql, ...params),
              get: (sql, ...params) => tx.get(sql, ...params),
              run: (sql, ...params) => tx.run(sql, ...params),
              // After the rows, before the commit.
              insert: (table, rows, conflict) =>
                table === 'feed_files'
                  ? Promise.reject(new Error('killed'))
                  : tx.insert(table, rows, conflict),
            }),
          changes,
        ),
    };
    const [crashed] = await pollFeeds(
      { ...context, store: failing },
      clock.now,
      new AbortController().signal,
    );
    assert.deepEqual([crashed?.outcome, crashed?.error], ['unstored', 'killed']);
    assert.deepEqual([await stored(store, start), await store.all('select * from feed_files')], [[], []]);
    assert.deepEqual(await poll(), [], 'the lease of the worker that died');
    clock.now += 10 * MINUTE;
    assert.deepEqual(await poll(), [{ feed: 'counts', outcome: 'read', rows: 1 }]);
    // Written anew with the same rows: they are stored once.
    writeFileSync(join(folder, 'a.csv'), csv(['north', 7], ['south', 3]));
    clock.now += MINUTE;
    assert.deepEqual(await poll(), [{ feed: 'counts', outcome: 'read', rows: 2 }]);
    assert.deepEqual((await stored(store, clock.now)).sort(), ['north 7', 'south 3']);
  });

  test('of several workers one reads it', async (t) => {
    const folder = newFolder();
    writeFileSync(join(folder, 'a.csv'), csv(['north', 7]));
    const readers = (await openStores(t, makePlace, 3)).map((store) => startReader(store, folder));
    const outcomes = (await Promise.all(readers.map(({ poll }) => poll()))).flat();
    assert.deepEqual(
      outcomes.map(({ outcome }) => outcome).filter((outcome) => outcome === 'read'),
      ['read'],
    );
  });

  test('that is missing is an error of the feed, logged once', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const folder = join(newFolder(), 'missing');
    const { poll, clock, lines } = startReader(store, folder);
    for (let i = 0; i < 3; i++, clock.now += MINUTE)
      assert.deepEqual(await poll(), [
        { feed: 'counts', outcome: 'failed', rows: 0, error: 'its folder does not exist' },
      ]);
    mkdirSync(folder);
    assert.equal((await poll())[0]?.outcome, 'read');
    assert.deepEqual(lines, [
      'feed went down {"feed":"counts","error":"its folder does not exist"}',
      'feed came back {"feed":"counts"}',
    ]);
  });

  test('one file that cannot be read keeps no other from being read, and is named', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const folder = newFolder();
    const { poll, clock } = startReader(store, folder);
    writeFileSync(join(folder, 'a.csv'), 'no table');
    writeFileSync(join(folder, 'b.csv'), csv(['north', 7]));
    const [outcome] = await poll();
    assert.deepEqual([outcome?.outcome, outcome?.rows], ['failed', 1]);
    assert.match(outcome?.error ?? '', /^a\.csv, line 1/);
    clock.now += MINUTE;
    assert.deepEqual(await poll(), [{ feed: 'counts', outcome: 'read', rows: 0 }]);
    assert.deepEqual(await stored(store, clock.now), ['north 7']);
  });

  test('that has no file yet is not fresh, and is once it has one', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const folder = newFolder();
    const { poll, clock } = startReader(store, folder);
    await poll();
    assert.equal((await feedStates(store))[0]?.last_success, null);
    clock.now += MINUTE;
    writeFileSync(join(folder, 'a.csv'), csv(['north', 7, clock.now]));
    await poll();
    assert.equal((await feedStates(store))[0]?.last_success, clock.now);
    clock.now += MINUTE;
    await poll();
    assert.equal((await feedStates(store))[0]?.last_success, clock.now, 'files that were read stay read');
  });

  test('that is not named leaves the feed to replays', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    assert.deepEqual(await startReader(store, undefined).poll(), []);
  });
});

const proc = existsSync('/proc/self/environ') ? {} : { skip: 'this system has no /proc' };
test('no city file makes a feed of the environment', proc, async () => {
  const link = join(root, 'link');
  symlinkSync('/proc/self', link);
  // A table of one column, whatever its cells hold.
  const csv = { header: ['any'], place: { constant: 'a' }, fields: { people: { constant: 1 } } };
  const poll = { now: start, points: [], time_zone: 'UTC' };
  for (const folder of ['/proc/self', '/proc/self/', `/proc/${process.pid}`, '/proc/thread-self', link]) {
    const settings = { folder, ending: 'environ', csv };
    const { reading, raw } = await readNewFiles({ ...folderFeed(folder), settings }, poll, {});
    assert.deepEqual([raw, reading.rows], [[], []], folder);
    assert.match(String(reading.error), /: its folder is a system folder, not one for files$/);
  }
});
