// A program that upgrades a store and kills itself before a statement: node killed-upgrade.ts SETTINGS STATEMENT.
// It ends with 0 if the upgrade has fewer statements.
import { openStore } from '../../../src/store/engine/open.ts';
import type { Engine, Store, Transaction } from '../../../src/store/engine/store.ts';
import { runBatches } from '../../../src/store/schema/batches.ts';
import { migrate } from '../../../src/store/schema/migrate.ts';

const [settings = '', statement = ''] = process.argv.slice(2);
let left = Number(statement);

function countDown(): void {
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
}

function counted(tx: Transaction): Transaction {
  const call = (name: 'run' | 'script' | 'insert' | 'all' | 'get') =>
    ((...args: unknown[]) => {
      countDown();
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

/** The last count is before the commit. */
const countedWork =
  <T>(work: (tx: Transaction) => Promise<T>) =>
  async (tx: Transaction) => {
    const result = await work(counted(tx));
    countDown();
    return result;
  };

const store: Engine = openStore(JSON.parse(settings));
const countedStore: Engine = Object.create(store, {
  exclusively: {
    value: ((work, options) => store.exclusively(countedWork(work), options)) as Engine['exclusively'],
  },
  transaction: {
    value: ((work, changes) => store.transaction(countedWork(work), changes)) as Store['transaction'],
  },
});
await migrate(countedStore, 1);
await runBatches(countedStore, { clock: () => 1, pauseMs: 0 });
await store.close();
