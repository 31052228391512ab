import type { Store, Transaction } from './store.ts';

/**
 * Runs an operator's command in a transaction that holds the operator lock: no other command runs at the same time, so
 * what it has checked is still true when it writes. The lock is the row of `operator_lock`, released by commit or rollback.
 */
export const withOperatorLock = <T>(store: Store, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  store.transaction(async (tx) => {
    await tx.run('update operator_lock set acquired = acquired + 1');
    return work(tx);
  });
