import { computeAtmosphere } from '../../../domain/atmosphere/atmosphere.ts';
import { primaryStates } from '../../../domain/atmosphere/primary-state.ts';
import { cityCalendar, isRestDay } from '../../../domain/city/rest-day.ts';
import { HORIZONS } from '../../../domain/prediction/prediction.ts';
import { applyScenario, type ScenarioOutlook, scenarios } from '../../../domain/prediction/scenario.ts';
import { computePressures } from '../../../domain/signals/pressures.ts';
import { round } from '../../../domain/stats/unit-scale.ts';
import type { PastReading } from '../../../store/observation/past-readings.ts';
import { type KeptForecast, writeScenarioOutlooks } from '../../../store/prediction/projections.ts';
import type { JobContext } from '../../core/context.ts';
import type { ScenarioForecast } from '../../core/learn-and-forecast.ts';
import type { ReadPocket } from '../decide.ts';

/** For each scenario, the readings that all pockets would have had; the real one where it does not apply. */
export function* scenarioReadings(
  { registry, zone, slot }: JobContext,
  read: readonly ReadPocket[],
): Generator<PastReading[]> {
  const time = { hour: zone.hourOfDay(slot), rest: isRestDay(slot, cityCalendar(registry)) };
  const characters = new Map(registry.pockets.map(({ id, character }) => [id, character]));
  for (const scenario of scenarios)
    yield read.map((pocket) => {
      const { reading, snapshot, scales } = pocket;
      const character = characters.get(reading.pocket_id);
      const measured = character && applyScenario(scenario, snapshot);
      if (!measured) return readingToLearn(pocket);
      const pressures = computePressures(measured, scales);
      const atmosphere = computeAtmosphere({ ...time, ...snapshot, pressures, scales, character });
      return { ...reading, ...atmosphere, ...measured.values, crowd: measured.crowd };
    });
}

/** A reading with the measurements that the forecaster learns from. */
export const readingToLearn = ({ reading, snapshot }: ReadPocket): PastReading => ({
  ...reading,
  ...snapshot.values,
  crowd: snapshot.crowd,
});

/** Writes the forecasts of each pocket in the scenarios that apply to it, and beside them those that were `sealed`. */
export async function writeScenarios(
  { tx, registry, slot, state }: JobContext,
  read: readonly ReadPocket[],
  forecasts: readonly ScenarioForecast[],
  sealed: ReadonlyMap<string, readonly KeptForecast[]>,
): Promise<void> {
  const positions = new Map(registry.pockets.map(({ id }, p) => [id, p]));
  for await (const batch of state.inBatches(tx, read)) {
    const pockets = batch.flatMap(({ reading: { pocket_id }, snapshot }) => {
      const position = positions.get(pocket_id);
      if (position === undefined) return [];
      const outlooks = scenarios.flatMap((scenario, s): ScenarioOutlook[] => {
        const forecast = forecasts[s];
        if (!forecast || !applyScenario(scenario, snapshot)) return [];
        return [
          {
            scenario,
            horizons: HORIZONS.map((minutes, h) => scenarioHorizon(forecast, position, minutes, h)),
          },
        ];
      });
      return [{ pocket_id, outlooks, forecasts: sealed.get(pocket_id) ?? [] }];
    });
    await writeScenarioOutlooks(tx, slot, pockets);
  }
}

function scenarioHorizon({ classes, calm }: ScenarioForecast, p: number, minutes_ahead: number, h: number) {
  const at = p * HORIZONS.length + h;
  return {
    minutes_ahead,
    expected_state: primaryStates[classes[at] ?? -1] ?? 'mixed-transitional',
    calm_probability: round(calm[at] ?? 0.5),
  };
}
