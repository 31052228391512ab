// A file of the embedded store that is damaged: the service says so where operators look, and does not fail by it.
import assert from 'node:assert/strict';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { listen, readiness, serviceEnvironment } from '../../support/services/processes.ts';
import { sqlitePlace } from '../../support/stores/store-places.ts';
import { testKey } from '../../support/stores/test-key.ts';

const key = {
  LEDGER_KEY: String(testKey.export({ type: 'pkcs8', format: 'pem' })),
  LEDGER_ORIGIN: 'pocketwatch.test',
};

/** Overwrites the page that a table begins with. */
function damage(dataDir: string, table: string): void {
  const path = join(dataDir, 'pocketwatch.sqlite');
  const database = new DatabaseSync(path);
  database.exec('pragma wal_checkpoint(truncate)');
  const page = database.prepare('select rootpage from sqlite_master where name = ?').get(table)?.rootpage;
  const size = Number(database.prepare('pragma page_size').get()?.page_size);
  database.close();
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(size, 0x55), 0, size, (Number(page) - 1) * size);
  closeSync(file);
}

/** What a start reads, and what nobody reads before the file is checked. */
for (const table of ['job_claims', 'reveal_figures']) {
  test(`${table} is damaged: the heartbeat is red, and the service is not ready and says why`, async (t) => {
    const place = await sqlitePlace(1);
    t.after(() => place.remove());
    damage(place.dataDir, table);
    const { url, output } = await listen(t, { ...serviceEnvironment(place), ...key });
    // The file is checked beside the service, which answers already.
    while (!output.stdout.includes('the store is damaged')) await delay(20);
    const heartbeat = await fetch(`${url}/api/heartbeat`);
    assert.equal(heartbeat.status, 200);
    const { status, checks } = (await heartbeat.json()) as {
      status: string;
      checks: { name: string; status: string; value: string; hint: string }[];
    };
    assert.equal(status, 'red');
    assert.equal(checks.length, 9);
    const worker = checks.find(({ name }) => name === 'agent worker');
    assert.deepEqual(
      [worker?.status, worker?.value, worker?.hint],
      ['red', 'the store is damaged', 'restore a backup: nothing is written to a damaged store'],
    );
    assert.equal(checks.find(({ name }) => name === 'inbound MX')?.value, 'no contact domain');
    const { history, ...ready } = await readiness(url);
    assert.deepEqual(ready, { status: 503, ready: false, reason: 'the store is damaged: restore a backup' });
    assert.equal((await fetch(`${url}/api/health`)).status, 200);
  });
}
