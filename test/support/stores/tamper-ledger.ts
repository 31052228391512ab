// What an attacker with write access to the database could do to sealed rows, and with the log's key besides.
import { isSealedBeforeOutcome, type Sealed } from '../../../src/domain/prediction/written.ts';
import type { EntryType } from '../../../src/ledger/entry.ts';
import type { Signer } from '../../../src/ledger/key.ts';
import { computeSeal, type Seal } from '../../../src/ledger/seal.ts';
import type { Store, Transaction, Value } from '../../../src/store/engine/store.ts';
import { LogTree } from '../../../src/store/ledger/log-tree.ts';
import { storedEntries } from './stored-entries.ts';
import { testSigner } from './test-key.ts';

const ledgers = ['ledger_entries', 'ledger_bundles', 'ledger_tiles', 'ledger_checkpoints'];

/** Drops the triggers that make tables append-only, as such an attacker can. */
export const dropGuards = (
  { engine, transaction }: Store,
  tables: readonly string[] = ledgers,
): Promise<void> =>
  transaction(async (tx) => {
    for (const table of tables) {
      const on = engine === 'postgres' ? ` on ${table}` : '';
      for (const verb of ['change', 'update', 'delete'])
        await tx.script(`drop trigger if exists ${table}_no_${verb}${on}`);
    }
  });

export const change = (store: Store, sql: string, ...params: Value[]): Promise<void> =>
  store.transaction((tx) => tx.run(sql, ...params));

/** An entry as it is edited. `leaf` is where it stood; `seal` replaces the one that follows from the payload. */
export interface EditedEntry {
  leaf: number;
  type: EntryType;
  id: string;
  payload: Record<string, unknown>;
  seal?: { canonical: string; payload_hash: string };
}

interface Rewrite {
  signer: Signer;
  /** Whether reveals and verdicts are made to refer to where the rows that they are about stand now. */
  relink: boolean;
}

/** Rewrites the whole log from its edited rows, with matching hashes, tiles and a valid signature. */
export const rewriteLog = (
  store: Store,
  edit: (entries: EditedEntry[]) => readonly EditedEntry[],
  { signer = testSigner, relink = true }: Partial<Rewrite> = {},
): Promise<void> =>
  store.transaction(async (tx) => {
    const stored = await storedEntries(tx);
    for (const table of [...ledgers, 'ledger_edges', 'ledger_hash_index'])
      await tx.run(`delete from ${table}`);
    await tx.run(
      'update ledger_size set size = 0, written_at = 0, sealed_before_outcome = 0, written_afterwards = 0',
    );
    const edited = edit(
      stored.map(({ leaf, type, id, payload }) => ({ leaf, type, id, payload: JSON.parse(payload) })),
    );
    await appendAll(tx, edited, { signer, relink });
  });

async function appendAll(tx: Transaction, edited: readonly EditedEntry[], { signer, relink }: Rewrite) {
  const log = new LogTree(signer);
  await log.open(tx);
  const moved = new Map<unknown, { sealed_leaf: number; sealed_hash: string }>();
  const counts = { writtenAt: 0, sealedBeforeOutcome: 0, writtenAfterwards: 0 };
  const rows = edited.map(({ leaf: before, type, id, payload: given, seal }, leaf) => {
    const judged = moved.get(given.decision_leaf);
    const payload = relink
      ? { ...given, ...moved.get(given.sealed_leaf), ...(judged && { decision_leaf: judged.sealed_leaf }) }
      : given;
    const { canonical, payload_hash } = seal ?? computeSeal(payload);
    if (!moved.has(before)) moved.set(before, { sealed_leaf: leaf, sealed_hash: payload_hash });
    const isBefore = isSealedBeforeOutcome(payload as Sealed<object>);
    if (isBefore) counts.sealedBeforeOutcome++;
    else if (isBefore === false) counts.writtenAfterwards++;
    counts.writtenAt = Math.max(counts.writtenAt, Date.parse(String(payload.written_at)) || 0);
    return { leaf, type, id, payload: canonical, payload_hash: payload_hash as Seal['payload_hash'] };
  });
  await log.append(tx, rows);
  await log.write(tx, counts);
}
