// A PostgreSQL server that stops, crashes, hangs or ends connections while it is read and written: the process lives,
// what fails says that the store is unavailable, and the first call after the server's return is answered.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { MAX_SLEEP_MS } from '../../../src/pipeline/schedule/scheduler.ts';
import { openPostgres, pipelineTimeouts, SESSION_NAME } from '../../../src/store/engine/postgres.ts';
import { type Engine, StoreError, type Transaction } from '../../../src/store/engine/store.ts';
import { claim } from '../../../src/store/runtime/job-runs.ts';
import { migrate } from '../../../src/store/schema/migrate.ts';
import { embeddedBinaries, installedBinaries } from '../../support/stores/postgres-binaries.ts';
import { type Cluster, startCluster } from '../../support/stores/postgres-cluster.ts';
import { noPostgres } from '../../support/stores/store-places.ts';

const [binaries] = [...installedBinaries(), ...(await embeddedBinaries())];
const timeouts = { statementMs: 600, lockMs: 300, idleMs: 10_000 };

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
          `select pg_terminate_backend(pid) from pg_stat_activity where application_name = '${SESSION_NAME}'`,
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

  describe('two workers of one slot', () => {
    const patience = { statementMs: 20_000, lockMs: 20_000, idleMs: 2000 };
    let slot = 0;
    let workers: [Engine, Engine];
    before(() => {
      workers = [openPostgres(cluster.url, patience), openPostgres(cluster.url, patience)];
    });
    after(() => Promise.all(workers.map((worker) => worker.close())));

    /** One worker claims the slot and does `work`, while the other one waits for the claim; which of them has it. */
    async function claimed(work: (tx: Transaction) => Promise<void>) {
      slot += 1;
      const begun = Promise.withResolvers<void>();
      const [first, second] = workers;
      const holds = first.transaction(async (tx) => {
        const won = await claim(tx, 'atmosphere', slot, 'first', 0);
        begun.resolve();
        await work(tx);
        return won;
      });
      const settled = Promise.allSettled([holds]);
      await begun.promise;
      const gets = await second.transaction((tx) => claim(tx, 'atmosphere', slot, 'second', 0));
      const [outcome] = await settled;
      const { worker } =
        (await second.get<{ worker: string }>('select worker from job_runs where slot = ?', slot)) ?? {};
      return { outcome, gets, worker };
    }

    const untilRun = async (of: number) => {
      while (!(await workers[1].get('select slot from job_runs where slot = ?', of))) await delay(20);
    };

    test('the claim of a worker that hangs goes to the other, and what it did is rolled back', async () => {
      const hung = Promise.withResolvers<void>();
      const result = claimed(async (tx) => {
        await hung.promise;
        await tx.get('select 1');
      });
      // It wakes up when the slot has long been run by the other one.
      void result.catch(() => undefined);
      await untilRun(slot);
      hung.resolve();
      const { outcome, gets, worker } = await result;
      assert.deepEqual([gets, worker, outcome?.status], [true, 'second', 'rejected']);
      assert.ok(outcome?.status === 'rejected' && isUnavailable(outcome.reason), 'it says so, and lives');
      await workers[0].transaction((tx) => claim(tx, 'atmosphere', slot + 1000, 'first', 0));
    });

    test('a process that stood still is told that the store was away', async () => {
      const stoodStill = workers[0].transaction(async (tx) => {
        await tx.get('select 1');
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, patience.idleMs + 500);
        await tx.get('select 1');
      });
      await assert.rejects(stoodStill, isUnavailable);
      await workers[0].transaction((tx) => tx.get('select 1'));
    });

    test('a worker that goes on keeps its claim, however long its slot takes', async () => {
      const { outcome, gets, worker } = await claimed(async (tx) => {
        for (let spent = 0; spent < 2 * patience.idleMs; spent += 200) {
          await delay(200);
          await tx.get('select 1');
        }
      });
      assert.deepEqual([outcome?.status, gets, worker], ['fulfilled', false, 'first']);
    });

    test('a worker that hangs is replaced within a minute, also by one whose patience ends first', async () => {
      const store = openPostgres(cluster.url, pipelineTimeouts);
      const { idle } =
        (await store.transaction((tx) =>
          tx.get<{ idle: number }>(
            "select setting::int as idle from pg_settings where name = 'idle_in_transaction_session_timeout'",
          ),
        )) ?? {};
      await store.close();
      const { lockMs, idleMs } = pipelineTimeouts;
      assert.equal(idle, idleMs);
      /** When the other one has the claim, if it began to wait this long before the hang. */
      const replacedAfter = (waited: number) =>
        waited + idleMs <= lockMs ? idleMs : Math.max(idleMs, lockMs + MAX_SLEEP_MS - waited);
      for (let waited = 0; waited <= lockMs; waited += 1000)
        assert.ok(replacedAfter(waited) < 60_000, `${replacedAfter(waited)} ms`);
    });
  });
});
