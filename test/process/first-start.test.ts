// The first start: the service answers at once, says how far the history is, and takes no submission until it is
// complete. Real processes, on both stores.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR, iso } from '../../src/domain/time/slot.ts';
import { privateKeyPem } from '../../src/ledger/key.ts';
import { openStore } from '../../src/store/engine/open.ts';
import { submission } from '../support/rows/benchmark-submission.ts';
import { ask, post } from '../support/services/http-client.ts';
import { eventually } from '../support/services/operator-commands.ts';
import { getPage } from '../support/services/pages.ts';
import { environmentOf, listen, readiness, run, untilReady } from '../support/services/processes.ts';
import { callTool } from '../support/services/service.ts';
import { dumpTables } from '../support/stores/dump-tables.ts';
import { describeStores, type StorePlace, sqlitePlace } from '../support/stores/store-places.ts';
import { testKey } from '../support/stores/test-key.ts';

const now = Date.parse('2026-11-11T12:00:00+08:00');
/** Every process and thread reads the same time, so that two services write the same history. */
const frozen = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`Date.now = () => ${now};`)}`,
  LEDGER_KEY: privateKeyPem(testKey),
  HISTORY_DAYS: '2',
};

const forecasts = submission({
  prediction_window_start: iso(now),
  prediction_window_end: iso(now + HOUR),
});
const notice = /<p class="notice" role="status">([^<]*)<\/p>/;
const noticeAt = async (address: string) => notice.exec((await getPage(address)).text)?.[1];

/** All rows except those that record when and by which process they were written. */
async function rowsAt(place: StorePlace): Promise<Record<string, string[]>> {
  const store = openStore(place);
  const { history_progress, job_runs, schema_migrations, builds: _builds, ...rows } = await dumpTables(store);
  await store.close();
  assert.ok(history_progress?.length && job_runs?.length && schema_migrations?.length);
  return rows;
}

describeStores('the first start', (makePlace) => {
  test('while another process writes the history: thin answers, no submissions, and the progress on every page', async (t) => {
    const place = await makePlace();
    t.after(() => place.remove());
    const environment = { ...environmentOf(place), ...frozen };
    const { url } = await listen(t, { ...environment, PIPELINE: 'off' });

    assert.deepEqual((await ask(`${url}/api/health`)).json(), { ok: true });
    assert.deepEqual(await readiness(url), {
      status: 503,
      ready: false,
      history: { done: 0, total: 0, seconds_left: null },
    });
    for (const path of ['/', '/about', '/nowhere'])
      assert.equal(await noticeAt(url + path), 'the history is not written yet', path);
    const thin = await callTool(url, 'get_pocket_atmosphere', { pocket_id: 'holland' });
    assert.equal(thin.structuredContent?.reading_count, 0);
    const refused = await post(`${url}/api/benchmark/submit`, forecasts);
    assert.deepEqual([refused.status, refused.json()], [503, { error: 'datastore unavailable' }]);
    const tool = await callTool(url, 'submit_benchmark_predictions', forecasts);
    assert.deepEqual([tool.isError, tool.content[0]?.text], [true, 'error: datastore unavailable']);

    const writing = run(['backfill'], environment);
    const days: number[] = [];
    const notices = new Set<string | undefined>();
    await untilReady(url, async ({ history, ready, status }) => {
      assert.equal(status, ready ? 200 : 503);
      days.push(history.done);
      notices.add(await noticeAt(`${url}/about`));
    });
    assert.equal((await writing).status, 0);
    assert.deepEqual(days, days.toSorted());
    assert.ok(new Set(days).size > 2, `seen: ${days}`);
    assert.ok([...notices].some((line) => /^writing the history: \d of 3 days/.test(line ?? '')));
    assert.deepEqual(await readiness(url), { status: 200, ready: true, history: { done: 3, total: 3 } });
    for (const path of ['/', '/about', '/nowhere'])
      await eventually(async () => (await noticeAt(url + path)) === undefined, 10_000);
    assert.equal((await post(`${url}/api/benchmark/submit`, forecasts)).status, 200);
  });
});

// On the embedded store alone: kills.test.ts kills services on both.
test('killed while it writes, the service resumes and ends with the same rows', async (t) => {
  const [killed, whole] = [await sqlitePlace(), await sqlitePlace()];
  t.after(() => Promise.all([killed.remove(), whole.remove()]));
  const first = await listen(t, { ...environmentOf(killed), ...frozen });
  await untilReady(first.url, ({ history: { done, total } }) => {
    if (done === 0 || first.child.killed) return;
    assert.ok(done < total);
    first.child.kill('SIGKILL');
  }).catch((error) => assert.ok(first.child.killed, error));
  await first.closed;
  const second = await listen(t, { ...environmentOf(killed), ...frozen });
  await untilReady(second.url);
  second.child.kill('SIGTERM');
  assert.deepEqual(await second.closed, [0, null]);
  assert.equal((await run(['backfill'], { ...environmentOf(whole), ...frozen })).status, 0);
  // Runs what is still due: the killed service may have left some, the other store has run no live slot.
  for (const place of [killed, whole])
    assert.equal((await run(['tick'], { ...environmentOf(place), ...frozen })).status, 0);
  const [expected, found] = [await rowsAt(whole), await rowsAt(killed)];
  for (const [table, rows] of Object.entries(expected)) assert.deepEqual(found[table], rows, table);
});
