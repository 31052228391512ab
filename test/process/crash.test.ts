// What was acknowledged survives kill -9, wherever in its writing the service is hit.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { sqlitePlace } from '../support/postgres.ts';
import { smallRegistry, smallRegistryPockets } from '../support/small-registry.ts';

const KILLS = 20;
const main = join(import.meta.dirname, '../../src/main.ts');

function startService(dataDir: string): ChildProcess {
  return spawn(process.execPath, [main, 'serve'], {
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      REGISTRY_DIR: smallRegistry(dataDir),
      DATABASE_URL: '',
      PORT: '0',
      HOST: '127.0.0.1',
      HISTORY_DAYS: '366',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

/** The days that the service said are written, from the first to the last. */
function acknowledgedDays(child: ChildProcess, days: Set<string>): void {
  assert.ok(child.stderr);
  createInterface({ input: child.stderr }).on('line', (line) => {
    const day = /^history (\S+) written/.exec(line)?.[1];
    if (day) days.add(day);
  });
}

test(`killed ${KILLS} times while it writes, the service loses nothing that it acknowledged`, async (t) => {
  const { dataDir, remove } = await sqlitePlace('empty');
  t.after(remove);
  const acknowledged = new Set<string>();
  let seed = 1;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const child = startService(dataDir);
    const before = acknowledged.size;
    acknowledgedDays(child, acknowledged);
    while (acknowledged.size === before && child.exitCode === null) await delay(5);
    assert.equal(child.exitCode, null, 'the service ended by itself');
    // Any moment within the writing of the next days will do; the seed makes a failure repeatable.
    seed = (seed * 48_271) % 0x7fffffff;
    await delay(seed % 400);
    child.kill('SIGKILL');
    await once(child, 'close');

    const { days, readings, halves } = inspect(dataDir);
    for (const day of acknowledged)
      assert.ok(days.has(day), `${day} was acknowledged and is gone after kill ${kill}`);
    assert.ok(
      readings >= acknowledged.size * 96 * (smallRegistryPockets.length / 2),
      `too few readings after kill ${kill}`,
    );
    assert.equal(halves, 0, `a slot was written by half before kill ${kill}`);
  }
  assert.ok(acknowledged.size >= KILLS);
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
      days: new Set(whole.map(({ day }) => day)),
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
