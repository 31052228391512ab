import { type ErrorType, errorTypeOf } from '../../../domain/prediction/error-taxonomy.ts';
import { HIT } from '../../../domain/prediction/forecast-sums.ts';
import {
  isProjection,
  type PredictionPayload,
  type ProjectionPayload,
  type SidePayload,
} from '../../../domain/prediction/prediction.ts';
import { projectionScore } from '../../../domain/prediction/projection.ts';
import {
  addOutcome,
  type OutcomeSum,
  type SideGenerator,
  sideGenerators,
  sideScore,
} from '../../../domain/prediction/side-forecasts.ts';
import {
  DRY_MM,
  QUIET_CALM,
  scoreOfReading,
  sidePersistenceScore,
} from '../../../domain/prediction/simple-rules.ts';
import { HOUR, SLOT } from '../../../domain/time/slot.ts';
import { isWaking } from '../../../domain/time/waking-hours.ts';
import { silencesRight } from '../../../store/decision/verdicts.ts';
import { readNorms } from '../../../store/observation/norms.ts';
import {
  type HourExtremes,
  hourExtremesWithin,
  lastPackageSlots,
  type ObservedOutcome,
  outcomesAt,
  readingsAt,
} from '../../../store/prediction/observed-outcomes.ts';
import {
  type OpenPrediction,
  openPredictions,
  type Reveal,
  writeReveals,
} from '../../../store/prediction/predictions.ts';
import type { JobContext } from '../../core/context.ts';
import { sideKey } from './seal-forecasts.ts';

/** With fewer readings than this an hour is inconclusive. */
const LEAST_READINGS = 3;
const PACKAGE_WINDOW = 3 * HOUR;

/** Reveals the forecasts that are due at this slot: compares each with what was observed. */
export async function revealForecasts(context: JobContext): Promise<void> {
  const { tx, ledger, slot } = context;
  let observed: Observations | undefined;
  for await (const due of openPredictions(tx, ledger, slot)) {
    observed ??= await readObservations(context);
    const { canScore } = observed;
    const scorable = due.filter(({ payload }) => canScore(payload));
    await revealAll(context, scorable, observed);
  }
  // A forecast that had no reading at its own slot is scored by this one, or is inconclusive.
  for await (const overdue of openPredictions(tx, ledger, slot - SLOT)) {
    observed ??= await readObservations(context);
    await revealAll(context, overdue, observed);
  }
}

async function revealAll(
  context: JobContext,
  open: readonly OpenPrediction[],
  observed: Observations,
): Promise<void> {
  const { tx, ledger, now, state, zone } = context;
  const keys = open.flatMap(({ payload }) =>
    isSide(payload) ? [sideKey(payload.generator, payload.pocket_id)] : [],
  );
  await state.load(tx, keys);
  const reveals = open.map((prediction) => revealOf(prediction, observed));
  for (const { open, outcome } of reveals)
    if (outcome !== null && isSide(open.payload)) learnSide(context, open.payload, outcome);
  await writeReveals(
    tx,
    ledger,
    now,
    reveals.map(({ outcome: _learned, ...row }) => ({ ...row, waking: isWaking(row.open.reveal_at, zone) })),
  );
}

/** Everything observed up to this slot that forecasts are scored by. */
async function readObservations({ tx, zone, slot }: JobContext) {
  const current = await outcomesAt(tx, slot);
  const before = await outcomesAt(tx, slot - SLOT);
  // Side forecasts are sealed on the hour only, and revealed an hour later.
  const onTheHour = slot % HOUR === 0;
  const hours = onTheHour ? await hourExtremesWithin(tx, slot - HOUR, slot) : new Map<string, HourExtremes>();
  const anHourAgo = onTheHour ? await outcomesAt(tx, slot - HOUR) : new Map<string, ObservedOutcome>();
  const verdicts = onTheHour ? await silencesRight(tx, slot - HOUR) : new Map<string, number | null>();
  // The same time on the clock.
  const weekAgo = (time: number) => zone.atHour(time, zone.hourOfDay(time), -7);
  const lastWeek = new Map([
    [slot, await readingsAt(tx, weekAgo(slot))],
    [slot - SLOT, await readingsAt(tx, weekAgo(slot - SLOT))],
  ]);
  const norms = await readNorms(tx, zone.hourOfWeek(slot));
  const lastPackages = await lastPackageSlots(tx, slot - PACKAGE_WINDOW, slot);
  return {
    slot,
    hours,
    verdicts,
    lastPackages,
    network_state: modalState([...current.values()]),
    anHourAgo: (pocket: string) => anHourAgo.get(pocket) ?? null,
    aWeekBefore: (pocket: string, revealAt: number) => lastWeek.get(revealAt)?.get(pocket) ?? null,
    before: (pocket: string) => before.get(pocket) ?? null,
    outcome: (pocket: string) => current.get(pocket) ?? before.get(pocket) ?? null,
    crowdDeviation: (pocket: string, crowd: number | null): number | null => {
      const norm = norms.get(pocket)?.crowd;
      return crowd === null || !norm?.samples ? null : crowd - norm.mean;
    },
    canScore: (payload: PredictionPayload) =>
      isSide(payload) || current.has(payload.pocket_id) || before.has(payload.pocket_id),
  };
}

