// `pocketwatch archive --remove` is killed, run too early, and run by who may not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from 'pg';
import type { Store } from '../../../src/store/engine/store.ts';
import { countEntries } from '../../../src/store/ledger/entries.ts';
import { sealedTables } from '../../../src/store/ledger/remove-archived.ts';
import { folderFetch } from '../../../src/verify/folder-fetch.ts';
import { httpFetch } from '../../../src/verify/http-fetch.ts';
import { archiveFebruary, oldLedger, passTime } from '../../support/services/old-ledger.ts';
import { eventually } from '../../support/services/operator-commands.ts';
import { run, runHere, start } from '../../support/services/processes.ts';
import { verifyLedger } from '../../support/services/verify-ledger.ts';
import { dumpTables } from '../../support/stores/dump-tables.ts';
import { onServer } from '../../support/stores/postgres-admin.ts';
import { describeStores, type StorePlace } from '../../support/stores/store-places.ts';

/** On a machine that is busy with other tests. */
const PATIENCE_MS = 120_000;
/** Of the second transaction. */
const HELD_BUNDLE = 9;

const hold: Record<Store['engine'], (store: Store, place: StorePlace) => Promise<() => Promise<void>>> = {
  /** With a count that takes hours. */
  sqlite: async (store) => {
    const many = Array.from({ length: 12 }, (_, n) => `job_claims t${n}`).join(', ');
    await store.transaction((tx) =>
      tx.script(`create trigger held before delete on ledger_bundles when old.idx = ${HELD_BUNDLE}
        begin select count(*) from ${many}; end`),
    );
    return () => store.transaction((tx) => tx.script('drop trigger held'));
  },
  /** With the lock of its row. */
  postgres: async (_store, { databaseUrl }) => {
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query(`begin; select 1 from ledger_bundles where idx = ${HELD_BUNDLE} for update`);
    return () => client.end();
  },
};

describeStores('archive --remove', (makePlace, engine) => {
  test('killed between two transactions, it leaves whole bundles, and the next run ends as one run would', async (t) => {
    const { store, url, place, folder, environment, bundles } = await oldLedger(t, makePlace);
    await passTime(store);
    const release = await hold[engine](store, place);
    const { child, closed } = start(archiveFebruary(folder, '--remove'), environment);
    await eventually(async () => ((await countEntries(store)).first ?? 0) > 0, PATIENCE_MS);
    child.kill('SIGKILL');
    assert.deepEqual(await closed, [null, 'SIGKILL']);
    assert.equal((await countEntries(store)).first, 8 * 256);
    // Neither the service nor a verifier needs the rest to have gone.
    const service = { fetch: httpFetch(url), api: httpFetch(url, 'api') };
    const half = await verifyLedger(service);
    assert.ok(half.ok, JSON.stringify(half));
    assert.deepEqual(half.archived, { rows: 8 * 256, place: null, read: false });
    await release();

    const done = await Promise.all(
      [1, 2].map(() => run(archiveFebruary(folder, '--remove', '--json'), environment)),
    );
    let entries = 0;
    for (const { status, stdout, stderr } of done) {
      assert.equal(status, 0, stderr);
      entries += JSON.parse(stdout).removed.entries;
    }
    assert.equal(entries, (bundles - 8) * 256);
    assert.equal((await countEntries(store)).first, bundles * 256);
    const whole = await verifyLedger({ ...service, archive: folderFetch(folder) });
    assert.ok(whole.ok, JSON.stringify(whole));
    assert.deepEqual([whole.figures, whole.tables], ['compared', 'compared']);
    const gone = (await (await fetch(`${url}/api/ledger/tile/entries/000`)).json()) as { error: string };
    assert.match(gone.error, /^leaf 0 is archived by the operator, with all entries /);
  });

  test('refuses what is still read, and what it cannot do', async (t) => {
    const { store, folder, environment } = await oldLedger(t, makePlace);
    const before = await dumpTables(store);
    const early = await runHere(t, archiveFebruary(folder, '--remove'), environment);
    assert.equal(early.status, 2);
    assert.match(early.stderr, /rows for 190 days, [^\n]+; it is possible from 2025-09-07 on, or with/);
    for (const [options, line] of [
      [['--place', 'https://archive.example.org'], /--place needs --remove/],
      [['--dry-run'], /--dry-run needs --remove/],
      [['--remove', '--place', '/archive/ledger'], /--place must be an http address/],
      [['--remove', '--place', 'https://me:secret@archive.example.org'], /--place must be an http address/],
    ] as const) {
      const refused = await runHere(t, archiveFebruary(folder, ...options), environment);
      assert.equal(refused.status, 2, options.join(' '));
      assert.match(refused.stderr, line);
    }
    await passTime(store);
    const { archived_bundles, ledger_bundles } = await dumpTables(store);
    assert.deepEqual([archived_bundles, ledger_bundles], [before.archived_bundles, before.ledger_bundles]);
  });

  if (engine === 'postgres')
    test('is refused to a role that may not delete', async (t) => {
      const { store, place, folder, environment } = await oldLedger(t, makePlace);
      await passTime(store);
      const server = place.databaseUrl ?? assert.fail();
      const role = `worker_${process.pid}`;
      await onServer(
        server,
        `create role ${role} login password 'worker';
         grant select, insert, update, delete on all tables in schema public to ${role};
         revoke delete on ledger_bundles, ${sealedTables.map(({ name }) => name).join(', ')} from ${role};
         revoke insert on archived_bundles from ${role}`,
      );
      try {
        const address = new URL(server);
        [address.username, address.password] = [role, 'worker'];
        const rows = await dumpTables(store);
        const refused = await runHere(t, archiveFebruary(folder, '--remove'), {
          ...environment,
          DATABASE_URL: address.href,
        });
        assert.equal(refused.status, 1);
        assert.match(
          refused.stderr,
          /\npocketwatch: permission denied for table archived_bundles; check DATABASE_URL and the rights of its role\n$/,
        );
        assert.deepEqual(await dumpTables(store), rows);
      } finally {
        await onServer(server, `drop owned by ${role}; drop role ${role}`);
      }
    });
});
