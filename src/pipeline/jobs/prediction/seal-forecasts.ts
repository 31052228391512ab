import { calendarOf, isRestDay } from '../../../domain/city/rest-day.ts';
import type { Forecast } from '../../../domain/forecaster/index.ts';
import { naiveBaseline } from '../../../domain/prediction/naive-baseline.ts';
import {
  HORIZONS,
  type PredictionPayload,
  type ProjectionPayload,
  predictionId,
  predictionKey,
  projectionGenerator,
  revealTime,
} from '../../../domain/prediction/prediction.ts';
import { projectionOf } from '../../../domain/prediction/projection.ts';
import {
  conditionKey,
  expectedOutcome,
  type OutcomeSum,
  priorOutcome,
  type SideGenerator,
  sideConfidence,
  sideGenerators,
  usualOutcome,
} from '../../../domain/prediction/side-forecasts.ts';
import { round } from '../../../domain/stats/unit-scale.ts';
import { HOUR, iso } from '../../../domain/time/slot.ts';
import { writePredictions } from '../../../store/prediction/predictions.ts';
import { lastRun } from '../../../store/runtime/job-runs.ts';
import type { JobContext } from '../../core/context.ts';
import type { SlotForecasts } from '../../core/learn-and-forecast.ts';
import type { DecidedPocket, ReadPocket } from '../decide.ts';
import { readingToLearn, scenarioReadings, writeScenarios } from './compute-scenarios.ts';

/** Forecasts every pocket from the readings of this slot. */
export function forecastPockets(context: JobContext, read: readonly ReadPocket[]): Promise<SlotForecasts> {
  const { tx, registry, slot, forecaster } = context;
  return forecaster.forecast(
    tx,
    registry,
    slot,
    read.map(readingToLearn),
    context.newest ? scenarioReadings(context, read) : [],
  );
}

/** Seals the forecasts of each pocket. On the live clock their outcomes cannot be known yet. */
export async function sealForecasts(
  context: JobContext,
  decided: readonly DecidedPocket[],
  { forecasts, scenarioForecasts }: SlotForecasts,
): Promise<void> {
  const { tx, ledger, slot, state } = context;
  const project = projectionsFrom(context, forecasts);
  // Reveals ran up to here. It is ahead of the slot after a clock was fast: a forecast that falls due before would never
  // be revealed, so it is not sealed.
  const revealed = (await lastRun(tx, 'reveal')) ?? 0;
  const canReveal = ({ horizon_minutes }: PredictionPayload) => revealTime(slot, horizon_minutes) > revealed;
  for await (const batch of state.inBatches(tx, decided))
    await writePredictions(tx, ledger, slot, batch.flatMap(project).filter(canReveal));
  // Side forecasts change slowly: once an hour is enough.
  if (slot % HOUR === 0 && slot + HOUR > revealed) await sealSideForecasts(context, decided);
  if (context.newest) await writeScenarios(context, decided, scenarioForecasts);
  await context.forecaster.save(tx, slot, context.zone);
}

async function sealSideForecasts(context: JobContext, decided: readonly DecidedPocket[]): Promise<void> {
  const { tx, ledger, slot, state } = context;
  const keys = ({ reading }: DecidedPocket) => sideKeys(reading.pocket_id);
  for await (const batch of state.inBatches(tx, decided, keys))
    await writePredictions(
      tx,
      ledger,
      slot,
      batch.flatMap((pocket) => sideForecasts(context, pocket)),
    );
}

function projectionsFrom(
  context: JobContext,
  forecasts: readonly Forecast[][],
): (pocket: DecidedPocket) => PredictionPayload[] {
  const { registry, zone, slot } = context;
  const positions = new Map(registry.pockets.map(({ id }, p) => [id, p]));
  const rest = HORIZONS.map((minutes) => isRestDay(revealTime(slot, minutes), calendarOf(registry)));
  return (pocket) => {
    const { reading, snapshot } = pocket;
    const { primary_state, calm } = reading;
    const { rain_mm } = snapshot.values;
    return HORIZONS.flatMap((horizon, h) => {
      const forecast = forecasts[positions.get(reading.pocket_id) ?? -1]?.[h];
      if (!forecast) return [];
      const revealAt = revealTime(slot, horizon);
      return [
        {
          ...sealedPart(context, pocket, projectionGenerator(horizon), 'state', horizon),
          prediction_type: 'other',
          confidence: round(forecast.confidence),
          shadow: false,
          forecast: projectionOf(forecast),
          baseline: naiveBaseline(zone.hourOfDay(revealAt), rest[h] ?? false, (rain_mm ?? 0) > 0),
          known: { primary_state, calm, rain_mm },
        } satisfies ProjectionPayload,
      ];
    });
  };
}

function sideForecasts(context: JobContext, pocket: DecidedPocket): PredictionPayload[] {
  const { state, zone, slot } = context;
  const { reading, snapshot, friction, spare_capacity, gate } = pocket;
  const conditions = {
    hour: zone.hourOfDay(slot),
    calm: reading.calm,
    rain_mm: snapshot.values.rain_mm,
    friction,
    spare_capacity,
    gate,
  };
  return (Object.keys(sideGenerators) as SideGenerator[]).flatMap((generator) => {
    const filed_under = conditionKey(generator, conditions);
    if (filed_under === null) return [];
    const past = state.get<Record<string, OutcomeSum>>(sideKey(generator, reading.pocket_id))?.[filed_under];
    const expected = round(expectedOutcome(past, priorOutcome(generator, conditions)));
    const { type, shadow } = sideGenerators[generator];
    return [
      {
        ...sealedPart(context, pocket, generator, type, 60),
        prediction_type: type,
        confidence: sideConfidence(generator, expected, past),
        shadow,
        forecast: { expected, filed_under },
        baseline: { expected: usualOutcome[generator] },
      },
    ];
  });
}

export const sideKey = (generator: SideGenerator, pocket: string): string => `side ${generator} ${pocket}`;

const sideKeys = (pocket: string): string[] =>
  (Object.keys(sideGenerators) as SideGenerator[]).map((generator) => sideKey(generator, pocket));

function sealedPart(
  { slot, substrate }: JobContext,
  { reading }: DecidedPocket,
  generator: string,
  subject: string,
  horizon: number,
) {
  const { pocket_id, completeness } = reading;
  const revealAt = revealTime(slot, horizon);
  return {
    type: 'prediction',
    id: predictionId(pocket_id, slot, generator),
    pocket_id,
    generator,
    prediction_key: predictionKey(pocket_id, subject, revealAt),
    horizon_minutes: horizon,
    sealed_at: iso(slot),
    reveal_at: iso(revealAt),
    completeness,
    substrate,
  } as const;
}