type Observations = Awaited<ReturnType<typeof readObservations>>;

type SideForecastPayload = SidePayload & { generator: SideGenerator };

const isSide = (payload: PredictionPayload): payload is SideForecastPayload =>
  payload.generator in sideGenerators;

/** A reveal, and the outcome that side forecasts learn from. */
type Revealed<Outcome> = Omit<Reveal, 'waking'> & { outcome: Outcome };

function revealOf(open: OpenPrediction, observed: Observations): Revealed<number | null> {
  const { payload } = open;
  if (isSide(payload)) return revealSide(open, payload, observed);
  if (isProjection(payload)) return revealProjection(open, payload, observed);
  throw new Error(`unknown generator: ${payload.generator}`);
}

const inconclusive = {
  actual_observation: null,
  accuracy_score: null,
  baseline_score: null,
  persistence_score: null,
  last_week_score: null,
  error_type: null,
};

function revealProjection(
  open: OpenPrediction,
  payload: ProjectionPayload,
  observed: Observations,
): Revealed<null> {
  const actual = observed.outcome(payload.pocket_id);
  if (!actual) return { open, ...inconclusive, outcome: null };
  const accuracy_score = projectionScore(payload.forecast, actual);
  return {
    open,
    actual_observation: { primary_state: actual.primary_state, calm: actual.calm },
    accuracy_score,
    baseline_score: projectionScore(payload.baseline, actual),
    persistence_score: scoreOfReading(payload.known, actual),
    last_week_score: scoreOfReading(observed.aWeekBefore(payload.pocket_id, open.reveal_at), actual),
    error_type: accuracy_score < HIT ? missOf(open.slot, payload, actual, observed) : null,
    outcome: null,
  };
}

function missOf(
  slot: number,
  { pocket_id, completeness, forecast, known }: ProjectionPayload,
  actual: ObservedOutcome,
  observed: Observations,
): ErrorType {
  return errorTypeOf({
    expected_state: forecast.expected_state,
    expected_calm: forecast.expected_calm,
    completeness,
    rain_then: known.rain_mm,
    rain_now: actual.rain_mm,
    crowd_deviation: observed.crowdDeviation(pocket_id, actual.crowd),
    calm_now: actual.calm,
    state_before: observed.before(pocket_id)?.primary_state ?? null,
    spoke: (observed.lastPackages.get(pocket_id) ?? slot) > slot,
    network_state: observed.network_state,
  });
}

function revealSide(
  open: OpenPrediction,
  { pocket_id, generator, reveal_at, forecast, baseline }: SideForecastPayload,
  observed: Observations,
): Revealed<number | null> {
  const outcome =
    Date.parse(reveal_at) === observed.slot ? sideOutcome(generator, pocket_id, observed) : null;
  if (outcome === null) return { open, ...inconclusive, outcome };
  const accuracy_score = sideScore(generator, forecast.expected, outcome);
  return {
    open,
    actual_observation: { outcome },
    accuracy_score,
    baseline_score: sideScore(generator, baseline.expected, outcome),
    persistence_score: sidePersistenceScore(generator, observed.anHourAgo(pocket_id), outcome),
    last_week_score: null,
    error_type:
      accuracy_score < HIT
        ? generator === 'rain_comfort_60m'
          ? 'weather_miss'
          : 'threshold_too_loose'
        : null,
    outcome,
  };
}

function sideOutcome(generator: SideGenerator, pocket: string, observed: Observations): number | null {
  const hour = observed.hours.get(pocket);
  switch (generator) {
    case 'quiet_window_60m':
      return hour && hour.readings >= LEAST_READINGS ? Number(hour.least_calm >= QUIET_CALM) : null;
    case 'rain_comfort_60m':
      return hour && hour.most_rain !== null && hour.readings >= LEAST_READINGS
        ? Number(hour.most_rain < DRY_MM)
        : null;
    case 'movement_friction_60m':
      return observed.outcome(pocket)?.movement_friction ?? null;
    case 'offer_intensity_60m':
      return observed.outcome(pocket)?.spare_capacity ?? null;
    case 'silence_correctness_60m':
      return observed.verdicts.get(pocket) ?? null;
  }
}

function learnSide(
  { state }: JobContext,
  { pocket_id, generator, forecast: { filed_under } }: SideForecastPayload,
  outcome: number,
): void {
  const key = sideKey(generator, pocket_id);
  const sums = state.get<Record<string, OutcomeSum>>(key) ?? {};
  sums[filed_under] = addOutcome(sums[filed_under], outcome);
  state.set(key, sums);
}

function modalState(outcomes: readonly ObservedOutcome[]): string {
  const counts = new Map<string, number>();
  for (const { primary_state } of outcomes) counts.set(primary_state, (counts.get(primary_state) ?? 0) + 1);
  return [...counts].sort(([a, n], [b, m]) => m - n || a.localeCompare(b))[0]?.[0] ?? '';
}
