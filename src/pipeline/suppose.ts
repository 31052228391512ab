import { atmosphereOf } from '../domain/atmosphere.ts';
import type { Forecast } from '../domain/forecast/index.ts';
import { HORIZONS } from '../domain/prediction.ts';
import { projectionOf } from '../domain/projection.ts';
import { isRestDay } from '../domain/rest-day.ts';
import { type Shift, supposed, suppositions } from '../domain/supposition.ts';
import { writeShifts } from '../store/outlooks.ts';
import type { PastReading } from '../store/past-readings.ts';
import type { ReadPocket } from './decide.ts';
import type { Tick } from './tick.ts';

/** For each supposition, what would have been read in all pockets at once. */
export function readInstead({ registry, slot }: Tick, read: readonly ReadPocket[]): PastReading[][] {
  const rest = isRestDay(slot, registry.holidays);
  const characters = new Map(registry.pockets.map(({ id, character }) => [id, character]));
  return suppositions.map((supposition) =>
    read.map(({ reading, snapshot }) => {
      const character = characters.get(reading.pocket_id);
      const values = character && supposed(supposition, snapshot.values, character.footfall_peak);
      const atmosphere = values && atmosphereOf({ ...snapshot, values }, character, rest);
      return atmosphere ? { ...reading, ...atmosphere, ...values } : { ...reading, ...snapshot.values };
    }),
  );
}

/** Keeps how the forecasts of this slot would differ. */
export async function keepShifts(
  { tx, registry, slot }: Tick,
  read: readonly ReadPocket[],
  forecasts: readonly Forecast[][][],
): Promise<void> {
  const seen = new Map(read.map((pocket) => [pocket.reading.pocket_id, pocket]));
  const pockets = registry.pockets.flatMap(({ id, character }, p) => {
    const pocket = seen.get(id);
    if (!pocket) return [];
    const shifts = suppositions.flatMap((supposition, s): Shift[] => {
      const expected = forecasts[s]?.[p];
      if (!expected || !supposed(supposition, pocket.snapshot.values, character.footfall_peak)) return [];
      const horizons = expected.map((forecast, h) => {
        const { expected_state, calm_probability } = projectionOf(forecast);
        return { minutes_ahead: HORIZONS[h] ?? 0, expected_state, calm_probability };
      });
      return [{ supposition, horizons }];
    });
    return [{ pocket_id: id, shifts }];
  });
  await writeShifts(tx, slot, pockets);
}
