import { judgedAt, writeVerdicts } from '../../store/decision/verdicts.ts';
import type { JobContext } from '../core/context.ts';

/** Judges the lines and the silences whose end has come, by one rule, and seals the verdicts. */
export async function judgeDecisions({ tx, ledger, slot }: JobContext): Promise<void> {
  await writeVerdicts(tx, ledger, await judgedAt(tx, slot));
}
