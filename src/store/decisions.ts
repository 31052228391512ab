import type { Package } from '../domain/package.ts';
import type { SilencePayload } from '../domain/silence.ts';
import { sealOf } from '../ledger/seal.ts';
import type { Transaction } from './store.ts';

export async function writeSilences(tx: Transaction, silences: readonly SilencePayload[]): Promise<void> {
  await tx.insert(
    'silences',
    silences.map((silence) => {
      const { canonical, payload_hash } = sealOf(silence);
      return {
        id: silence.id,
        slot: Date.parse(silence.sealed_at),
        pocket_id: silence.pocket_id,
        gate: silence.gate_closed,
        candidate_confidence: silence.candidate_confidence,
        legitimacy_score: silence.legitimacy_score,
        band: silence.band,
        window_end: Date.parse(silence.window_end),
        payload: canonical,
        payload_hash,
      };
    }),
  );
}

/** A new package supersedes whatever of its pocket is still live. */
export async function writePackages(tx: Transaction, packages: readonly Package[]): Promise<void> {
  for (const { id, pocket_id, slot } of packages) {
    await tx.run(
      `insert into package_supersessions (package_id, superseded_by, slot)
       select id, ?, ? from packages where pocket_id = ? and expires_at > ? and slot < ?
       and id not in (select package_id from package_supersessions)`,
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
