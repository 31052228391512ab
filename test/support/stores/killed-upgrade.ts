// A program that upgrades a store and kills itself before a statement: node killed-upgrade.ts SETTINGS EVERY STEP.
// The first of EVERY statements is a step, and so are the first statement of a file and of a transaction and each commit.
// It dies before the given STEP of the first transaction that is left to do, or, if that has fewer, it commits it, says so
// and dies before the first statement of the next one. It ends with 0 when nothing was left.
import { writeSync } from 'node:fs';
import { openStore } from '../../../src/store/engine/open.ts';
import type { Engine, Store, Transaction } from '../../../src/store/engine/store.ts';
import { batchedChanges, runBatches } from '../../../src/store/schema/batches.ts';
import { migrate } from '../../../src/store/schema/migrate.ts';

const [settings = '', every = '', step = ''] = process.argv.slice(2);
let left = Number(step);

function countDown(): void {
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
}

function counted(tx: Transaction): Transaction {
  let made = 0;
  let isFirst = true;
  const call = (name: 'run' | 'script' | 'insert' | 'all' | 'get') =>
    ((...args: unknown[]) => {
      if (isFirst || made % Number(every) === 0) countDown();
      made += 1;
      // The last statement of a file records it.
      isFirst = name === 'insert' && args[0] === 'schema_migrations';
      return (tx[name] as (...given: unknown[]) => unknown)(...args);
    }) as never;
  return {
    ...tx,
    ...{
      run: call('run'),
      script: call('script'),
      insert: call('insert'),
      all: call('all'),
      get: call('get'),
    },
  };
}

const countedWork =
  <T>(work: (tx: Transaction) => Promise<T>) =>
  async (tx: Transaction) => {
    const result = await work(counted(tx));
    countDown();
    return result;
  };

async function committed<T>(transaction: Promise<T>): Promise<T> {
  const result = await transaction;
  writeSync(1, 'committed\n');
  left = 1;
  return result;
}

const store: Engine = openStore(JSON.parse(settings));
const countedStore: Engine = Object.create(store, {
  exclusively: {
    value: ((work, options) =>
      committed(store.exclusively(countedWork(work), options))) as Engine['exclusively'],
  },
  transaction: {
    value: ((work, changes) =>
      committed(store.transaction(countedWork(work), changes))) as Store['transaction'],
  },
});
await migrate(countedStore, 1);
// A change that is finished would only find that out.
const finished = await store.all<{ key: string }>('select key from schema_batches where finished = 1');
const changes = batchedChanges.filter(({ key }) => !finished.some((one) => one.key === key));
await runBatches(countedStore, { clock: () => 1, pauseMs: 0, changes });
await store.close();
