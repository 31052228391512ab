// Writes what was decided at a slot: silences and packages, which are sealed, and pauses, at which nothing was decided.

import { EMIT_THRESHOLD } from '../../domain/decision/legitimacy.ts';
import { nearMiss } from '../../domain/decision/near-miss.ts';
import type { SilencePayload } from '../../domain/decision/silence.ts';
import type { PauseKind } from '../../domain/decision/silence-reason.ts';
import type { Package } from '../../domain/narration/package.ts';
import type { LinePayload } from '../../domain/verdict/line-payload.ts';
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
    reason: silence.reason,
    candidate_confidence: silence.candidate_confidence,
    legitimacy_score: silence.legitimacy_score,
    band: silence.band,
    usual_calm: silence.usual_calm,
    near_miss: silence.legitimacy_score < EMIT_THRESHOLD ? null : nearMiss(silence.gates),
    window_end: Date.parse(silence.window_end),
  }));
  await tx.insert('silences', rows);
}

/** A slot with a moment at which nothing was decided. */
export interface Pause {
  slot: number;
  pocket_id: string;
  kind: PauseKind;
  legitimacy_score: number;
}

export const writePauses = (tx: Transaction, pauses: readonly Pause[]): Promise<void> =>
  tx.insert('pauses', pauses);

/** A line that is said, with its payload of the ledger. */
export interface SaidLine {
  item: Package;
  payload: LinePayload;
}

/** Seals lines, as silences are. */
export async function writePackages(
  tx: Transaction,
  ledger: LedgerLog,
  lines: readonly SaidLine[],
): Promise<void> {
  const sealed = await ledger.append(
    tx,
    'line',
    lines.map(({ payload }) => ({ id: payload.id, payload })),
  );
  await tx.insert(
    'packages',
    lines.map(({ item, payload }, i) => ({
      ...item,
      usual_calm: payload.usual_calm,
      leaf: sealed[i]?.leaf ?? -1,
      json_ld: JSON.stringify(item.json_ld),
      attribution_meta: JSON.stringify(item.attribution_meta),
    })),
  );
}
