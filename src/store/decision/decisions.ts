// Writes what was decided at a slot: silences, which are sealed, and packages.
import type { SilencePayload } from '../../domain/decision/silence.ts';
import type { Package } from '../../domain/narration/package.ts';
import type { Transaction } from '../engine/store.ts';
import type { LedgerLog } from '../ledger/ledger-log.ts';

/** Seals silences: a row, and its payload in the ledger, in one transaction. */
export async function writeSilences(
  tx: Transaction,
  ledger: LedgerLog,
  silences: readonly SilencePayload[],
): Promise<void> {
  const sealed = await ledger.append(
    tx,
    'silence',
    silences.map((silence) => ({ id: silence.id, payload: silence })),
  );
  const rows = silences.map((silence, i) => ({
    leaf: sealed[i]?.leaf ?? -1,
    id: silence.id,
    slot: Date.parse(silence.sealed_at),
    pocket_id: silence.pocket_id,
    gate: silence.gate_closed,
    candidate_confidence: silence.candidate_confidence,
    legitimacy_score: silence.legitimacy_score,
    band: silence.band,
    window_end: Date.parse(silence.window_end),
  }));
  await tx.insert('silences', rows);
}

/**
 * A new package supersedes those of its pocket that are still live. Packages are append-only, so that is a row of its
 * own; the first supersession of a package stays.
 */
export async function writePackages(tx: Transaction, packages: readonly Package[]): Promise<void> {
  for (const { id, pocket_id, slot } of packages) {
    await tx.run(
      `insert into package_supersessions (package_id, superseded_by, slot)
       select id, ?, ? from packages where pocket_id = ? and expires_at > ? and slot < ?
       and not exists (select 1 from package_supersessions s where s.package_id = packages.id)`,
      id,
      slot,
      pocket_id,
      slot,
      slot,
    );
  }
  await tx.insert(
    'packages',
    packages.map((item) => ({
      ...item,
      json_ld: JSON.stringify(item.json_ld),
      attribution_meta: JSON.stringify(item.attribution_meta),
    })),
  );
}
