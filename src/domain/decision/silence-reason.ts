/**
 * Why nothing is said of a pocket at a slot: every reason, and the one order in which they are checked. The first that
 * applies would alone have kept the service silent; it is stored with the decision and stated by every answer
 * (docs/formulas.md, "Reason of a silence").
 */

import { type NoMoment, noMomentReasons, noMomentText } from '../atmosphere/no-moment.ts';
import { voiceFaults } from '../text/voice.ts';
import type { Zone } from '../time/zone.ts';
import { type ClosedGate, closedGateText } from './decision-text.ts';
import { type GateResults, gatesInOrder } from './gates.ts';
import { isSleepHour, type Moment, momentReasonText } from './moment.ts';
import { type LayerScores, type ResonanceLayer, resonanceLayers, weakestLayer } from './resonance.ts';

/** The order. Resonance is stated with its weakest layer, as `resonance_physical`. */
export const reasonOrder = [
  'quiet_hours',
  'already_speaking',
  ...noMomentReasons,
  'no_norm',
  'tense',
  'fragile',
  'heard_enough',
  'resonance',
  'why_this_place',
  'why_now',
  'why_this_person',
  'why_worth_attention',
  'why_low_effort',
  'voice',
] as const;
type Step = (typeof reasonOrder)[number];

/** Slots with a moment at which nothing is decided: stored and counted apart from silences, never sealed or judged. */
export const pauseKinds = ['quiet_hours', 'already_speaking'] as const;
export type PauseKind = (typeof pauseKinds)[number];

/** The reason of a decision to stay silent. */
export type SilenceReason = Exclude<Step, PauseKind | NoMoment | 'resonance'> | `resonance_${ResonanceLayer}`;

/** Why nothing is said. */
export type Reason = PauseKind | NoMoment | SilenceReason;

/** What weakens resonance most, by its weakest layer. */
const weakness: Record<ResonanceLayer, string> = {
  time: 'the early or late hour',
  physical: 'rain, heat or heavy air',
  human_energy: 'a strained or empty street',
  merchant_state: 'little room in the outlets',
  attention_density: 'recent messages and offers here',
  intent: 'an hour that suits few intents',
  temporal: 'a short or fragile window',
};

const resonanceText = Object.fromEntries(
  resonanceLayers.map((layer) => [
    `resonance_${layer}`,
    `${closedGateText.resonance}, mainly because of ${weakness[layer]}`,
  ]),
) as Record<`resonance_${ResonanceLayer}`, string>;

/** Each reason in words, as the end of a sentence. */
export const reasonText: Readonly<Record<Reason, string>> = {
  ...momentReasonText,
  already_speaking: 'a line of the service is still live',
  ...noMomentText,
  ...resonanceText,
  why_this_place: closedGateText.why_this_place,
  why_now: closedGateText.why_now,
  why_this_person: closedGateText.why_this_person,
  why_worth_attention: closedGateText.why_worth_attention,
  why_low_effort: closedGateText.why_low_effort,
  voice: closedGateText.voice,
};

const notSilences: readonly string[] = [...pauseKinds, ...noMomentReasons];

/** The reasons of silences, in the order of checking. */
export const silenceReasons: readonly SilenceReason[] = reasonOrder
  .filter((step) => !notSilences.includes(step))
  .flatMap((step) =>
    step === 'resonance' ? resonanceLayers.map((layer) => `resonance_${layer}` as const) : step,
  ) as SilenceReason[];

export const isSilenceReason = (reason: Reason): reason is SilenceReason => !notSilences.includes(reason);

/** The gate that a reason closes: the moment's own reasons close moment_silence. */
export function gateClosedBy(reason: SilenceReason): ClosedGate {
  if (reason.startsWith('resonance_')) return 'resonance';
  return reason in momentReasonText ? 'moment_silence' : (reason as ClosedGate);
}

/** Whether there is nothing to decide at this slot: an hour of sleep, or a line that lasts beyond the slot. */
export function pauseAt(slot: number, live_until: number | null, zone: Zone): PauseKind | null {
  if (isSleepHour(zone.hourOfDay(slot))) return 'quiet_hours';
  return live_until !== null && live_until > slot ? 'already_speaking' : null;
}

export interface WeighedLine {
  moment: Pick<Moment, 'silence_reasons'>;
  layers: LayerScores;
  gates: GateResults;
  line: string;
}

/** Why a line is withheld at a slot that is no pause; null when it is published. */
export function findSilenceReason({ moment, layers, gates, line }: WeighedLine): SilenceReason | null {
  const own = silenceReasons.find((reason) => moment.silence_reasons.includes(reasonText[reason]));
  if (own) return own;
  for (const gate of gatesInOrder) {
    if (gate === 'moment_silence' || gates[gate].passed) continue;
    return gate === 'resonance' ? `resonance_${weakestLayer(layers)}` : gate;
  }
  return voiceFaults(line, 'emit').length ? 'voice' : null;
}
