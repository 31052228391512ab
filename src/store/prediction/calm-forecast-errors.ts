import type { Projection } from '../../domain/prediction/projection.ts';
import type { Window } from '../../domain/time/window.ts';
import type { Reader } from '../engine/store.ts';

export interface CalmForecastError {
  generator: string;
  /** The observed calm minus the expected one. */
  error: number;
}

/** The errors of a pocket's projections that were sealed in a window and are revealed. */
export async function calmForecastErrors(
  store: Reader,
  pocket: string,
  { after, until }: Window,
): Promise<CalmForecastError[]> {
  const rows = await store.all<{ generator: string; payload: string; calm: number }>(
    `select r.generator, e.payload, a.calm from reveals r
     join ledger_entries e on e.leaf = r.prediction_leaf
     join atmosphere_readings a on a.pocket_id = r.pocket_id and a.slot = r.reveal_at
     where r.pocket_id = ? and r.slot > ? and r.slot <= ? and r.prediction_type = 'other'`,
    pocket,
    after,
    until,
  );
  return rows.map(({ generator, payload, calm }) => {
    const { forecast } = JSON.parse(payload) as { forecast: Projection };
    return { generator, error: calm - forecast.expected_calm };
  });
}
