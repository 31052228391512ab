// Several processes share the districts of a city, and one of them or the server is killed or stopped.
// `npm run faults -- --districts` is the long form.
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import {
  compareLedgers,
  districtTrial,
  finish,
  newDatabase,
  startWorker,
  trialSlots,
} from '../../../scripts/faults/district-trial.ts';
import { embeddedBinaries, installedBinaries } from '../../support/stores/postgres-binaries.ts';
import { type Cluster, startCluster } from '../../support/stores/postgres-cluster.ts';
import { noPostgres } from '../../support/stores/store-places.ts';

const [binaries] = [...installedBinaries(), ...(await embeddedBinaries())];
const city = { pockets: 16, most: 2 };
const freezing = { ...city, slots: trialSlots(3) };

describe('workers that share districts', { skip: binaries ? false : noPostgres }, () => {
  let cluster: Cluster;
  before(async () => {
    if (!binaries) return;
    // What is committed stays when the server is stopped at once.
    cluster = await startCluster(binaries, { settings: { synchronous_commit: 'on' } });
  });
  after(() => cluster?.stop());

  let plain: Promise<string> | undefined;
  /** The ledger of one worker that nothing happens to, written once. */
  const writePlain = async (): Promise<string> => {
    const databaseUrl = await newDatabase(cluster, 'frozen_plain');
    await finish(startWorker({ ...freezing, databaseUrl }));
    return databaseUrl;
  };

  test('killed again and again, with a server that crashes, write the ledger of one', async () => {
    const trial = { ...city, slots: 5, workers: 3, kills: 5, stops: 1, seed: 7 };
    const { faults, ...done } = await districtTrial(cluster, trial);
    assert.deepEqual(faults, []);
    assert.ok(done.kills > 0 && done.entries > 0);
  });

  /** Stops a worker when it has written so many transactions, lets another one do the rest, and wakes the first. */
  async function freeze(name: string, number: number): Promise<string[]> {
    plain ??= writePlain();
    const frozen = await newDatabase(cluster, `${name}_frozen`);
    const first = startWorker({ ...freezing, databaseUrl: frozen, holdMs: 200, idleMs: 1_500 });
    await written(first, number);
    first.kill('SIGSTOP');
    await finish(startWorker({ ...freezing, databaseUrl: frozen, idleMs: 1_500 }));
    first.kill('SIGCONT');
    await finish(first);
    return (await compareLedgers(await plain, frozen, freezing.slots)).faults;
  }

  test('one that hangs inside a district loses it to another, and writes nothing when it wakes', async () => {
    // The first transaction decides the districts.
    assert.deepEqual(await freeze('district', 4), []);
  });

  test('so does one that hangs while it seals', async () => {
    // Eight districts, then theirs are sealed.
    assert.deepEqual(await freeze('sealing', 12), []);
  });
});

/** Resolves when the worker has told of so many transactions. */
const written = (worker: ChildProcess, number: number): Promise<void> =>
  new Promise((resolve) => {
    let count = 0;
    worker.on('message', (message: { written?: true }) => {
      if (message.written && ++count === number) resolve();
    });
  });
