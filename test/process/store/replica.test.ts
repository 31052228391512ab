// A primary and a streaming replica: which of them is read, how old that is, and that no revision goes back.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openPostgres } from '../../../src/store/engine/postgres.ts';
import {
  MAX_LAG_MS,
  type ReadingStore,
  sharedChoice,
  watchReplica,
} from '../../../src/store/engine/servers/readers.ts';
import { type Engine, StoreError } from '../../../src/store/engine/store.ts';
import { migrate } from '../../../src/store/schema/migrate.ts';
import {
  type ClusterPair,
  noReplication,
  replicatedBinaries,
  startPair,
} from '../../support/replication/cluster-pair.ts';
import { onServer } from '../../support/stores/postgres-admin.ts';

const binaries = await replicatedBinaries();
const timeouts = { statementMs: 5_000, lockMs: 2_000, idleMs: 10_000 };

describe('a replica', { skip: !binaries && noReplication }, () => {
  let pair: ClusterPair;
  let primary: Engine;
  let store: ReadingStore;
  let ahead = 0;
  const told: string[] = [];
  const now = () => Date.now() + ahead;
  before(async () => {
    pair = await startPair(binaries ?? assert.fail());
    const owner = openPostgres(pair.primary.url, timeouts);
    await migrate(owner, 0);
    await owner.close();
    // Neither role is more than docs/operators.md says.
    for (const [role, rights] of Object.entries({ service: 'select, insert, update', reader: 'select' }))
      await onServer(
        pair.primary.url,
        `create role ${role} login password 'x'; grant ${rights} on all tables in schema public to ${role}`,
      );
    await pair.caughtUp();
    const as = (role: string, url: string) => url.replace(/(?<=:\/\/)[^@]*/, `${role}:x`);
    primary = openPostgres(as('service', pair.both), timeouts);
    const replica = openPostgres(as('reader', pair.replica.url), timeouts, { standby: true });
    store = watchReplica(
      { primary, replica, shared: sharedChoice() },
      { tell: (line) => told.push(line), now },
    );
  });
  after(async () => {
    await store.close();
    await pair.stop();
  });

  /** Asks for the revision, as an answering process does twice a second, until `is` holds. */
  async function until(is: () => boolean): Promise<void> {
    for (let tries = 0; !is(); tries++) {
      if (tries === 200) assert.fail(`${JSON.stringify(store.state())} ${told.join('; ')}`);
      await store.revision();
      await delay(20);
    }
  }
  const used = () => store.state().used;
  const write = () => store.transaction(async () => undefined);
  const servedBy = async () => {
    const row = await store.get<{ standby: number }>(
      'select case when pg_is_in_recovery() then 1 else 0 end as standby',
    );
    return row?.standby === 1 ? 'replica' : 'primary';
  };

  test('is read once it has what the primary has, and writes go to the primary', async () => {
    assert.equal(await servedBy(), 'primary');
    await until(used);
    assert.equal(await servedBy(), 'replica');
    const { revision } = await store.revision();
    await write();
    await pair.caughtUp();
    assert.equal((await store.revision()).revision, revision + 1);
    assert.deepEqual(told, ['answers come from the replica']);
  });

  test('an idle one is complete up to the moment, one that applies nothing up to its pause', async () => {
    const before = now();
    await until(() => (store.readAt() ?? 0) >= before);
    await pair.pause();
    await write();
    const written = now();
    await delay(50);
    const { revision } = await store.revision();
    assert.equal(
      (await primary.get<{ revision: number }>('select revision from store_revision'))?.revision,
      revision + 1,
    );
    assert.equal(await servedBy(), 'replica');
    const readAt = store.readAt() ?? assert.fail();
    assert.ok(readAt >= before && readAt <= written, `${before} ${readAt} ${written}`);
  });

  test('beyond the bound the primary is read, and the replica again once it has the same', async () => {
    ahead = MAX_LAG_MS + 1_000;
    await until(() => !used());
    assert.equal(await servedBy(), 'primary');
    assert.equal(store.readAt(), undefined);
    assert.ok((store.state().lagMs ?? 0) > MAX_LAG_MS);
    assert.match(told.at(-1) ?? '', /^the replica is \d+ s behind: answers come from the primary$/);
    const seen = await store.revision();
    await write();
    await pair.resume();
    let highest = seen.revision;
    while (!used()) {
      const { revision } = await store.revision();
      assert.ok(revision >= highest, `${revision} after ${highest}`);
      highest = revision;
    }
    assert.equal(highest, seen.revision + 1);
    assert.equal(await servedBy(), 'replica');
  });

  test('a statement that it ends for what it has to apply is asked again', async () => {
    await onServer(pair.primary.url, 'create table in_the_way (n integer)');
    await onServer(pair.primary.url, 'insert into in_the_way values (1)');
    await onServer(pair.primary.url, 'grant select on in_the_way to public');
    await pair.caughtUp();
    await until(used);
    const asked = store.all<{ n: number }>('select n, pg_sleep(1) from in_the_way');
    await delay(300);
    await onServer(pair.primary.url, 'alter table in_the_way add column more integer');
    assert.deepEqual(
      (await asked).map(({ n }) => n),
      [1],
    );
    await onServer(pair.primary.url, 'drop table in_the_way');
  });

  test('while it is stopped the primary is read, without an error', async () => {
    await until(used);
    await pair.replica.halt('immediate');
    assert.equal(await servedBy(), 'primary');
    await until(() => !used());
    assert.equal(told.at(-1), 'the replica cannot be reached: answers come from the primary');
    await write();
    await pair.replica.start();
    await until(used);
    assert.equal(await servedBy(), 'replica');
  });

  test('while the primary is away the replica is read, and nothing is written', async () => {
    await pair.caughtUp();
    await pair.primary.halt('fast');
    const stopped = now();
    await until(() => store.state().primaryAway);
    assert.equal(await servedBy(), 'replica');
    await assert.rejects(write(), (error) => error instanceof StoreError && error.code === 'unavailable');
    ahead += 2 * MAX_LAG_MS;
    await store.revision();
    assert.equal(await servedBy(), 'replica');
    assert.ok((store.readAt() ?? 0) <= stopped);
  });

  test('once it is promoted, the same process writes to it and reads it as of now', async () => {
    await pair.promote();
    const promoted = now();
    await until(() => !store.state().primaryAway && (store.readAt() ?? now()) >= promoted);
    const { revision } = await store.revision();
    await write();
    assert.equal((await store.revision()).revision, revision + 1);
    assert.equal(await servedBy(), 'primary');
  });
});
