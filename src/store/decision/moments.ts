// Moments: one row a pocket and slot, with everything that the decision at that slot was computed from.

import { CURRENT_FOR, currentSlots } from '../../domain/atmosphere/reading.ts';
import type { Decision, MomentAssessment, Surroundings } from '../../domain/decision/decide.ts';
import type { Moment } from '../../domain/decision/moment.ts';
import { type FactorScores, type MomentQuality, mqsReasons } from '../../domain/decision/moment-quality.ts';
import { type LayerScores, resonanceLayers } from '../../domain/decision/resonance.ts';
import type { PauseKind } from '../../domain/decision/silence-reason.ts';
import { MINUTE } from '../../domain/time/slot.ts';
import type { Reader, Transaction } from '../engine/store.ts';
import { exactTenThousandths, exactThousandths } from '../engine/thousandths.ts';
import { pauseKindNumbers } from '../rows/decision-words.ts';
import { bandNumbers, stateNumbers, toReasonBits } from '../rows/word-numbers.ts';

/** The moment of a pocket at a slot, with its quality, its resonance and what it was compared with. */
export interface MomentRecord extends MomentAssessment {
  slot: number;
  moment: Moment;
  surroundings: Surroundings;
}

/** The columns of a moment that it measures: without its reasons for silence, which follow from them. */
export type MomentValues = Omit<Moment, 'should_stay_silent' | 'silence_reasons'>;

export interface MomentRow
  extends Surroundings,
    MomentValues,
    FactorScores,
    Pick<MomentQuality, 'mqs' | 'band' | 'previous_mqs'> {
  slot: number;
  silence_reasons: string;
  resonance: number;
  [layer: `layer_${string}`]: number | null;
}

/** A moment as the decide job writes it. */
export interface DecidedMoment {
  slot: number;
  moment: Moment;
  surroundings: Surroundings;
  decision: Pick<Decision, 'quality' | 'layers' | 'resonance'>;
  /** Null where something was decided. */
  pause: Pause | null;
}

/** Why nothing was decided at a moment, and how legitimate a line would have been. */
export interface Pause {
  kind: PauseKind;
  legitimacy_score: number;
}

export function writeMoments(tx: Transaction, moments: readonly DecidedMoment[]): Promise<void> {
  return tx.insert('moment_figures', moments.map(toFigures));
}

// Column by column: to compose their names takes several times as long.
function toFigures({ slot, moment, surroundings, decision, pause }: DecidedMoment) {
  const { quality, layers, resonance } = decision;
  const { usual_stress, usual_calm, network_calm, spare_capacity, fatigue } = surroundings;
  const { expires_at, window_ends_at, half_life_minutes } = moment;
  const { reasons, other_reasons } = toReasonBits(moment.silence_reasons);
  const { usefulness, urgency, calmness, merchant_fit, user_need } = quality.factors;
  return {
    slot,
    pocket_id: moment.pocket_id,
    state: stateNumbers[moment.primary_state],
    band: bandNumbers[quality.band],
    reasons,
    other_reasons,
    half_life_minutes,
    expires_at: expires_at === slot + half_life_minutes * MINUTE ? null : expires_at,
    window_ms: window_ends_at === null ? null : window_ends_at - slot,
    usual_stress,
    network_calm,
    spare_capacity,
    calm_probability_milli: exactThousandths('calm_probability', moment.calm_probability),
    calm_level_milli: exactThousandths('calm_level', moment.calm_level),
    calm_change_milli: exactThousandths('calm_change', moment.calm_change),
    signal_saturation_milli: exactThousandths('signal_saturation', moment.signal_saturation),
    movement_friction_milli: exactThousandths('movement_friction', moment.movement_friction),
    fragility_milli: exactThousandths('fragility', moment.fragility),
    window_held_share_milli: exactThousandths('window_held_share', moment.window_held_share),
    window_expected_calm_milli: exactThousandths('window_expected_calm', moment.window_expected_calm),
    usefulness_milli: exactThousandths('usefulness', usefulness),
    urgency_milli: exactThousandths('urgency', urgency),
    calmness_milli: exactThousandths('calmness', calmness),
    merchant_fit_milli: exactThousandths('merchant_fit', merchant_fit),
    user_need_milli: exactThousandths('user_need', user_need),
    layer_time_milli: exactThousandths('layer_time', layers.time),
    layer_physical_milli: exactThousandths('layer_physical', layers.physical),
    layer_human_energy_milli: exactThousandths('layer_human_energy', layers.human_energy),
    layer_merchant_state_milli: exactThousandths('layer_merchant_state', layers.merchant_state),
    layer_attention_density_milli: exactThousandths('layer_attention_density', layers.attention_density),
    layer_intent_milli: exactThousandths('layer_intent', layers.intent),
    layer_temporal_milli: exactThousandths('layer_temporal', layers.temporal),
    usual_calm_milli: exactThousandths('usual_calm', usual_calm),
    fatigue_milli: exactThousandths('fatigue', fatigue),
    mqs_ten_thousandths: exactTenThousandths('mqs', quality.mqs),
    previous_mqs_ten_thousandths: exactTenThousandths('previous_mqs', quality.previous_mqs),
    resonance_ten_thousandths: exactTenThousandths('resonance', resonance),
    pause: pause && pauseKindNumbers[pause.kind],
    pause_legitimacy_milli: pause && exactThousandths('legitimacy_score', pause.legitimacy_score),
  };
}

