// Whether the log of a store that was restored is the one that its checkpoint signs.
import { LedgerError } from '../../../ledger/error.ts';
import type { Reader } from '../../../store/engine/store.ts';
import { latestCheckpoint } from '../../../store/ledger/ledger-reads.ts';
import { placeText, verifyLedger } from '../../../verify/verify-ledger.ts';
import { storedLedger } from './stored-ledger.ts';

/**
 * What is wrong with the first entry that is, or undefined. `since` is a checkpoint that was published, if one is known:
 * without it a log that was written anew and signed with its own key passes.
 */
export async function faultOfLog(store: Reader, since: string | undefined): Promise<string | undefined> {
  const { n = 0 } = (await store.get<{ n: number }>('select count(*) as n from ledger_entries')) ?? {};
  const size = (await latestCheckpoint(store))?.size ?? 0;
  if (n !== size) return `it has ${n} entries, and its checkpoint is of ${size}`;
  if (size === 0) return undefined;
  try {
    const verdict = await verifyLedger({
      fetch: storedLedger(store, Date.now()),
      threads: 1,
      // A copy may be of a time at which the service was catching up after an outage.
      outcomesMayBeLate: true,
      ...(since !== undefined && { since }),
    });
    return verdict.ok ? undefined : `${placeText(verdict.place)}${verdict.message} (${verdict.code})`;
  } catch (error) {
    // What cannot be a row of the log cannot be served as one either.
    if (error instanceof LedgerError) return error.message;
    throw error;
  }
}
