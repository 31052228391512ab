// Processes whose clock is ahead of the database server's or behind it: they write nothing and say why.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR, iso, MINUTE } from '../../src/domain/time/slot.ts';
import { openStore } from '../../src/store/engine/open.ts';
import { beginHistory, finishHistory } from '../../src/store/runtime/history.ts';
import { submission } from '../support/rows/benchmark-submission.ts';
import { post } from '../support/services/http-client.ts';
import { eventually } from '../support/services/operator-commands.ts';
import { listen, runHere, serviceEnvironment } from '../support/services/processes.ts';
import { callTool } from '../support/services/service.ts';
import { noPostgres, postgresPlace, postgresUrl } from '../support/stores/store-places.ts';

const FAR = 26 * HOUR;
/** The wall clock alone: the server's stays right. */
const clockOff = (by: number) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(
    `const { now } = Date; Date.now = () => now() + ${by};`,
  )}`,
});
const refusal = (minutes: string) =>
  new RegExp(
    `\\S+ is ${minutes} the store's clock \\(\\S+\\): nothing is written until the clocks agree; set the clock of this machine`,
  );

/** What the commands say, what a web process says, and by how much the clock of each is off. */
const wrongClocks = [
  {
    name: 'ahead of',
    commands: FAR,
    said: '15\\d\\d minutes ahead of',
    web: FAR,
    refused: '15\\d\\d minutes ahead of',
  },
  {
    name: 'behind',
    commands: -FAR,
    said: '15\\d\\d minutes behind',
    web: -5 * MINUTE,
    refused: '5 minutes behind',
  },
];

// On PostgreSQL only: a process on an embedded store has no clock but the one that it was started with.
for (const { name, commands, said, web, refused } of wrongClocks)
  test(`no command and no submission writes with a clock ${name} that of the database, and a right clock goes on`, {
    skip: !postgresUrl() && noPostgres,
  }, async (t) => {
    const place = await postgresPlace();
    const store = openStore(place);
    t.after(async () => {
      await store.close();
      await place.remove();
    });
    const environment = serviceEnvironment(place);
    const { now: rightNow } = Date;
    /** Runs a command with a wall clock that is off. */
    const wrongly = async (...args: string[]) => {
      const { mock } = t.mock.method(Date, 'now', () => rightNow() + commands);
      try {
        return await runHere(t, args, environment);
      } finally {
        mock.restore();
      }
    };
    const countRows = async () => {
      const row = await store.get<{ n: number }>(
        'select (select count(*) from job_runs) + (select size from ledger_size) as n',
      );
      return row?.n;
    };

    const history = await wrongly('backfill');
    assert.equal(history.status, 1);
    assert.match(history.stderr, refusal(said));

    const now = Date.now();
    await store.transaction(async (tx) => {
      await beginHistory(tx, { from: now, until: now, now });
      await finishHistory(tx);
    });
    const tick = await wrongly('tick', '--json');
    assert.equal(tick.status, 1);
    assert.match(tick.stdout, /^\{"job":"all","slot":"[^"]+","outcome":"failed"\}\n$/);
    assert.match(tick.stderr, refusal(said));

    const { url, output } = await listen(t, { ...environment, ...clockOff(web), PIPELINE: 'off' });
    // By its own clock the window is open; with a slow one it has closed already.
    const forecasts = submission({
      prediction_window_start: iso(now + web + MINUTE),
      prediction_window_end: iso(now + web + 3 * MINUTE),
    });
    for (let n = 0; n < 3; n += 1) {
      const reply = await post(`${url}/api/benchmark/submit`, forecasts);
      assert.deepEqual([reply.status, reply.json()], [503, { error: 'datastore unavailable' }]);
      const tool = await callTool(url, 'submit_benchmark_predictions', forecasts);
      assert.deepEqual([tool.isError, tool.content[0]?.text], [true, 'error: datastore unavailable']);
    }
    const logged = () => output.stdout.split('\n').filter((line) => refusal(refused).test(line));
    await eventually(async () => logged().length > 0, 10_000);
    assert.ok(logged().length <= 2, `once a slot, of which two may have begun:\n${logged().join('\n')}`);
    assert.doesNotMatch(output.stdout, /request failed/);

    assert.equal(await countRows(), 0);
    const right = await runHere(t, ['tick'], environment);
    assert.equal(right.status, 0, right.stderr);
    assert.ok(Number(await countRows()) > 0);

    // What such a machine may write has the server's time, so the log goes on where it is.
    const rotated = await wrongly('key', 'rotate');
    assert.equal(rotated.status, 0, rotated.stderr);
    const goesOn = await listen(t, { ...environment, PIPELINE: 'off' });
    const later = { prediction_window_start: iso(now), prediction_window_end: iso(now + HOUR) };
    const accepted = await post(`${goesOn.url}/api/benchmark/submit`, submission(later));
    assert.equal(accepted.status, 200, accepted.text);
    const verified = await runHere(t, ['verify', goesOn.url], environment);
    assert.equal(verified.status, 0, verified.stdout + verified.stderr);
  });
