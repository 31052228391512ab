import { LONGEST_HORIZON } from '../../domain/prediction/generators/all.ts';
import type { Window } from '../../domain/time/window.ts';
import type { Reader } from '../engine/store.ts';
import { hours, windowAndDays, withinDays } from '../rows/day-index.ts';
import { inPocket } from './forecast-numbers.ts';

export interface CalmForecastError {
  generator: string;
  /** The observed calm minus the expected one. */
  error: number;
}

/** The errors of a pocket's projections that were sealed in a window and are revealed. */
export const calmForecastErrors = (
  store: Reader,
  pocket: string,
  { after, until }: Window,
): Promise<CalmForecastError[]> =>
  store.all<CalmForecastError>(
    `select r.generator, a.calm - r.expected_calm as error from revealed_forecasts r
     join atmosphere_readings a on a.slot = r.reveal_at
     where ${inPocket('r')} and a.pocket_id = ? and ${withinDays('a.slot')} and ${withinDays('r.slot', hours)} and r.prediction_type = 'other'`,
    pocket,
    pocket,
    ...windowAndDays({ after, until: until + LONGEST_HORIZON }),
    ...windowAndDays({ after, until }, hours),
  );
