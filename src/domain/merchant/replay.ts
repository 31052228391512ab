/** Decides on stored moments again with other inputs, for the autopilot backtest. */

import { tiring } from '../decision/attention.ts';
import { draftCandidate, type MomentInContext, type MomentScores, weigh } from '../decision/decide.ts';
import { type Moment, signalSaturation, withSaturation } from '../decision/moment.ts';
import { attentionLayer, type LayerScores, merchantLayer, resonanceScore } from '../decision/resonance.ts';
import { findSilenceReason, type SilenceReason } from '../decision/silence-reason.ts';
import type { Tier } from '../decision/tier.ts';
import { round } from '../stats/unit-scale.ts';
import type { Zone } from '../time/zone.ts';

/** A stored moment with everything needed to decide on it again. */
export interface PastMoment
  extends Pick<MomentInContext, 'reading' | 'usual_stress' | 'usual_calm' | 'network_calm' | 'fatigue'> {
  moment: Omit<Moment, 'should_stay_silent' | 'silence_reasons'>;
  factors: MomentScores['quality']['factors'];
  layers: LayerScores;
  /** A line of the service was live then, said at an earlier slot. */
  line_live: boolean;
}

/** How the replay differs from what happened. */
export interface Variation {
  spare_capacity: number | null;
  tier: Tier;
  /** Slots at which the replay itself would have spoken, in addition to what was published. */
  spoken: readonly number[];
}

export interface Replayed {
  /** Null when the line would have been published. */
  reason: SilenceReason | null;
  legitimacy_score: number;
  line: string;
}

/** Decides on a past moment that is no pause by the service's own rule, with some inputs varied. */
export function decideAgain(
  name: string,
  past: PastMoment,
  { spare_capacity, tier, spoken }: Variation,
  zone: Zone,
): Replayed {
  const { reading, usual_stress, usual_calm, network_calm, factors } = past;
  const saturation = combineSaturation(past.moment.signal_saturation, signalSaturation(spoken, reading.slot));
  const moment = withSaturation(past.moment, saturation, reading, zone);
  const layers = {
    ...past.layers,
    merchant_state: merchantLayer(spare_capacity, tier),
    attention_density: attentionLayer(saturation),
  };
  const fatigue = round(1 - (1 - past.fatigue) * (1 - tiring(spoken, reading.slot)));
  const situation = { moment, reading, usual_stress, usual_calm, network_calm, spare_capacity, fatigue };
  const { legitimacy, gates } = weigh(situation, { quality: { factors }, resonance: resonanceScore(layers) });
  const line = draftCandidate(name, situation, zone);
  return {
    reason: findSilenceReason({ moment, layers, gates, line }),
    legitimacy_score: legitimacy.legitimacy_score,
    line,
  };
}

/** Saturation of two sets of published lines together: the remaining attention of each multiplies. */
export const combineSaturation = (first: number, second: number): number =>
  second === 0 ? first : round(1 - (1 - first) * (1 - second));
