// A PostgreSQL server that stops, crashes, hangs or ends connections while it is read and written: the process lives,
// what fails says that the store is unavailable, and the first call after the server's return is answered.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { migrate } from '../../src/store/engine/migrate.ts';
import { openPostgres } from '../../src/store/engine/postgres.ts';
import { type Engine, StoreError } from '../../src/store/engine/store.ts';
import { embeddedBinaries, installedBinaries } from '../support/stores/postgres-binaries.ts';
import { type Cluster, startCluster } from '../support/stores/postgres-cluster.ts';
import { noPostgres } from '../support/stores/store-places.ts';

const [binaries] = [...installedBinaries(), ...(await embeddedBinaries())];
const timeouts = { statementMs: 600, lockMs: 300 };

describe('a PostgreSQL server that fails', { skip: !binaries && noPostgres }, () => {
  let cluster: Cluster;
  let store: Engine;
  before(async () => {
    cluster = await startCluster(binaries ?? assert.fail());
    store = openPostgres(cluster.url, timeouts);
    await migrate(store, 0);
  });
  after(async () => {
    await store.close();
    await cluster.stop();
  });

  /** Locks the row of the ledger and adds to the revision, as a submission does, with a pause between. */
  const write = (pauseMs = 20) =>
    store.transaction(async (tx) => {
      await tx.run('update ledger_size set size = size where id = ?', 1);
      await delay(pauseMs);
      await tx.get('select size from ledger_size');
    });
  const read = () => store.get('select size from ledger_size');
  const isUnavailable = (error: unknown) => error instanceof StoreError && error.code === 'unavailable';

  /** Reads and writes without a pause while `trouble` happens; returns how many calls failed. */
  async function useDuring(trouble: () => Promise<void>): Promise<number> {
    let failed = 0;
    let over = false;
    const use = async (call: () => Promise<unknown>) => {
      while (!over) {
        await call().catch((error) => {
          assert.ok(isUnavailable(error), String(error));
          failed++;
        });
        await delay(5);
      }
    };
    const uses = [use(read), use(read), use(() => write()), use(() => write())];
    await delay(100);
    await trouble();
    over = true;
    await Promise.all(uses);
    return failed;
  }

  const answersAgain = async () => {
    assert.deepEqual(await read(), { size: 0 });
    await write();
  };

  for (const how of ['fast', 'immediate'] as const) {
    test(`a stop (${how}) and start`, async () => {
      const failed = await useDuring(async () => {
        await cluster.halt(how);
        await delay(200);
        await cluster.start();
      });
      assert.ok(failed > 0);
      await answersAgain();
    });
  }

  test('connections that an administrator ends', async () => {
    const failed = await useDuring(async () => {
      const admin = new Client({ connectionString: cluster.url });
      await admin.connect();
      for (let round = 0; round < 10; round++) {
        await admin.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'pocketwatch'",
        );
        await delay(30);
      }
      await admin.end();
    });
    assert.ok(failed > 0);
    await answersAgain();
  });

  test('a server that hangs', async () => {
    const failed = await useDuring(async () => {
      cluster.freeze();
      await delay(timeouts.statementMs + 2_500);
      cluster.thaw();
    });
    assert.ok(failed > 0);
    await answersAgain();
  });

  test('no connection is left', async () => {
    const others: Client[] = [];
    try {
      for (;;) {
        const other = new Client({ connectionString: cluster.url });
        // Ends before its turn where the server has no connection left.
        other.on('error', () => undefined);
        await other.connect();
        others.push(other);
      }
    } catch {
      const single = openPostgres(cluster.url, timeouts);
      await assert.rejects(single.get('select 1'), isUnavailable);
      await single.close();
    }
    await Promise.all(others.map((other) => other.end()));
    await answersAgain();
  });

  test('a statement that takes too long', async () => {
    await assert.rejects(
      store.transaction((tx) => tx.get('select pg_sleep(30)')),
      isUnavailable,
    );
    await assert.rejects(store.get('select pg_sleep(30)'), isUnavailable);
    await answersAgain();
  });

  test('writers that wait for a lock are refused in time, and readers do not wait for them', async () => {
    const holder = new Client({ connectionString: cluster.url });
    await holder.connect();
    await holder.query('begin; update ledger_size set size = size');
    const writers = Array.from({ length: 10 }, () => write());
    const outcomes = Promise.allSettled(writers);
    for (let n = 0; n < 20; n++) await read();
    for (const outcome of await outcomes) {
      assert.equal(outcome.status, 'rejected');
      assert.ok(isUnavailable(outcome.reason));
    }
    await holder.query('rollback');
    await holder.end();
    await answersAgain();
  });
});
