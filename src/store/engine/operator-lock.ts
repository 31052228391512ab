import type { Store, Transaction } from './store.ts';

/** An operator's transaction: no other operator's runs meanwhile, so what was checked still holds when it is written. */
export const withOperatorLock = <T>(store: Store, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  store.transaction(async (tx) => {
    await tx.run('update operator_turn set turn = turn + 1');
    return work(tx);
  });
