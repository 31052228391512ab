/**
 * What two simple rules would have forecast, computed from the record when a forecast is revealed (docs/formulas.md,
 * "Simple rules"). They need no model and no sealed guess, so they show how much of an accuracy any observer reaches:
 * persistence expects what was observed at sealing, the other what was observed at the same hour a week before.
 */
import type { PrimaryState } from '../atmosphere/primary-state.ts';
import { projectionScore } from './projection.ts';
import { type SideGenerator, sideScore } from './side-forecasts.ts';

interface StateReading {
  primary_state: PrimaryState;
  calm: number;
}

/** The score that a reading has as a forecast of another; null without the reading. */
export const scoreOfReading = (then: StateReading | null, actual: StateReading): number | null =>
  then && projectionScore({ expected_state: then.primary_state, expected_calm: then.calm }, actual);

/** From this calm on a reading is quiet. */
export const QUIET_CALM = 0.55;
/** Under this rain, in millimetres a quarter hour, it is dry. */
export const DRY_MM = 0.2;

/** The measurements of a moment that side forecasts are about. */
export interface SideMeasurements {
  calm: number;
  rain_mm: number | null;
  movement_friction: number | null;
  spare_capacity: number | null;
}

/** The quantity of a side forecast as it stood at sealing; null where a moment does not have it. */
export function currentQuantity(generator: SideGenerator, at: SideMeasurements): number | null {
  switch (generator) {
    case 'quiet_window_60m':
      return Number(at.calm >= QUIET_CALM);
    case 'rain_comfort_60m':
      return at.rain_mm === null ? null : Number(at.rain_mm < DRY_MM);
    case 'movement_friction_60m':
      return at.movement_friction;
    case 'offer_intensity_60m':
      return at.spare_capacity;
    case 'silence_correctness_60m':
      // Whether a silence is right is known only after its hour.
      return null;
  }
}

/** The score of persistence for a side forecast. */
export function sidePersistenceScore(
  generator: SideGenerator,
  then: SideMeasurements | null,
  outcome: number,
): number | null {
  const expected = then && currentQuantity(generator, then);
  return expected === null ? null : sideScore(generator, expected, outcome);
}
