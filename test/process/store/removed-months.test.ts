// `pocketwatch archive --remove`: what leaves the store, what stays the same, and what every answer says of what has left.
import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readNote } from '../../../src/ledger/checkpoint.ts';
import { verifyInclusion } from '../../../src/ledger/testing/verify-proof.ts';
import { explainTime } from '../../../src/operations/history/explain-time.ts';
import { getBenchmarkScores } from '../../../src/operations/prediction/get-benchmark-scores.ts';
import { publishLedger } from '../../../src/pipeline/publish/publish-ledger.ts';
import { openStore } from '../../../src/store/engine/open.ts';
import type { ArchivedError } from '../../../src/store/ledger/archived.ts';
import { entryLeafHash } from '../../../src/store/ledger/bundles.ts';
import { entryById } from '../../../src/store/ledger/ledger-reads.ts';
import { sealedTables } from '../../../src/store/ledger/remove-archived.ts';
import { folderStorage } from '../../../src/store/storage/folder-storage.ts';
import { folderFetch } from '../../../src/verify/folder-fetch.ts';
import { httpFetch } from '../../../src/verify/http-fetch.ts';
import { askOperation } from '../../support/answers/ask-operation.ts';
import { parseCsv } from '../../support/answers/csv.ts';
import {
  archiveFebruary,
  MARCH,
  oldLedger,
  passTime,
  SUBMISSION,
} from '../../support/services/old-ledger.ts';
import { runHere, serviceEnvironment } from '../../support/services/processes.ts';
import { verifyLedger } from '../../support/services/verify-ledger.ts';
import { dumpTables } from '../../support/stores/dump-tables.ts';
import { describeStores } from '../../support/stores/store-places.ts';
import { storedEntry } from '../../support/stores/stored-entries.ts';

const PLACE = 'https://archive.example.org/ledger';

/** Answers over all time, which must not change when rows leave. */
const unchanged = [
  '/api/accuracy?since=all',
  '/api/accuracy?since=all&pocket=holland',
  '/api/accuracy-periods?unit=month&count=4',
  '/api/accuracy-days?days=3',
  '/api/benchmark/scores?limit=50',
  '/api/ledger/history',
  '/api/state-of-restraint?limit=5',
  '/api/silence-vindications?since=all&limit=1',
  '/api/predictions?since=all&limit=1',
  '/api/ledger/consistency?from=300',
];

type Body = Record<string, unknown>;
interface Listed {
  entries: { id: string; sealed_at: string }[];
  archived?: { kept_from: string };
  next_cursor?: string | null;
}

