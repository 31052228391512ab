// Processes whose clock is a day ahead of the database server's: they write nothing and say why.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR, iso } from '../../src/domain/time/slot.ts';
import { openStore } from '../../src/store/engine/open.ts';
import { beginHistory, finishHistory } from '../../src/store/runtime/history.ts';
import { submission } from '../support/rows/benchmark-submission.ts';
import { post } from '../support/services/http-client.ts';
import { environmentOf, listen, run } from '../support/services/processes.ts';
import { noPostgres, postgresPlace, postgresUrl } from '../support/stores/store-places.ts';

const AHEAD = 26 * HOUR;
const fast = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(
    `const { now } = Date; Date.now = () => now() + ${AHEAD};`,
  )}`,
};
const refusal =
  /^pocketwatch: \S+ is 15\d\d minutes ahead of the store's clock \(\S+\): nothing is written until the clocks agree; set the clock of this machine$/m;

// On PostgreSQL only: a process on an embedded store has no clock but the one that it was started with.
test('no command and no submission writes ahead of the database, and a right clock goes on', {
  skip: !postgresUrl() && noPostgres,
}, async (t) => {
  const place = await postgresPlace();
  const store = openStore(place);
  t.after(async () => {
    await store.close();
    await place.remove();
  });
  const environment = environmentOf(place);
  const countRows = async () => {
    const row = await store.get<{ n: number }>(
      'select (select count(*) from job_runs) + (select count(*) from ledger_entries) as n',
    );
    return row?.n;
  };

  const history = await run(['backfill'], { ...environment, ...fast });
  assert.equal(history.status, 1);
  assert.match(history.stderr, refusal);

  const now = Date.now();
  await store.transaction(async (tx) => {
    await beginHistory(tx, { from: now, until: now, now });
    await finishHistory(tx);
  });
  const tick = await run(['tick', '--json'], { ...environment, ...fast });
  assert.equal(tick.status, 1);
  assert.match(tick.stdout, /^\{"job":"all","slot":"[^"]+","outcome":"failed"\}\n$/);
  assert.match(tick.stderr, refusal);

  const { url } = await listen(t, { ...environment, ...fast, PIPELINE: 'off' });
  const times = {
    prediction_window_start: iso(now + AHEAD + HOUR),
    prediction_window_end: iso(now + AHEAD + 2 * HOUR),
  };
  const submitted = await post(`${url}/api/benchmark/submit`, submission(times));
  assert.deepEqual([submitted.status, submitted.json()], [503, { error: 'datastore unavailable' }]);

  assert.equal(await countRows(), 0);
  const right = await run(['tick'], environment);
  assert.equal(right.status, 0, right.stderr);
  assert.ok(Number(await countRows()) > 0);
});
