import { judgedAt } from '../../store/decision/verdicts.ts';
import type { JobContext } from '../core/context.ts';

/** Judges the lines and the silences whose end has come, by one rule, and seals the verdicts. */
export async function judgeDecisions({ tx, slot, district, seal }: JobContext): Promise<void> {
  await seal('verdicts', await judgedAt(tx, slot, district));
}
