// Whatever was acknowledged survives a SIGKILL at any moment. `npm run faults` is the long form, with hundreds of kills.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { killTrial } from '../../scripts/faults/kill-trial.ts';
import { seededRandom } from '../../scripts/faults/random.ts';
import { SLOT } from '../../src/domain/time/slot.ts';
import { beginShortHistory } from '../support/pipeline/short-history.ts';
import { smallRegistry, smallRegistryPockets } from '../support/pipeline/small-registry.ts';
import { listen, readiness } from '../support/services/processes.ts';
import { describeStores, sqlitePlace } from '../support/stores/store-places.ts';

/** With this seed the whole group is killed inside a tick, then the pipeline inside a tick, then the service at any moment. */
const SEED = 23;

describeStores('a service that takes submissions', (makePlace, engine) => {
  // With SQLite there is one process, and the third kill would be no other one.
  const rounds = engine === 'sqlite' ? 2 : 3;
  test(`killed ${rounds} times, also inside ticks, loses and doubles nothing`, async (t) => {
    const place = await makePlace();
    t.after(() => place.remove());
    // The clock of the service is as far behind.
    await beginShortHistory(place, Date.now() - (rounds + 8) * SLOT);
    const { insideTicks, acknowledged, ...result } = await killTrial({ place, rounds, seed: SEED });
    assert.deepEqual(result, { rounds, lost: [], doubled: [], verifyFault: undefined });
    assert.ok(acknowledged > 0);
    assert.ok(insideTicks > 0);
    // The last start has removed what the killed processes were writing.
    const drafts = readdirSync(place.dataDir).filter((name) => name.startsWith('ledger.checkpoint.'));
    assert.deepEqual(drafts, []);
  });
});

/** The second finds what the first has left. */
const KILLS = 2;

test(`killed ${KILLS} times while it writes history, the service loses nothing that it acknowledged`, async (t) => {
  const { dataDir, remove } = await sqlitePlace('empty');
  t.after(remove);
  let acknowledged = 0;
  const random = seededRandom(1);
  for (let kill = 0; kill < KILLS; kill += 1) {
    const { url, child, closed } = await listen(t, {
      DATA_DIR: dataDir,
      CITY_DIR: smallRegistry(dataDir),
      HISTORY_DAYS: '366',
    });
    const before = acknowledged;
    while (acknowledged === before) {
      acknowledged = Math.max(acknowledged, (await readiness(url)).history.done);
      await delay(20);
    }
    // Any moment within the writing of the next days.
    await delay(random() * 400);
    child.kill('SIGKILL');
    await closed;

    const { days, readings, halves } = inspect(dataDir);
    assert.ok(
      days >= acknowledged,
      `${acknowledged} days were acknowledged, ${days} left after kill ${kill}`,
    );
    assert.ok(
      readings >= acknowledged * 96 * (smallRegistryPockets.length / 2),
      `too few readings after kill ${kill}`,
    );
    assert.equal(halves, 0, `part of a slot was written before kill ${kill}`);
  }
  assert.ok(acknowledged >= KILLS);
});

function inspect(dataDir: string) {
  const database = new DatabaseSync(join(dataDir, 'pocketwatch.sqlite'));
  try {
    const integrity = database.prepare('pragma integrity_check').get() as { integrity_check: string };
    assert.equal(integrity.integrity_check, 'ok');
    const whole = database
      .prepare(
        `select date((slot + 28800000) / 1000, 'unixepoch') as day from job_runs
         where job = 'atmosphere' group by day having count(*) = 96`,
      )
      .all() as { day: string }[];
    const count = (sql: string) => (database.prepare(sql).get() as { n: number }).n;
    return {
      days: whole.length,
      readings: count('select count(*) as n from atmosphere_readings'),
      halves: count(
        `select count(*) as n from job_runs
         where job = 'atmosphere' and slot not in (select slot from atmosphere_readings)`,
      ),
    };
  } finally {
    database.close();
  }
}
