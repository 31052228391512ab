/** The decisions of a day in short: consecutive quarter hours of the same kind and reason as one run. */

import type { Reason } from '../decision/silence-reason.ts';
import { SLOT } from '../time/slot.ts';

export interface DecidedSlot<Kind extends string> {
  slot: number;
  kind: Kind;
  /** Null when something was said. */
  reason: Reason | null;
}

export interface DecisionRun<Kind extends string> {
  kind: Kind;
  reason: Reason | null;
  /** The first slot, and the end of the last one. */
  from: number;
  to: number;
}

/** `decided` is in the order of slots. Every line that was said is a run of its own. */
export function decisionRuns<Kind extends string>(
  decided: readonly DecidedSlot<Kind>[],
): DecisionRun<Kind>[] {
  const runs: DecisionRun<Kind>[] = [];
  for (const { slot, kind, reason } of decided) {
    const last = runs.at(-1);
    if (reason !== null && last?.kind === kind && last.reason === reason && last.to === slot)
      last.to = slot + SLOT;
    else runs.push({ kind, reason, from: slot, to: slot + SLOT });
  }
  return runs;
}