export function readMomentValues(row: MomentValues): MomentValues {
  return {
    pocket_id: row.pocket_id,
    primary_state: row.primary_state,
    calm_probability: row.calm_probability,
    calm_level: row.calm_level,
    calm_change: row.calm_change,
    signal_saturation: row.signal_saturation,
    movement_friction: row.movement_friction,
    fragility: row.fragility,
    half_life_minutes: row.half_life_minutes,
    expires_at: row.expires_at,
    window_ends_at: row.window_ends_at,
    window_held_share: row.window_held_share,
    window_expected_calm: row.window_expected_calm,
  };
}

/** The moment itself, from the columns of `moments`. */
export function readMoment(row: MomentValues & { silence_reasons: string }): Moment {
  const silence_reasons = JSON.parse(row.silence_reasons) as string[];
  return { ...readMomentValues(row), should_stay_silent: silence_reasons.length > 0, silence_reasons };
}

export function momentFromRow(row: MomentRow): MomentRecord {
  const moment = readMoment(row);
  const { usefulness, urgency, calmness, merchant_fit, user_need } = row;
  const factors = { usefulness, urgency, calmness, merchant_fit, user_need };
  return {
    slot: row.slot,
    moment,
    quality: {
      mqs: row.mqs,
      band: row.band,
      factors,
      previous_mqs: row.previous_mqs,
      reasons: mqsReasons(factors, moment.silence_reasons),
    },
    layers: Object.fromEntries(resonanceLayers.map((layer) => [layer, row[`layer_${layer}`]])) as LayerScores,
    resonance: row.resonance,
    surroundings: {
      usual_stress: row.usual_stress,
      usual_calm: row.usual_calm,
      network_calm: row.network_calm,
      spare_capacity: row.spare_capacity,
      fatigue: row.fatigue,
    },
  };
}

/** The newest moment of a pocket; null when it is older than `CURRENT_FOR`. */
export async function currentMoment(
  store: Reader,
  pocket: string,
  now: number,
): Promise<MomentRecord | null> {
  const row = await store.get<MomentRow>(
    'select * from moments where pocket_id = ? and slot in (?, ?) order by slot desc limit 1',
    pocket,
    ...currentSlots(now),
  );
  return row ? momentFromRow(row) : null;
}

/** The slot of the newest moments, if they are current. */
export async function newestMomentSlot(store: Reader, now: number): Promise<number | null> {
  const row = await store.get<{ slot: number | null }>(
    'select max(slot) as slot from moments where slot > ? and slot <= ?',
    now - CURRENT_FOR,
    now,
  );
  return row?.slot ?? null;
}
