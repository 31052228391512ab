// Whether the log of a store that was restored is the one that its checkpoint signs, and the tables follow from it.
import { generators } from '../../../domain/prediction/generators/all.ts';
import { LedgerError } from '../../../ledger/error.ts';
import type { Reader } from '../../../store/engine/store.ts';
import { firstKeptLeaf } from '../../../store/ledger/archived.ts';
import { countEntries } from '../../../store/ledger/entries.ts';
import { latestCheckpoint } from '../../../store/ledger/ledger-reads.ts';
import { migrationStatus } from '../../../store/schema/migrate.ts';
import { readLedgerOfAnyVersion } from '../../../store/schema/read-before-bundles.ts';
import { placeText, verifyLedger } from '../../../verify/verify-ledger.ts';
import { storedLedger } from './stored-ledger.ts';

export interface LogChecks {
  /** A checkpoint that was published, if one is known: without it a log that was written anew and signed with its own key passes. */
  since?: string | undefined;
  /** Whether the tables and rollups beside the log must follow from it. */
  tables: boolean;
}

/** What is wrong with the first entry that is, or with what the tables say of it; or undefined. */
export async function faultOfLog(
  restored: Reader,
  { since, tables }: LogChecks,
): Promise<string | undefined> {
  const store = await readLedgerOfAnyVersion(restored);
  const { count: n, first } = await countEntries(store);
  const size = (await latestCheckpoint(store))?.size ?? 0;
  const archived = first ? Math.min(first, await firstKeptLeaf(store)) : 0;
  if (n + archived !== size)
    return `it has ${n} entries${archived ? ` after ${archived} that are archived` : ''}, but its checkpoint covers ${size}`;
  if (size === 0) return undefined;
  try {
    const fetch = storedLedger(store, Date.now());
    // A store of another schema has other columns; it is refused when it is opened.
    const isCompared = tables && (await migrationStatus(store)).all_applied;
    const verdict = await verifyLedger({
      generators,
      fetch: isCompared ? fetch : async (path, limit) => (path === 'rows' ? undefined : fetch(path, limit)),
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
