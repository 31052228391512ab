// What a report of accuracy is made from: all sums by generator, and those that a table of pockets shows by pocket. By
// both keys there would be a row for each generator of each pocket, and every figure adds most of them up again.
import { type CalmRow, calmSums } from '../../domain/prediction/calm-reliability.ts';
import {
  type AccuracyRow,
  accuracySums,
  type ForecastKey,
  groupSums,
  type PocketAccuracyRow,
} from '../../domain/prediction/forecast-sums.ts';
import type { Span } from '../../domain/time/window.ts';
import type { Reader } from '../engine/store.ts';
import { readSums, sumsByOrigin } from './read-rollups.ts';
import { calmRollup, forecastRollup } from './tables.ts';

/** Which forecasts are counted; what is undefined may have any value. */
export interface AccuracyFilter {
  pocket_id: string | undefined;
  prediction_type: ForecastKey['prediction_type'] | undefined;
  include_shadow: boolean;
}

export async function forecastAccuracy(
  store: Reader,
  span: Span,
  { include_shadow, ...filter }: AccuracyFilter,
): Promise<{ rows: AccuracyRow[]; pockets: PocketAccuracyRow[]; calm: CalmRow[] }> {
  const shadow = include_shadow ? undefined : 0;
  const only = { ...filter, shadow };
  // Those totals are of all pockets: a single one has few forecasts in a tenth.
  const hasCalm = filter.pocket_id === undefined && (filter.prediction_type ?? 'other') === 'other';
  return {
    rows: await sumsByOrigin(store, forecastRollup, span, {
      by: ['generator', 'prediction_type'],
      sums: accuracySums,
      only,
    }),
    pockets: await readSums(store, forecastRollup, span, { by: ['pocket_id'], sums: groupSums, only }),
    calm: hasCalm
      ? await readSums(store, calmRollup, span, {
          by: ['generator', 'waking', 'tenth'],
          sums: calmSums,
          only: { shadow },
        })
      : [],
  };
}
