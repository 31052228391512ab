// Fixture forecasts and their reveals, written as the pipeline writes them.

import type { PrimaryState } from '../../../src/domain/atmosphere/primary-state.ts';
import type { ErrorType } from '../../../src/domain/prediction/error-taxonomy.ts';
import {
  type PredictionPayload,
  predictionId,
  predictionKey,
} from '../../../src/domain/prediction/prediction.ts';
import { iso, MINUTE } from '../../../src/domain/time/slot.ts';
import { isWaking } from '../../../src/domain/time/waking-hours.ts';
import { singapore } from '../../../src/domain/time/zones.fixture.ts';
import type { Store } from '../../../src/store/engine/store.ts';
import { readEntries } from '../../../src/store/ledger/entries.ts';
import {
  type Reveal,
  revealedForecast,
  writePredictions,
  writeReveals,
} from '../../../src/store/prediction/predictions.ts';
import { testLedger } from '../stores/test-ledger.ts';

export interface ForecastFixture {
  pocket?: string;
  slot: number;
  generator?: string;
  type?: string;
  horizon?: number;
  state?: PrimaryState;
  calm?: number;
  confidence?: number;
  completeness?: number;
  shadow?: boolean;
  /** The accuracy at the reveal: null is inconclusive, left out is pending. */
  score?: number | null;
  baseline?: number;
  /** Scores of the simple rules; left out where they had nothing to go by. */
  persistence?: number;
  lastWeek?: number;
  error?: ErrorType;
  /** What was observed; by default a calm state. */
  observed?: PrimaryState;
}

function fixturePayload(fixture: ForecastFixture): PredictionPayload {
  const { pocket = 'tiongbahru', slot, horizon = 60, state = 'calm-social', calm = 0.75 } = fixture;
  const { generator = `pocket_projection_${horizon}m`, type = 'other' } = fixture;
  const reveal_at = slot + horizon * MINUTE;
  const sealed = {
    type: 'prediction',
    id: predictionId(pocket, slot, generator),
    pocket_id: pocket,
    generator,
    prediction_key: predictionKey(pocket, type === 'other' ? 'state' : type, reveal_at),
    horizon_minutes: horizon,
    sealed_at: iso(slot),
    reveal_at: iso(reveal_at),
    confidence: fixture.confidence ?? 0.75,
    completeness: fixture.completeness ?? 1,
    shadow: fixture.shadow ?? false,
    substrate: 'simulated',
  } as const;
  return type === 'other'
    ? {
        ...sealed,
        prediction_type: type,
        forecast: { expected_state: state, calm_probability: calm, expected_calm: calm, probabilities: [] },
        baseline: { expected_state: 'lively-social', expected_calm: 0.4 },
        known: { primary_state: 'lively-social', calm: 0.5, rain_mm: 0 },
      }
    : {
        ...sealed,
        prediction_type: type,
        forecast: { expected: calm, filed_under: '3 4' },
        baseline: { expected: 0.5 },
      };
}

/** In the given order, which should be that of the slots; a transaction each. */
export async function writeForecasts(store: Store, all: readonly ForecastFixture[]): Promise<void> {
  let now = 0;
  const ledger = testLedger(() => now);
  for (const fixture of all) {
    now = fixture.slot;
    await store.transaction(async (tx) => {
      const payload = fixturePayload(fixture);
      await writePredictions(tx, ledger, [payload]);
      const leaf = (await ledger.nextLeaf(tx)) - 1;
      if (fixture.score !== undefined) {
        const { payload_hash } = (await readEntries(tx, [leaf]))(leaf);
        const reveal: Reveal = {
          ...revealedForecast({ leaf, payload_hash, payload }),
          revealed_at: Date.parse(payload.reveal_at),
          scores:
            fixture.score === null
              ? null
              : {
                  actual_observation: { primary_state: fixture.observed ?? 'calm-social', calm: 0.7 },
                  accuracy_score: fixture.score,
                  baseline_score: fixture.baseline ?? 0,
                  persistence_score: fixture.persistence ?? null,
                  last_week_score: fixture.lastWeek ?? null,
                  error_type: fixture.error ?? null,
                },
          waking: isWaking(Date.parse(payload.reveal_at), singapore),
        };
        await writeReveals(tx, ledger, [reveal]);
      }
      await ledger.write(tx);
    });
  }
}
