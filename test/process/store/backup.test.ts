// Backups of a store that is being written, what a restore brings back, and when the log may go on.

import assert from 'node:assert/strict';
import { copyFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { DAY, iso, SLOT } from '../../../src/domain/time/slot.ts';
import { runDue } from '../../../src/pipeline/schedule/run.ts';
import { countEntries } from '../../../src/store/ledger/entries.ts';
import { httpFetch } from '../../../src/verify/http-fetch.ts';
import { beginShortHistory } from '../../support/pipeline/short-history.ts';
import { smallCity } from '../../support/pipeline/small-city.ts';
import { submission } from '../../support/rows/benchmark-submission.ts';
import { post } from '../../support/services/http-client.ts';
import { run, runHere, serviceEnvironment } from '../../support/services/processes.ts';
import { startService } from '../../support/services/service.ts';
import { verifyLedger } from '../../support/services/verify-ledger.ts';
import { onServer } from '../../support/stores/postgres-admin.ts';
import { describeStores, type StorePlace } from '../../support/stores/store-places.ts';

const BACKUPS = 2;
/** Many writes fall into one backup, and the rest of the time is left to it. */
const BETWEEN_WRITES_MS = 20;

describeStores('a backup', (makePlace) => {
  test('taken while slots run and submissions come in has every entry up to its checkpoint', async (t) => {
    const registry = smallCity(2);
    const place = await makePlace('empty');
    const { url, pipeline, clock, service } = await startService(t, { place, registry, days: 0.25 });
    const pocket_id = registry.pockets[0]?.id;
    const acknowledged: string[] = [];
    let over = false;
    let sent: Promise<unknown> = Promise.resolve();
    const submit = async () => {
      for (let n = 0; !over; n++) {
        const [given] = submission().predictions;
        const body = submission({
          submitter_name: `system ${n}`,
          prediction_window_end: iso(clock.now + 6 * DAY),
          predictions: [{ ...given, pocket_id }],
        });
        const answered = post(`${url}/api/benchmark/submit`, body);
        sent = answered;
        const reply = await answered;
        assert.equal(reply.status, 200, reply.text);
        acknowledged.push(reply.json<{ submission_id: string }>().submission_id);
        await delay(BETWEEN_WRITES_MS);
      }
    };
    const tick = async () => {
      while (!over) {
        for (const { outcome, error } of await runDue(pipeline, clock.now))
          assert.equal(outcome, 'ran', String(error));
        await delay(BETWEEN_WRITES_MS);
        // A submission that a quarter hour passed over would be refused.
        await sent;
        clock.now += SLOT;
      }
    };
    const writers = Promise.all([submit(), tick()]);
    const backups: { file: string; before: number; entries: number }[] = [];
    try {
      for (let n = 0; n < BACKUPS; n++) {
        const before = acknowledged.length;
        const file = join(place.dataDir, `copy-${n}`);
        const { status, stdout, stderr } = await run(['backup', file, '--json'], serviceEnvironment(place));
        assert.equal(status, 0, stderr);
        backups.push({ file, before, ...(JSON.parse(stdout) as { entries: number }) });
      }
    } finally {
      over = true;
      await writers;
    }
    const { file, before, entries } = backups.at(-1) ?? assert.fail();
    assert.ok(entries > (backups[0]?.entries ?? 0), 'the log grew between two backups');
    assert.ok(before > 0);

    const target = await makePlace('empty');
    const restored = await runHere(t, ['restore', file], serviceEnvironment(target));
    assert.equal(restored.status, 0, restored.stderr);
    const copy = await startService(t, { place: target, registry, days: 0, now: clock.now });
    assert.deepEqual(await countEntries(copy.store), { count: entries, first: 0, last: entries - 1 });
    const rows = await copy.store.all<{ id: string }>('select id from submissions');
    const ids = new Set(rows.map(({ id }) => id));
    for (const id of acknowledged.slice(0, before)) assert.ok(ids.has(id), `${id} is lost`);
    assert.equal(service.ledgerKey, copy.service.ledgerKey);
    const verdict = await verifyLedger({ fetch: httpFetch(copy.url), api: httpFetch(copy.url, 'api') });
    assert.ok(verdict.ok && verdict.size === entries, JSON.stringify(verdict));
    assert.equal(verdict.figures, 'compared');
    const again = await runHere(t, ['restore', file], serviceEnvironment(target));
    assert.equal(again.status, 1);
    assert.match(again.stderr, /^pocketwatch: .*(restore into an empty DATA_DIR|an empty database)\n$/);
  });

  test('a log that has lost published entries does not go on until the loss is accepted', async (t) => {
    const place = await makePlace('empty');
    t.after(() => place.remove());
    const environment = serviceEnvironment(place);
    const file = (name: string) => join(place.dataDir, name);
    const done = async (...args: string[]) => {
      const { status, stderr } = await runHere(t, args, environment);
      assert.equal(status, 0, stderr);
    };
    const refused = async (line: RegExp, ...args: string[]) => {
      const { status, stderr } = await runHere(t, args, environment);
      assert.equal(status, 1, stderr);
      assert.match(stderr, line);
      assert.equal(stderr.split('\n').length, 2);
    };
    await done('migrate');
    await done('backup', file('empty'));
    assert.ok(!existsSync(file('empty.checkpoint')));
    await beginShortHistory(place);
    await done('backfill');
    assert.ok(existsSync(file('ledger.checkpoint')));
    await done('backup', file('full'));
    assert.match((await runHere(t, ['backup', file('full')], environment)).stderr, /full already exists/);

    await clear(place);
    await refused(/has 0 entries of the log, but \d+ were published/, 'restore', file('empty'));
    copyFileSync(file('full.checkpoint'), file('other.checkpoint'));
    writeFileSync(file('other'), 'not a store');
    await refused(/^pocketwatch: /, 'restore', file('other'));
    await done('migrate');
    await refused(/holds a log of 0 entries, but .* knows of \d+: restore a newer backup, or /, 'tick');

    await clear(place);
    await done('restore', file('full'));
    await done('tick');
    await clear(place);
    await done('restore', file('empty'), '--accept-loss');
    assert.ok(!existsSync(file('ledger.checkpoint')));
    await done('tick');
  });
});

/** Removes the store and leaves the folder with the key and the known checkpoint. */
async function clear({ databaseUrl, dataDir }: StorePlace): Promise<void> {
  if (databaseUrl) await onServer(databaseUrl, 'drop schema public cascade; create schema public');
  else
    for (const end of ['', '-wal', '-shm'])
      rmSync(join(dataDir, `pocketwatch.sqlite${end}`), { force: true });
}
