/**
 * Whether a line served: the one rule for what was said and what was not (docs/formulas.md, "Verdicts"). A pure
 * function of the claim, of the readings until its end and of the usual that it was compared with.
 */
import { CALM_STATE_LEVEL } from '../atmosphere/atmosphere.ts';
import { NOTICEABLE } from '../atmosphere/usual-calm.ts';
import { round } from '../stats/unit-scale.ts';
import { calmHeld } from '../window/window-record.ts';

/** Changes with the rule; sealed with every verdict. */
export const RULE = 1;

/** The readings from the slot of a decision to its end, one a quarter hour; null where none was taken. */
export interface Aftermath {
  calm: (number | null)[];
  /** Whether the pocket was in a calm state. */
  calm_state: (boolean | null)[];
}

export const lineOutcomes = [
  'served',
  'not_calm',
  'did_not_hold',
  'usually_calm',
  'no_better',
  'unknown_readings',
  'unknown_usual',
] as const;
export type LineOutcome = (typeof lineOutcomes)[number];

/**
 * A line serves when the pocket was calm as it was said, no two successive readings were outside a calm state until the
 * end that it named, a calm state is not usual there then, and the calm was noticeably above its usual. What is certain
 * to have failed is judged even where readings are missing.
 */
export function lineServes({ calm, calm_state }: Aftermath, usual_calm: number | null): LineOutcome {
  if (calm_state[0] === false) return 'not_calm';
  if (!calmHeld(calm_state.map((state) => state !== false))) return 'did_not_hold';
  if (calm.length < 2 || calm.some((level) => level === null)) return 'unknown_readings';
  if (usual_calm === null) return 'unknown_usual';
  if (usual_calm >= CALM_STATE_LEVEL) return 'usually_calm';
  const mean = calm.reduce<number>((sum, level) => sum + (level ?? 0), 0) / calm.length;
  return round(round(mean) - usual_calm) >= NOTICEABLE ? 'served' : 'no_better';
}

/** Null: inconclusive. */
export const hasServed = (outcome: LineOutcome): boolean | null =>
  outcome === 'served' ? true : outcome.startsWith('unknown') ? null : false;
