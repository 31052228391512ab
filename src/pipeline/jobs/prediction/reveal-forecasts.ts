import { type ErrorType, errorTypeOf } from '../../../domain/prediction/error-taxonomy.ts';
import type { PredictionPayload } from '../../../domain/prediction/prediction.ts';
import { type Projection, projectionScore } from '../../../domain/prediction/projection.ts';
import {
  addOutcome,
  type OutcomeSum,
  type SideGenerator,
  sideGenerators,
  sideScore,
} from '../../../domain/prediction/side-forecasts.ts';
import { HIT } from '../../../domain/stats/forecast-sums.ts';
import { HOUR, hourOfWeek, SLOT } from '../../../domain/time/sgt.ts';
import { readNorms } from '../../../store/observation/norms.ts';
import {
  type HourExtremes,
  hourExtremesWithin,
  lastPackageSlots,
  type ObservedOutcome,
  outcomesAt,
  vindicationsAt,
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
const DRY_MM = 0.2;
const CALM = 0.55;
const SPOKEN_LATELY = 3 * HOUR;

/** Reveals the forecasts that are due at this slot: compares each with what was observed. */
export async function revealForecasts(context: JobContext): Promise<void> {
  const { tx, ledger, slot } = context;
  let seen: Observations | undefined;
  for await (const due of openPredictions(tx, ledger, slot)) {
    seen ??= await readObservations(context);
    const { canJudge } = seen;
    const judgeable = due.filter(({ payload }) => canJudge(payload));
    await judgeAll(context, judgeable, seen);
  }
  // A forecast that had no reading at its own slot is judged by this one, or is inconclusive.
  for await (const overdue of openPredictions(tx, ledger, slot - SLOT)) {
    seen ??= await readObservations(context);
    await judgeAll(context, overdue, seen);
  }
}

async function judgeAll(
  context: JobContext,
  open: readonly OpenPrediction[],
  seen: Observations,
): Promise<void> {
  const { tx, ledger, now, state } = context;
  const keys = open.flatMap(({ payload: { generator, pocket_id } }) =>
    isSide(generator) ? [sideKey(generator, pocket_id)] : [],
  );
  await state.load(tx, keys);
  const reveals = open.map((prediction) => judged(prediction, seen));
  for (const { open, outcome } of reveals) if (outcome !== null) learnSide(context, open.payload, outcome);
  await writeReveals(
    tx,
    ledger,
    now,
    reveals.map(({ outcome: _learned, ...row }) => row),
  );
}

/** Everything observed up to this slot that forecasts are judged by. */
async function readObservations({ tx, registry, slot }: JobContext) {
  const current = await outcomesAt(tx, slot);
  const before = await outcomesAt(tx, slot - SLOT);
  // Side forecasts are sealed on the hour only, and revealed an hour later.
  const onTheHour = slot % HOUR === 0;
  const hours = onTheHour ? await hourExtremesWithin(tx, slot - HOUR, slot) : new Map<string, HourExtremes>();
  const verdicts = onTheHour ? await vindicationsAt(tx, slot - HOUR) : new Map<string, number | null>();
  const norms = await readNorms(tx, hourOfWeek(slot));
  const spoken = await lastPackageSlots(tx, slot - SPOKEN_LATELY, slot);
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

type Observations = Awaited<ReturnType<typeof readObservations>>;

const isSide = (generator: string): generator is SideGenerator => generator in sideGenerators;

function judged(open: OpenPrediction, seen: Observations): Reveal & { outcome: number | null } {
  const { payload } = open;
  return isSide(payload.generator) ? judgedAside(open, payload.generator, seen) : judgedState(open, seen);
}

const inconclusive = {
  actual_observation: null,
  accuracy_score: null,
  baseline_score: null,
  error_type: null,
};

function judgedState(open: OpenPrediction, seen: Observations): Reveal & { outcome: null } {
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
  actual: ObservedOutcome,
  seen: Observations,
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
  seen: Observations,
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

function sideOutcome(generator: SideGenerator, pocket: string, seen: Observations): number | null {
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
      return seen.outcome(pocket)?.spare_capacity ?? null;
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

function modalState(outcomes: readonly ObservedOutcome[]): string {
  const counts = new Map<string, number>();
  for (const { primary_state } of outcomes) counts.set(primary_state, (counts.get(primary_state) ?? 0) + 1);
  return [...counts].sort(([a, n], [b, m]) => m - n || a.localeCompare(b))[0]?.[0] ?? '';
}
