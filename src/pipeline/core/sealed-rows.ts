// Rows that are sealed, by kind. A job hands them to `seal`, which writes them at once or hands them over: what several
// districts compute side by side is sealed by one worker, in one order (docs/decisions/088-districts.md).
import { writePackages, writeSilences } from '../../store/decision/decisions.ts';
import { writeVerdicts } from '../../store/decision/verdicts.ts';
import { addWindowOutcomes, type ShownWindow } from '../../store/decision/window-outcomes.ts';
import type { Transaction } from '../../store/engine/store.ts';
import type { LedgerLog } from '../../store/ledger/ledger-log.ts';
import { writePredictions, writeReveals } from '../../store/prediction/predictions.ts';
import {
  readHandedOver,
  removeHandedOver,
  type Step,
  writeHandedOver,
} from '../../store/runtime/districts.ts';

type WriteRows = (tx: Transaction, ledger: LedgerLog, rows: readonly unknown[]) => Promise<void>;

const writers = {
  silences: writeSilences,
  lines: writePackages,
  forecasts: writePredictions,
  verdicts: writeVerdicts,
  reveals: writeReveals,
  // Not sealed, but counted for the whole city in one row a day.
  windows: (tx: Transaction, _ledger: LedgerLog, windows: readonly ShownWindow[]) =>
    addWindowOutcomes(tx, windows),
};

type Kind = keyof typeof writers;

export type Seal = <K extends Kind>(kind: K, rows: Parameters<(typeof writers)[K]>[2]) => Promise<void>;

const write = (tx: Transaction, ledger: LedgerLog, kind: Kind, rows: readonly unknown[]): Promise<void> =>
  (writers[kind] as WriteRows)(tx, ledger, rows);

/** Writes rows in the transaction of the job. */
export const sealAtOnce =
  (tx: Transaction, ledger: LedgerLog): Seal =>
  (kind, rows) =>
    write(tx, ledger, kind, rows);

/** Stores rows in the transaction of a district's job, until `sealHandedOver` writes them. */
export function handOver(tx: Transaction, step: Step, district: string): Seal {
  let number = 0;
  return async (kind, rows) => {
    if (rows.length) await writeHandedOver(tx, step, district, number++, { kind, rows });
  };
}

/** Seals what a district has handed over for a step; with its transaction it is no longer handed over. */
export async function sealHandedOver(
  tx: Transaction,
  ledger: LedgerLog,
  step: Step,
  district: string,
): Promise<void> {
  for await (const { kind, rows } of readHandedOver(tx, step, district))
    await write(tx, ledger, kind as Kind, rows as unknown[]);
  await removeHandedOver(tx, step, district);
}
