// The service over a month of simulated history. Writing the month takes long, so all test files of a process share one:
// they only read it, and set the clock back to NOON when they have moved it.
import { after, type TestContext } from 'node:test';
import type { SilencePayload } from '../../../src/domain/decision/silence.ts';
import type { EntryType } from '../../../src/ledger/entry.ts';
import type { LedgerEntry } from '../../../src/store/ledger/entries.ts';
import { storedEntries } from '../stores/stored-entries.ts';
import { startService } from './service.ts';

let started: ReturnType<typeof startService> | undefined;

export function monthService(): ReturnType<typeof startService> {
  started ??= startService({ after: after as TestContext['after'] }, { days: 'month' });
  return started;
}

let entries: Promise<Map<EntryType, LedgerEntry[]>> | undefined;
let silences: Promise<SilencePayload[]> | undefined;

/** The entries of a type, in the order of the log. The bundles of the month are unpacked once. */
export async function monthEntries(type: EntryType): Promise<readonly LedgerEntry[]> {
  entries ??= monthService()
    .then(({ store }) => storedEntries(store))
    .then((all) => Map.groupBy(all, (entry) => entry.type));
  return (await entries).get(type) ?? [];
}

/** The sealed payload of every silence, which several files read. */
export function monthSilences(): Promise<readonly SilencePayload[]> {
  silences ??= monthEntries('silence').then((sealed) => sealed.map(({ payload }) => JSON.parse(payload)));
  return silences;
}
