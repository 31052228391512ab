import { cityCalendar, isRestDay } from '../../../domain/city/rest-day.ts';
import type { Generator } from '../../../domain/prediction/generator.ts';
import { generators } from '../../../domain/prediction/generators/all.ts';
import {
  HORIZONS,
  isProjection,
  type PredictionPayload,
  type ProjectionPayload,
  predictionId,
  predictionKey,
  revealTime,
} from '../../../domain/prediction/prediction.ts';
import { readTable } from '../../../domain/stats/number-table.ts';
import { iso } from '../../../domain/time/slot.ts';
import type { KeptForecast } from '../../../store/prediction/projections.ts';
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
  list: readonly Generator[] = generators,
): Promise<void> {
  const { tx, slot, state, seal } = context;
  // Reveals ran up to here. It is ahead of the slot after a clock was fast: a forecast that falls due before would never
  // be revealed, so it is not sealed.
  const revealed = (await lastRun(tx, 'reveal')) ?? 0;
  const due = list.filter(({ every, horizon }) => slot % every === 0 && revealTime(slot, horizon) > revealed);
  const kept = new Map<string, KeptForecast[]>();
  for (const own of Map.groupBy(due, ({ every }) => every).values()) {
    const keys = ({ reading }: DecidedPocket) =>
      own.filter(isLearner).map(({ name }) => learnedKey(name, reading.pocket_id));
    const payloads = payloadsFrom(context, forecasts, own);
    for await (const batch of state.inBatches(tx, decided, keys)) {
      const sealed = batch.flatMap(payloads);
      await seal('forecasts', sealed);
      if (context.newest)
        for (const [pocket, ahead] of Map.groupBy(sealed.filter(isProjection), ({ pocket_id }) => pocket_id))
          kept.set(pocket, ahead.map(keptForecast));
    }
  }
  if (context.newest) await writeScenarios(context, decided, scenarioForecasts, kept);
  await context.forecaster.save(tx, slot, context.zone);
}

const keptForecast = ({ horizon_minutes, forecast }: ProjectionPayload): KeptForecast => ({
  minutes_ahead: horizon_minutes,
  expected_state: forecast.expected_state,
  expected_calm: forecast.expected_calm,
  calm_probability: forecast.calm_probability,
});

function payloadsFrom(
  { registry, zone, slot, state, substrate }: JobContext,
  forecasts: SlotForecasts['forecasts'],
  list: readonly Generator[],
): (pocket: DecidedPocket) => PredictionPayload[] {
  const positions = new Map(registry.pockets.map(({ id }, p) => [id, p]));
  const hour = zone.hourOfDay(slot);
  const calendar = cityCalendar(registry);
  const horizons: readonly number[] = HORIZONS;
  const ahead = list.map((generator) => {
    const revealAt = revealTime(slot, generator.horizon);
    const due = { hour: zone.hourOfDay(revealAt), rest: isRestDay(revealAt, calendar) };
    const subject = generator.kind === 'state' ? generator.kind : generator.type;
    return { generator, subject, revealAt, due, h: horizons.indexOf(generator.horizon) };
  });
  return ({ reading, snapshot, friction, spare_capacity, gate }) => {
    const { pocket_id, primary_state, calm, completeness } = reading;
    const { rain_mm } = snapshot.values;
    const known = { hour, calm, primary_state, rain_mm, friction, spare_capacity, gate };
    const expected = forecasts[positions.get(pocket_id) ?? -1];
    return ahead.flatMap(({ generator, subject, revealAt, due, h }): PredictionPayload[] => {
      const past = isLearner(generator) ? readTable(state.get(learnedKey(generator.name, pocket_id))) : '';
      const own = generator.forecast({ ...known, expected: expected?.[h], due, past });
      if (!own) return [];
      return [
        {
          type: 'prediction',
          id: predictionId(pocket_id, slot, generator.name),
          pocket_id,
          generator: generator.name,
          prediction_key: predictionKey(pocket_id, subject, revealAt),
          horizon_minutes: generator.horizon,
          sealed_at: iso(slot),
          reveal_at: iso(revealAt),
          completeness,
          shadow: generator.shadow,
          substrate,
          ...own,
        },
      ];
    });
  };
}

const isLearner = ({ kind }: Generator): boolean => kind !== 'state';

/** Where a generator that learns keeps the outcomes of a pocket. */
export const learnedKey = (generator: string, pocket: string): string => `side ${generator} ${pocket}`;
