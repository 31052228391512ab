/** The sealed payload of a line: what was claimed when it was said (docs/formulas.md, "Silence and package"). */

import type { Moment } from '../decision/moment.ts';
import type { Package } from '../narration/package.ts';
import { iso } from '../time/slot.ts';

export function linePayload(
  {
    id,
    slot,
    pocket_id,
    tier,
    composed_text,
    confidence,
    legitimacy_score,
    mqs,
    resonance,
    expires_at,
  }: Package,
  { calm_probability, primary_state, window_held_share, window_expected_calm }: Moment,
  usual_calm: number | null,
) {
  return {
    type: 'line' as const,
    id,
    pocket_id,
    sealed_at: iso(slot),
    window_end: iso(expires_at),
    text: composed_text,
    tier,
    confidence,
    legitimacy_score,
    mqs,
    resonance,
    primary_state,
    calm_probability,
    held_share: window_held_share,
    expected_calm: window_expected_calm,
    usual_calm,
  };
}
export type LinePayload = ReturnType<typeof linePayload>;