describeStores('archive --remove', (makePlace) => {
  test('removes what is archived, and every answer says so or stays as it was', async (t) => {
    const { store, url, clock, refresh, registry, place, folder, environment, bundles } = await oldLedger(
      t,
      makePlace,
    );
    await passTime(store);
    await refresh();
    const read = async (path: string) => {
      const response = await fetch(`${url}${path}`);
      const { _meta, ...body } = (await response.json()) as Body;
      return { status: response.status, body };
    };
    const ok = async <T>(path: string): Promise<T> => {
      const { status, body } = await read(path);
      assert.equal(status, 200, `${path} ${JSON.stringify(body)}`);
      return body as T;
    };
    const before = await dumpTables(store);
    const answers = new Map<string, Body>();
    for (const path of unchanged) answers.set(path, await ok(path));
    const silence = await store.get<{ leaf: number; id: string }>(
      'select leaf, id from silences order by leaf limit 1',
    );
    assert.ok(silence);
    // On a connection of its own: the service would have the bundle in memory.
    const other = openStore(place);
    const sealed = await storedEntry(other, silence.leaf);
    const scored = await askOperation(getBenchmarkScores, other, clock.now, { id: SUBMISSION }, registry);
    await other.close();
    const kept = bundles * 256;

    const copied = await runHere(t, archiveFebruary(folder), environment);
    assert.equal(copied.status, 0, copied.stderr);
    await t.test('an altered file is found, and nothing is removed', async () => {
      for (const path of ['tile/0/001', 'tile/entries/002']) {
        const copy = `${folder}-altered`;
        cpSync(folder, copy, { recursive: true });
        const bytes = readFileSync(join(copy, path));
        writeFileSync(join(copy, path), bytes.with(40, (bytes[40] ?? 0) ^ 1));
        const refused = await runHere(t, archiveFebruary(copy, '--remove'), environment);
        assert.equal(refused.status, 1);
        assert.match(refused.stderr, /: leaf \d+[^\n]+\(wrong_leaf\); nothing was removed\n$/);
      }
      assert.deepEqual(await dumpTables(store), before);
    });

    const foretold = await runHere(
      t,
      archiveFebruary(folder, '--remove', '--dry-run', '--json'),
      environment,
    );
    const done = await runHere(
      t,
      archiveFebruary(folder, '--remove', '--place', `${PLACE}/`, '--json'),
      environment,
    );
    assert.equal(done.status, 0, done.stderr);
    const { removed, kept_from, ...told } = JSON.parse(done.stdout);
    assert.deepEqual([removed.entries, told.place], [kept, PLACE]);
    assert.ok(removed.rows > 1500 && removed.bytes > 100_000, done.stdout);
    // The rows of the half hour in which the history ends stay.
    const dry = JSON.parse(foretold.stdout);
    assert.deepEqual([dry.removed.entries, dry.kept_from, dry.dry_run], [kept, kept_from, true]);
    assert.ok(dry.removed.rows > removed.rows && dry.removed.rows < removed.rows + 100);
    const archived = { entries: kept, kept_from, place: PLACE };
    await refresh();

    await t.test('nothing else has gone, and what went does not come back in another way', async () => {
      const after = await dumpTables(store);
      const gone: readonly string[] = ['ledger_bundles', ...sealedTables.map(({ name }) => name)];
      for (const [table, rows] of Object.entries(before))
        if (gone.includes(table)) assert.ok((after[table]?.length ?? 0) < rows.length, table);
        // What could be computed from the entries is stored in their place.
        else if (table === 'ledger_tiles') assert.equal(after[table]?.length, rows.length + bundles);
        else if (!['archived_bundles', 'operator_lock'].includes(table))
          assert.deepEqual(after[table], rows, table);
      const again = await runHere(t, archiveFebruary(folder, '--remove', '--json'), environment);
      assert.equal(again.status, 0, again.stderr);
      assert.deepEqual(JSON.parse(again.stdout).removed, { entries: 0, rows: 0, bytes: 0 });
      assert.equal(JSON.parse(again.stdout).place, PLACE);
      for (const sql of [
        ...gone.flatMap((table) => (after[table]?.length ? [`delete from ${table}`] : [])),
        'update archived_bundles set bundles = 100',
        'delete from archived_bundles',
        'delete from ledger_tiles',
        'delete from ledger_checkpoints',
        'delete from submissions',
        'update silence_figures set reason = 1',
      ])
        await assert.rejects(
          store.transaction((tx) => tx.run(sql)),
          /append-only/,
          sql,
        );
      // A half hour's forecasts of February are still there, and may go.
      assert.deepEqual((await dumpTables(store)).ledger_bundles, after.ledger_bundles);
    });

    await t.test('figures over all time are the same', async () => {
      for (const [path, body] of answers) {
        const { archived: told, ...now } = await ok<Body>(path);
        assert.deepEqual(now, body, path);
        if (/^\/api\/(predictions|silence-vind)/.test(path)) assert.deepEqual(told, archived, path);
      }
      const now = await askOperation(getBenchmarkScores, store, clock.now, { id: SUBMISSION }, registry);
      assert.deepEqual(now.structured, { ...scored.structured, written_at: null, payload_hash: null });
    });

    await t.test('what has left is said to be archived, with where it is', async () => {
      const hash = sealed.payload_hash.slice('sha256:'.length);
      const { leaf_hash, proof, tree_size, checkpoint } = await ok<{
        leaf_hash: string;
        proof: string[];
        tree_size: number;
        checkpoint: string;
      }>(`/api/ledger/proof/leaf/${silence.leaf}`);
      assert.equal(leaf_hash, entryLeafHash(sealed));
      const { root } = readNote(checkpoint);
      assert.ok(verifyInclusion({ index: silence.leaf, size: tree_size, leaf: leaf_hash, root, proof }));
      for (const [path, leaf] of [
        ['/api/ledger/tile/entries/000', 0],
        ['/api/ledger/rows/000', 0],
        [`/api/ledger/proof/${silence.id}`, undefined],
        [`/api/ledger/entry/${silence.id}`, undefined],
        [`/api/ledger/check?query=${silence.id}`, undefined],
        [`/api/ledger/check?query=${hash}`, silence.leaf],
        [`/api/ledger/check?query=${leaf_hash}`, silence.leaf],
        [
          `/api/ledger/check?query=${encodeURIComponent(JSON.stringify({ payload: JSON.parse(sealed.payload) }))}`,
          silence.leaf,
        ],
        [`/api/explanations/silence:${silence.id}`, undefined],
      ] as const) {
        const { status, body } = await read(path);
        assert.equal(status, 410, path);
        assert.deepEqual([body.archived, body.leaf_index], [archived, leaf], path);
        assert.match(String(body.error), /archived at https:\/\/archive\.example\.org\/ledger/);
      }
      // Its row stays, so that its leaf is known.
      const fresh = openStore(place);
      const ofSubmission = entryById(fresh, SUBMISSION);
      await assert.rejects(ofSubmission, (error: ArchivedError) => {
        assert.deepEqual(error.details.archived, archived);
        return typeof error.details.leaf_index === 'number';
      });
      await fresh.close();
      for (const path of [`/ledger/${silence.id}`, `/explanations/silence:${silence.id}`]) {
        const page = await fetch(`${url}${path}`, { headers: { accept: 'text/html' } });
        assert.equal(page.status, 410, path);
        assert.match(await page.text(), /archived at/);
      }
      // What never was is not archived.
      for (const id of [silence.id.replace(/^[a-z]+/, 'nowhere'), 'holland-20000101T0000Z'])
        assert.equal((await read(`/api/ledger/proof/${id}`)).status, 404, id);
      const never = await ok<Body>(`/api/ledger/check?query=${'0'.repeat(63)}1`);
      assert.equal(never.verdict, 'not_in_log');
    });

    await t.test('lists begin where rows are kept, and say so', async () => {
      assert.deepEqual((await ok<Body>('/api/ledger/rows')).archived, archived);
      for (const path of [
        '/api/ledger/search?type=silence&limit=200',
        '/api/ledger/search?type=submission',
        '/api/ledger/entries?type=submission',
        '/api/stream?since=all&limit=200',
        '/api/silence-vindications?since=all&limit=500',
      ])
        assert.deepEqual((await ok<Body>(path)).archived, archived, path);
      let oldest = '';
      for (let cursor = ''; ; ) {
        const page = await ok<Listed>(`/api/predictions?since=all&limit=500${cursor}`);
        oldest = page.entries.at(-1)?.sealed_at ?? oldest;
        if (!page.next_cursor) break;
        cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
      }
      assert.equal(oldest, kept_from);
      for (const path of ['/api/predictions?since=all', '/api/silence-vindications?since=all']) {
        const [head = [], ...rows] = parseCsv(await (await fetch(`${url}${path}&format=csv`)).text());
        const column = head.indexOf('sealed_at');
        assert.ok(rows.length > 10 && rows.every((row) => (row[column] ?? '') >= kept_from), path);
      }
      const day = await ok<{ reading_count: number; decisions: { kind: string; reason: string }[] }>(
        '/api/pocket-date?pocket=holland&date=2025-02-28',
      );
      assert.ok(day.reading_count > 0);
      assert.ok(day.decisions.some(({ kind, reason }) => kind === 'no_moment' && reason === 'archived'));
      const asked = { pocket_id: 'holland', at: new Date(MARCH - 6 * 3_600_000).toISOString() };
      const told = await askOperation(explainTime, store, clock.now, asked, registry);
      assert.match(told.text, /is in the archive of the ledger/);
    });

    await t.test('verify accepts both, and computes everything again with the archive', async () => {
      const service = { fetch: httpFetch(url), api: httpFetch(url, 'api') };
      const alone = await verifyLedger(service);
      assert.ok(alone.ok, JSON.stringify(alone));
      assert.deepEqual(alone.archived, { rows: kept, place: PLACE, read: false });
      assert.deepEqual(
        [alone.figures, alone.tables],
        ['archived rows were not read', 'compared without rollups'],
      );
      const both = await verifyLedger({
        ...service,
        archive: folderFetch(folder),
        since: readFileSync(join(folder, 'checkpoint'), 'utf8'),
      });
      assert.ok(both.ok, JSON.stringify(both));
      assert.deepEqual([both.figures, both.tables, both.archived.read], ['compared', 'compared', true]);
      const altered = await verifyLedger({ ...service, archive: folderFetch(`${folder}-altered`) });
      assert.ok(!altered.ok && altered.code === 'wrong_leaf', JSON.stringify(altered));
      const spoken = await runHere(t, ['verify', url]);
      assert.equal(spoken.status, 0, spoken.stderr);
      assert.match(
        spoken.stderr,
        new RegExp(`the first ${kept} rows are archived at ${PLACE}: they were not read`),
      );
      assert.equal((await runHere(t, ['verify', folder])).status, 0);
    });

    await t.test('a backup is restored, and the ledger is published and archived further', async () => {
      const copy = await makePlace('empty');
      t.after(copy.remove);
      const file = join(copy.dataDir, 'copy');
      assert.equal((await runHere(t, ['backup', file], environment)).status, 0);
      const restored = await runHere(t, ['restore', file], serviceEnvironment(copy));
      assert.equal(restored.status, 0, restored.stderr);
      const { signal } = new AbortController();
      const publish = (to: string) => publishLedger({ store, storage: folderStorage(to), signal });
      await assert.rejects(publish(`${folder}-new`), { name: 'ArchivedError' });
      cpSync(folder, `${folder}-copy`, { recursive: true });
      await publish(`${folder}-copy`);
      assert.equal((await runHere(t, ['verify', `${folder}-copy`])).status, 0);
      const elsewhere = await runHere(t, ['archive', '--before', '2025-04', `${folder}-other`], environment);
      assert.equal(elsewhere.status, 1);
      assert.match(elsewhere.stderr, /does not have the first entries, and the store no longer has them/);
      const later = await runHere(t, ['archive', '--before', '2025-04', folder, '--json'], environment);
      assert.equal(later.status, 0, later.stderr);
      assert.ok(JSON.parse(later.stdout).entries > kept);
      assert.equal((await runHere(t, ['verify', folder])).status, 0);
    });
  });
});
