import { type ErrorType, errorTypeOf } from '../../domain/prediction/error-taxonomy.ts';
import type { PredictionPayload } from '../../domain/prediction/prediction.ts';
import { type Projection, projectionScore } from '../../domain/prediction/projection.ts';
import {
  addOutcome,
  type OutcomeSum,
  type SideGenerator,
  sideGenerators,
  sideScore,
} from '../../domain/prediction/side-forecasts.ts';
import { HIT } from '../../domain/stats/forecast-sums.ts';
import { HOUR, hourOfWeek, SLOT } from '../../domain/time/sgt.ts';
import { readNorms } from '../../store/observation/norms.ts';
import {
  type Hour,
  hourAfter,
  lastSpoken,
  type Outcome,
  outcomesAt,
  verdictsAt,
} from '../../store/prediction/observed-outcomes.ts';
import {
  type OpenPrediction,
  openPredictions,
  type Reveal,
  writeReveals,
} from '../../store/prediction/predictions.ts';
import type { JobContext } from '../core/context.ts';
import type { Trail } from '../trail.ts';
import { sideKey } from './seal-forecasts.ts';

/** Fewer readings than this in an hour say nothing of the whole of it. */
const LEAST_READINGS = 3;
const DRY_MM = 0.2;
const CALM = 0.55;
const SPOKEN_LATELY = 3 * HOUR;

/** Holds what was forecast for this slot against what came. */
export async function revealForecasts(tick: JobContext): Promise<void> {
  const { tx, ledger, slot, state } = tick;
  const openAt = (revealAt: number) =>
    openPredictions(tx, ledger, revealAt, state.trail.forecastFor(revealAt)?.due);
  let seen: Witness | undefined;
  for await (const due of openAt(slot)) {
    seen ??= await witness(tick);
    const { canJudge } = seen;
    const judgeable = due.filter(({ payload }) => canJudge(payload));
    await judgeAll(tick, slot, judgeable, seen);
  }
  // What had no reading of its own a slot ago is judged by this one, or not at all.
  for await (const overdue of openAt(slot - SLOT)) {
    seen ??= await witness(tick);
    await judgeAll(tick, slot - SLOT, overdue, seen);
  }
}

async function judgeAll(
  tick: JobContext,
  revealAt: number,
  open: readonly OpenPrediction[],
  seen: Witness,
): Promise<void> {
  const { tx, ledger, now, state } = tick;
  const keys = open.flatMap(({ payload: { generator, pocket_id } }) =>
    isSide(generator) ? [sideKey(generator, pocket_id)] : [],
  );
  await state.load(tx, keys);
  const reveals = open.map((prediction) => judged(prediction, seen));
  for (const { open, outcome } of reveals) if (outcome !== null) learnSide(tick, open.payload, outcome);
  const written = await writeReveals(
    tx,
    ledger,
    now,
    reveals.map(({ outcome: _learned, ...row }) => row),
  );
  state.trail.leaveRevealed(revealAt, written);
}

/** All that can be known at this slot about the outcomes of forecasts. */
async function witness({ tx, registry, slot, state: { trail } }: JobContext) {
  const seenAt = async (slot: number): Promise<ReadonlyMap<string, Outcome>> =>
    trail.at(slot)?.outcomes ?? (await outcomesAt(tx, slot));
  const [current, before] = [await seenAt(slot), await seenAt(slot - SLOT)];
  const onTheHour = (slot - HOUR) % HOUR === 0;
  const hours = onTheHour
    ? (hourOnTrail(trail, slot) ?? (await hourAfter(tx, slot - HOUR, slot)))
    : new Map<string, Hour>();
  const verdicts = onTheHour
    ? (trail.at(slot - HOUR)?.verdicts ?? (await verdictsAt(tx, slot - HOUR)))
    : new Map<string, number | null>();
  const norms = trail.norms(hourOfWeek(slot)) ?? (await readNorms(tx, hourOfWeek(slot)));
  const spoken = spokenOnTrail(trail, slot) ?? (await lastSpoken(tx, slot - SPOKEN_LATELY, slot));
  const peaks = new Map(registry.pockets.map(({ id, character }) => [id, character.footfall_peak]));
  return {
    slot,
    hours,
    verdicts,
    spoken,
    network: modalState([...current.values()]),
    before: (pocket: string) => before.get(pocket) ?? null,
    outcome: (pocket: string) => current.get(pocket) ?? before.get(pocket) ?? null,
    crowdSurprise: (pocket: string, footfall: number | null): number | null => {
      const norm = norms.get(pocket)?.footfall;
      const peak = peaks.get(pocket);
      return footfall === null || !norm?.samples || !peak ? null : (footfall - norm.mean) / peak;
    },
    canJudge: ({ pocket_id, generator }: PredictionPayload) =>
      isSide(generator) || current.has(pocket_id) || before.has(pocket_id),
  };
}

