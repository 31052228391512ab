/** The moment: the read of a pocket that a decision is based on (docs/formulas.md, "Moment"). */

import { TENSE } from '../atmosphere/atmosphere.ts';
import { type CalmOutcomes, calmCondition, calmProbability } from '../atmosphere/calm-probability.ts';
import type { CalmNow } from '../atmosphere/calm-text.ts';
import type { Reading } from '../atmosphere/reading.ts';
import type { Pressures } from '../signals/pressures.ts';
import { clamp, ramp, round, weightedMean } from '../stats/unit-scale.ts';
import { HOUR, MINUTE } from '../time/slot.ts';
import { isWakingHour } from '../time/waking-hours.ts';
import type { Zone } from '../time/zone.ts';
import { type CalmWindow, calmWindow, judgedAt, type Outlook } from '../window/calm-window.ts';
import { hasHeardEnough, type SaidSpan } from '../window/said-time.ts';
import type { WindowRecord } from '../window/window-record.ts';

/** The current read of a pocket. Times are epoch milliseconds. */
export interface Moment extends CalmNow, CalmWindow {
  pocket_id: string;
  signal_saturation: number;
  /** How hard it is to get about; null where neither rain nor transit nor traffic was measured. */
  movement_friction: number | null;
  fragility: number;
  half_life_minutes: number;
  expires_at: number;
  should_stay_silent: boolean;
  silence_reasons: string[];
}

export interface MomentInput {
  zone: Zone;
  reading: Reading;
  pressures: Pressures;
  /** Readings of the last two hours, oldest first, this one included. */
  recent: readonly Pick<Reading, 'slot' | 'calm'>[];
  /** What followed like readings of this pocket. */
  calm_outcomes: CalmOutcomes;
  /** When the service spoke here within the last day. */
  spoken: readonly number[];
  /** Windows that merchants of the pocket opened, which also take attention. */
  commitments: readonly CommitmentWindow[];
  /** After how long half of such spells are over (pocket-history.ts). */
  half_life_minutes: number;
  /** The sealed forecasts of this slot, in the order of time. */
  ahead: readonly Outlook[];
  /** How many windows of all pockets held. */
  windows: WindowRecord;
  /** The mean usual calm from now to an end; null where it is not known. The service waits for it before it speaks. */
  usual_until: (ends_at: number) => number | null;
  /** When lines were live here in the last two weeks. */
  lines: readonly SaidSpan[];
}

/** Below this share of fresh signals no moment is composed; stricter than a reading, since a line may follow from it. */
export const MIN_MOMENT_COMPLETENESS = 0.6;
/** Saturation above which silence is forced, whatever the score: the contract's. */
export const SATURATION_LIMIT = 0.8;

export function computeMoment(input: MomentInput): Moment | null {
  const { zone, reading, pressures, recent, calm_outcomes, spoken, commitments, half_life_minutes } = input;
  if (reading.completeness < MIN_MOMENT_COMPLETENESS) return null;
  const now = reading.slot;
  const condition = calmCondition(reading, recent);
  const calm_probability = calmProbability(calm_outcomes, condition, reading.completeness);
  const present = { minutes: 0, calm_probability, expected_calm: reading.calm };
  const moment = {
    pocket_id: reading.pocket_id,
    primary_state: reading.primary_state,
    calm_probability,
    calm_level: reading.calm,
    calm_change: condition.change,
    signal_saturation: signalSaturation(spoken, now, commitments),
    movement_friction: movementFriction(pressures),
    fragility: momentFragility(reading, recent),
    half_life_minutes,
    expires_at: now + half_life_minutes * MINUTE,
    ...calmWindow(now, [present, ...input.ahead], input.windows),
  };
  const end = judgedAt(now, moment.window_ends_at);
  return {
    ...moment,
    ...momentSilence(moment, reading.stress, zone.hourOfDay(now), {
      normKnown: input.usual_until(end) !== null,
      heardEnough: hasHeardEnough(input.lines, now, end),
    }),
  };
}

/** The same moment at another saturation, with its reasons for silence derived again; its norm is taken as known. */
export const withSaturation = (
  moment: Omit<Moment, 'should_stay_silent' | 'silence_reasons'>,
  signal_saturation: number,
  { slot, stress }: Pick<Reading, 'slot' | 'stress'>,
  zone: Zone,
): Moment => ({
  ...moment,
  signal_saturation,
  ...momentSilence({ ...moment, signal_saturation }, stress, zone.hourOfDay(slot), {
    normKnown: true,
    heardEnough: false,
  }),
});

