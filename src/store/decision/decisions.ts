// Writes what was decided at a slot: silences and packages, which are sealed.

import { EMIT_THRESHOLD } from '../../domain/decision/legitimacy.ts';
import { nearMiss } from '../../domain/decision/near-miss.ts';
import type { SilencePayload } from '../../domain/decision/silence.ts';
import type { Package } from '../../domain/narration/package.ts';
import type { LinePayload } from '../../domain/verdict/line-payload.ts';
import type { Transaction } from '../engine/store.ts';
import { thousandthColumns } from '../engine/thousandths.ts';
import type { LedgerLog } from '../ledger/ledger-log.ts';
import { gateNumbers, legitimacyBandNumbers, silenceReasonNumbers } from '../rows/decision-words.ts';

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
    slot: Date.parse(silence.sealed_at),
    window_ms: Date.parse(silence.window_end) - Date.parse(silence.sealed_at),
    ...silenceFigures(silence),
    gate: gateNumbers[silence.gate_closed],
    reason: silenceReasonNumbers[silence.reason],
    band: legitimacyBandNumbers[silence.band],
    near_miss: nearMissNumber(silence),
    pocket_id: silence.pocket_id,
  }));
  await tx.insert('silence_figures', rows);
}

const silenceFigures = ({ candidate_confidence, legitimacy_score, usual_calm }: SilencePayload) =>
  thousandthColumns({ candidate_confidence, legitimacy_score, usual_calm });

function nearMissNumber({ legitimacy_score, gates }: SilencePayload): number {
  const gate = legitimacy_score < EMIT_THRESHOLD ? null : nearMiss(gates);
  return gate === null ? 0 : gateNumbers[gate];
}

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