function hourOnTrail(trail: Trail, slot: number): Map<string, Hour> | undefined {
  const slots = trail.within(slot - HOUR, slot);
  if (!slots) return undefined;
  const hours = new Map<string, Hour>();
  for (const { left } of slots) {
    for (const { pocket_id, calm, rain_mm } of left.outcomes.values()) {
      const hour = hours.get(pocket_id) ?? { readings: 0, least_calm: calm, most_rain: null };
      hours.set(pocket_id, {
        readings: hour.readings + 1,
        least_calm: Math.min(hour.least_calm, calm),
        most_rain: rain_mm === null ? hour.most_rain : Math.max(hour.most_rain ?? rain_mm, rain_mm),
      });
    }
  }
  return hours;
}

function spokenOnTrail(trail: Trail, slot: number): Map<string, number> | undefined {
  const slots = trail.within(slot - SPOKEN_LATELY, slot);
  return (
    slots && new Map(slots.flatMap(({ slot, left }) => left.spoken.map((pocket) => [pocket, slot] as const)))
  );
}

type Witness = Awaited<ReturnType<typeof witness>>;

const isSide = (generator: string): generator is SideGenerator => generator in sideGenerators;

function judged(open: OpenPrediction, seen: Witness): Reveal & { outcome: number | null } {
  const { payload } = open;
  return isSide(payload.generator) ? judgedAside(open, payload.generator, seen) : judgedState(open, seen);
}

const inconclusive = {
  actual_observation: null,
  accuracy_score: null,
  baseline_score: null,
  error_type: null,
};

function judgedState(open: OpenPrediction, seen: Witness): Reveal & { outcome: null } {
  const { pocket_id } = open.payload;
  const actual = seen.outcome(pocket_id);
  if (!actual) return { open, ...inconclusive, outcome: null };
  const forecast = open.payload.forecast as Projection;
  const accuracy_score = projectionScore(forecast, actual);
  return {
    open,
    actual_observation: { primary_state: actual.primary_state, calm: actual.calm },
    accuracy_score,
    baseline_score: projectionScore(open.payload.baseline as Projection, actual),
    error_type: accuracy_score < HIT ? missOf(open, forecast, actual, seen) : null,
    outcome: null,
  };
}

function missOf(
  { payload, slot }: OpenPrediction,
  forecast: Projection,
  actual: Outcome,
  seen: Witness,
): ErrorType {
  const { pocket_id, completeness } = payload;
  const { known } = payload as PredictionPayload & { known?: { rain_mm: number | null } };
  return errorTypeOf({
    expected_state: forecast.expected_state,
    expected_calm: forecast.expected_calm,
    completeness,
    rain_then: known?.rain_mm ?? null,
    rain_now: actual.rain_mm,
    footfall_deviation: seen.crowdSurprise(pocket_id, actual.footfall),
    calm_now: actual.calm,
    state_before: seen.before(pocket_id)?.primary_state ?? null,
    spoke: (seen.spoken.get(pocket_id) ?? slot) > slot,
    network_state: seen.network,
  });
}

function judgedAside(
  open: OpenPrediction,
  generator: SideGenerator,
  seen: Witness,
): Reveal & { outcome: number | null } {
  const { pocket_id, forecast, baseline } = open.payload;
  const outcome =
    Date.parse(open.payload.reveal_at) === seen.slot ? sideOutcome(generator, pocket_id, seen) : null;
  if (outcome === null) return { open, ...inconclusive, outcome };
  const accuracy_score = sideScore(generator, (forecast as { expected: number }).expected, outcome);
  return {
    open,
    actual_observation: { outcome },
    accuracy_score,
    baseline_score: sideScore(generator, (baseline as { expected: number }).expected, outcome),
    error_type:
      accuracy_score < HIT
        ? generator === 'rain_comfort_60m'
          ? 'weather_miss'
          : 'threshold_too_loose'
        : null,
    outcome,
  };
}

function sideOutcome(generator: SideGenerator, pocket: string, seen: Witness): number | null {
  const hour = seen.hours.get(pocket);
  switch (generator) {
    case 'quiet_window_60m':
      return hour && hour.readings >= LEAST_READINGS ? Number(hour.least_calm >= CALM) : null;
    case 'rain_comfort_60m':
      return hour && hour.most_rain !== null && hour.readings >= LEAST_READINGS
        ? Number(hour.most_rain < DRY_MM)
        : null;
    case 'movement_friction_60m':
      return seen.outcome(pocket)?.movement_friction ?? null;
    case 'offer_intensity_60m':
      return seen.outcome(pocket)?.room ?? null;
    case 'silence_correctness_60m':
      return seen.verdicts.get(pocket) ?? null;
  }
}

function learnSide(
  { state }: JobContext,
  { pocket_id, generator, forecast }: PredictionPayload,
  outcome: number,
): void {
  if (!isSide(generator)) return;
  const key = sideKey(generator, pocket_id);
  const tallies = state.get<Record<string, OutcomeSum>>(key) ?? {};
  const { filed_under } = forecast as { filed_under: string };
  tallies[filed_under] = addOutcome(tallies[filed_under], outcome);
  state.set(key, tallies);
}

function modalState(outcomes: readonly Outcome[]): string {
  const counts = new Map<string, number>();
  for (const { primary_state } of outcomes) counts.set(primary_state, (counts.get(primary_state) ?? 0) + 1);
  return [...counts].sort(([a, n], [b, m]) => m - n || a.localeCompare(b))[0]?.[0] ?? '';
}