/** When an experience that a merchant committed to is open to visitors. */
export interface CommitmentWindow {
  window_start: number;
  window_end: number;
}

/** Chosen with the contract's limit of 0.8: five lines at once pass it (1 − 0.7⁵ = 0.83), four do not. */
const SPOKEN_WEIGHT = 0.3;
/** An offer waits to be looked for; a line is said. */
const COMMITMENT_WEIGHT = 0.15;
/** A judgement, not a measurement: a quarter is left after three hours. */
const SATURATION_HALF_LIFE = 1.5 * HOUR;
/** A commitment that ended longer ago than this has less than a hundredth of its effect left, and is not read. */
export const COMMITMENT_MEMORY = 8 * HOUR;

/**
 * Each published line and each commitment takes up 0.3 of the remaining attention. The effect halves every 90
 * minutes: of a line from when it was said, of a commitment from its end.
 */
export function signalSaturation(
  spoken: readonly number[],
  now: number,
  commitments: readonly CommitmentWindow[] = [],
): number {
  const fade = (age: number): number => 2 ** (-age / SATURATION_HALF_LIFE);
  const afterLines = spoken.reduce((left, at) => left * (1 - SPOKEN_WEIGHT * fade(now - at)), 1);
  const left = commitments
    .filter(({ window_start }) => window_start <= now)
    .reduce(
      (rest, { window_end }) => rest * (1 - COMMITMENT_WEIGHT * fade(Math.max(0, now - window_end))),
      afterLines,
    );
  return round(1 - left);
}

/** A crowd adds to what rain, transit and traffic make of the way; alone it is no friction, but a crowd. */
function movementFriction({ rain, transit, jam, crowd }: Pressures): number | null {
  if (rain === null && transit === null && jam === null) return null;
  const mean = weightedMean([
    [rain, 0.4],
    [transit, 0.2],
    [jam, 0.2],
    [crowd, 0.2],
  ]);
  if (mean === null) return null;
  // Heavy rain alone makes moving about hard, whatever the other pressures are.
  return round(rain === null ? mean : Math.max(mean, 0.8 * rain));
}

/** How unstable the moment is: the spread of recent calm, and more for an anomalous reading. */
function momentFragility(reading: Reading, recent: MomentInput['recent']): number {
  const mean = recent.reduce((sum, { calm }) => sum + calm, 0) / recent.length;
  const swing = Math.sqrt(recent.reduce((sum, { calm }) => sum + (calm - mean) ** 2, 0) / recent.length);
  return round(clamp(0.75 * ramp(swing, 0, 0.2) + (reading.anomaly_flag ? 0.3 : 0)));
}

/** Minutes: spells are counted up to four hours (pocket-history.ts). */
export const LONGEST_HALF_LIFE = 240;
/** A calm with a standard deviation of 0.19 over the last readings, or of 0.11 with an unusual reading. */
export const FRAGILE = 0.7;

/** `hour` is that of the local clock. */
export const isSleepHour = (hour: number): boolean => !isWakingHour(hour);

/** Why a moment asks for silence, in words and in the order of silence-reason.ts. */
export const momentReasonText = {
  quiet_hours: 'it is an hour for sleep',
  no_norm: 'the usual of this hour is not known yet',
  tense: 'the pocket is tense',
  fragile: 'the moment is fragile',
  heard_enough: 'enough was said here recently',
} as const;
export type MomentReason = keyof typeof momentReasonText;

function momentSilence(
  moment: Pick<Moment, 'signal_saturation' | 'fragility'>,
  stress: number,
  hour: number,
  input: { normKnown: boolean; heardEnough: boolean },
): Pick<Moment, 'should_stay_silent' | 'silence_reasons'> {
  const applies: Record<MomentReason, boolean> = {
    quiet_hours: isSleepHour(hour),
    no_norm: !input.normKnown,
    tense: stress >= TENSE,
    fragile: moment.fragility > FRAGILE,
    heard_enough: moment.signal_saturation > SATURATION_LIMIT || input.heardEnough,
  };
  const reasons = (Object.keys(momentReasonText) as MomentReason[]).filter((reason) => applies[reason]);
  return {
    should_stay_silent: reasons.length > 0,
    silence_reasons: reasons.map((reason) => momentReasonText[reason]),
  };
}
