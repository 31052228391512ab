// The first start: the service answers at once, says how far the history is, and takes no submission until it is
// complete. Real processes, on both stores.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR, iso } from '../../src/domain/time/slot.ts';
import { privateKeyPem } from '../../src/ledger/key.ts';
import { submission } from '../support/rows/benchmark-submission.ts';
import { ask, post } from '../support/services/http-client.ts';
import { eventually } from '../support/services/operator-commands.ts';
import { getPage } from '../support/services/pages.ts';
import {
  listen,
  readiness,
  run,
  serviceEnvironment,
  shiftedClocks,
  untilReady,
} from '../support/services/processes.ts';
import { callTool } from '../support/services/service.ts';
import { sqlitePlace } from '../support/stores/store-places.ts';
import { testKey } from '../support/stores/test-key.ts';

const now = Date.parse('2026-11-11T12:00:00+08:00');
/** Every process and thread reads the same time. */
const frozen = {
  NODE_OPTIONS: shiftedClocks(`(real) => ${now} - real`),
  LEDGER_KEY: privateKeyPem(testKey),
};

const forecasts = submission({
  prediction_window_start: iso(now),
  prediction_window_end: iso(now + HOUR),
});
const notice = /<p class="notice" role="status">([^<]*)<\/p>/;
const noticeAt = async (address: string) => notice.exec((await getPage(address)).text)?.[1];

// On one engine: that both keep the progress of a history is tested beside `backfill`.
test('while another process writes the history: thin answers, no submissions, and the progress on every page', async (t) => {
  const place = await sqlitePlace('empty');
  t.after(() => place.remove());
  const environment = { ...serviceEnvironment(place), ...frozen };
  const { url } = await listen(t, { ...environment, PIPELINE: 'off' });

  assert.deepEqual((await ask(`${url}/api/health`)).json(), { ok: true });
  assert.deepEqual(await readiness(url), {
    status: 503,
    ready: false,
    history: { done: 0, total: 0, seconds_left: null },
  });
  for (const path of ['/', '/about', '/nowhere'])
    assert.equal(await noticeAt(url + path), 'The history is not written yet.', path);
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
  assert.ok([...notices].some((line) => /^Writing the history: \d of 2 days/.test(line ?? '')));
  assert.deepEqual(await readiness(url), { status: 200, ready: true, history: { done: 2, total: 2 } });
  for (const path of ['/', '/about', '/nowhere'])
    await eventually(async () => (await noticeAt(url + path)) === undefined, 10_000);
  assert.equal((await post(`${url}/api/benchmark/submit`, forecasts)).status, 200);
});
