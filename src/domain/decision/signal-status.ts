/** The signal status of a pocket and its next possible window (docs/formulas.md, "Signal status"). */

import { DAY, SLOT, slotOf } from '../time/sgt.ts';
import type { ClosedGate } from './decision-text.ts';
import { isSleepHour, type Moment, SATURATION_LIMIT, saturationOf } from './moment.ts';
import { awakeness, type MqsBand } from './moment-quality.ts';
import { type LayerScores, RESONANCE_THRESHOLD, resonanceLayers } from './resonance.ts';

export const signalStatuses = [
  'STABLE_CALM',
  'WITHHOLD_INTENTIONAL',
  'FORMING_WINDOW',
  'ACTIVE_INTERVENTION',
  'DECAY_WINDOW',
] as const;
export type SignalStatus = (typeof signalStatuses)[number];

export interface StatusInput {
  moment: Pick<Moment, 'calm_probability' | 'fragility' | 'should_stay_silent'>;
  band: MqsBand;
  /** Something that was said here has not expired. */
  live: boolean;
}

const worthwhile: readonly MqsBand[] = ['forming', 'high_resonance', 'peak'];
const CALM = 0.6;
const STEADY = 0.5;

/** The first status that applies. */
export function signalStatus({ moment, band, live }: StatusInput): SignalStatus {
  if (live) return 'ACTIVE_INTERVENTION';
  if (band === 'decaying') return 'DECAY_WINDOW';
  if (worthwhile.includes(band)) return moment.should_stay_silent ? 'WITHHOLD_INTENTIONAL' : 'FORMING_WINDOW';
  const calm = moment.calm_probability >= CALM && moment.fragility <= STEADY;
  return calm ? 'STABLE_CALM' : 'WITHHOLD_INTENTIONAL';
}

export interface NextWindowInput {
  now: number;
  moment: Pick<Moment, 'expires_at'>;
  layers: LayerScores;
  /** The gate that closed in the decision on this moment; null when it was published. */
  gate: ClosedGate | null;
  /** When the service spoke here, within a day. */
  spoken: readonly number[];
}

/**
 * The first slot at which the gates could open. Sleep hours and saturation end by the clock; any other cause is assumed
 * to last exactly until the moment expires.
 */
export function nextPossibleWindow({ now, moment, layers, gate, spoken }: NextWindowInput): number {
  const others = resonanceLayers
    .filter((layer) => layer !== 'time' && layer !== 'attention_density')
    .reduce((product, layer) => product * layers[layer], 1);
  const closedByState = gate !== null && (gate !== 'resonance' || others < RESONANCE_THRESHOLD);
  const next = slotOf(now) + SLOT;
  for (let slot = next; slot < next + DAY; slot += SLOT) {
    const during = slot < moment.expires_at;
    if (during && closedByState) continue;
    const saturation = saturationOf(spoken, slot);
    if (isSleepHour(slot) || saturation > SATURATION_LIMIT) continue;
    if (awakeness(slot) * (1 - saturation) * (during ? others : 1) >= RESONANCE_THRESHOLD) return slot;
  }
  return next + DAY;
}
