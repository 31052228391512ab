// What an attacker with write access to the database could do to sealed rows.
import type { Store } from '../../../src/store/engine/store.ts';
import type { LedgerEntry } from '../../../src/store/ledger/ledger-reads.ts';
import { testLedger } from './test-ledger.ts';

const ledgers = ['ledger_entries', 'ledger_tiles', 'ledger_checkpoints'];

/** Drops the triggers that make the tables append-only, as such an attacker can. */
export const dropGuards = ({ engine, transaction }: Store): Promise<void> =>
  transaction(async (tx) => {
    for (const table of ledgers) {
      if (engine === 'postgres') await tx.script(`drop trigger ${table}_no_change on ${table}`);
      else for (const verb of ['update', 'delete']) await tx.script(`drop trigger ${table}_no_${verb}`);
    }
  });

export const change = (store: Store, sql: string, ...params: (string | number)[]): Promise<void> =>
  store.transaction((tx) => tx.run(sql, ...params));

/** Rewrites the whole log from its edited rows, with matching hashes, tiles and a valid signature. */
export const rewriteLog = (store: Store, edit: (entry: LedgerEntry) => object): Promise<void> =>
  store.transaction(async (tx) => {
    const entries = await tx.all<LedgerEntry>('select * from ledger_entries order by leaf');
    for (const table of [...ledgers, 'ledger_edges']) await tx.run(`delete from ${table}`);
    await tx.run(
      'update ledger_size set size = 0, written_at = 0, sealed_before_outcome = 0, written_afterwards = 0',
    );
    const log = testLedger();
    for (let first = 0; first < entries.length; ) {
      const type = entries[first]?.type ?? 'silence';
      let end = first;
      while (entries[end]?.type === type) end++;
      const rows = entries.slice(first, end).map((entry) => ({ id: entry.id, payload: edit(entry) }));
      await log.append(tx, type, rows);
      first = end;
    }
    await log.write(tx);
  });
