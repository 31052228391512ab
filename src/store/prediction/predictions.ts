// Seals forecasts and their reveals: a row of figures in the table, and the payload in the ledger.
import { isCalmState } from '../../domain/atmosphere/primary-state.ts';
import { WHOLE_CITY } from '../../domain/city/districts.ts';
import { type ErrorType, errorTypes } from '../../domain/prediction/error-taxonomy.ts';
import type { Scores } from '../../domain/prediction/generator.ts';
import { horizons } from '../../domain/prediction/generators/all.ts';
import {
  isProjection,
  type Observation,
  type PredictionPayload,
  type RevealPayload,
  revealId,
} from '../../domain/prediction/prediction.ts';
import type { Projection } from '../../domain/prediction/projection.ts';
import { iso } from '../../domain/time/slot.ts';
import type { Reader, Transaction, Value } from '../engine/store.ts';
import { toThousandths } from '../engine/thousandths.ts';
import { readEntries } from '../ledger/entries.ts';
import type { LedgerLog } from '../ledger/ledger-log.ts';
import { sealedInDistrict } from '../rows/district-rows.ts';
import { groupTogether, packConfidences } from '../rows/forecast-leaves.ts';
import { packCalms, packScores } from '../rows/packed-scores.ts';
import { numberForecasts } from './forecast-numbers.ts';

/** Seals forecasts: what the view `predictions` shows, and their payloads in the ledger, in one transaction. */
export async function writePredictions(
  tx: Transaction,
  ledger: LedgerLog,
  payloads: readonly PredictionPayload[],
): Promise<void> {
  const sealed = await ledger.append(
    tx,
    'prediction',
    payloads.map((payload) => ({ id: payload.id, payload })),
  );
  const sets = groupTogether(
    payloads.map((payload, i) => ({ leaf: sealed[i]?.leaf ?? -1, payload })),
    ({ payload: { pocket_id, sealed_at, completeness } }) => `${pocket_id} ${sealed_at} ${completeness}`,
  ).map((set) => ({ leaf: set[0]?.leaf ?? -1, forecasts: set.map(({ payload }) => payload) }));
  const numbers = await numberForecasts(
    tx,
    sets.map(({ forecasts }) => forecasts),
  );
  const rows = sets.map(({ leaf, forecasts }, i) => ({
    leaf,
    slot: Date.parse(forecasts[0]?.sealed_at ?? ''),
    confidences: packConfidences(forecasts.map(({ confidence }) => toThousandths(confidence) ?? 0)),
    pocket: numbers[i]?.pocket ?? -1,
    list: numbers[i]?.list ?? -1,
    completeness_milli: toThousandths(forecasts[0]?.completeness ?? null),
  }));
  await tx.insert('forecast_sets', rows);
}

/** Forecasts that are read at once when they are revealed. */
const BATCH = 500;

/** A forecast that is still to be revealed. */
interface DueLeaf {
  slot: number;
  leaf: number;
  reveal_at: number;
}

export interface OpenPrediction extends DueLeaf {
  payload_hash: string;
  payload: PredictionPayload;
}

/** The forecasts of a district that are due at `revealAt` and not revealed yet, in batches unless all are in the ledger's cache. */
export async function* openPredictions(
  store: Reader,
  ledger: LedgerLog,
  revealAt: number,
  district = WHOLE_CITY,
): AsyncGenerator<OpenPrediction[]> {
  const due = await dueLeaves(store, revealAt, district);
  if (!due.length) return;
  const leaves = due.map(({ leaf }) => leaf);
  const recent = ledger.recentlySealed(leaves) as
    | Pick<OpenPrediction, 'payload' | 'payload_hash'>[]
    | undefined;
  if (recent) {
    yield recent.map((sealed, i) => ({ ...(due[i] as DueLeaf), ...sealed }));
    return;
  }
  for (let at = 0; at < due.length; at += BATCH) {
    const batch = due.slice(at, at + BATCH);
    const entryAt = await readEntries(
      store,
      batch.map(({ leaf }) => leaf),
    );
    yield batch.map((row) => {
      const { payload, payload_hash } = entryAt(row.leaf);
      return { ...row, payload: JSON.parse(payload) as PredictionPayload, payload_hash };
    });
  }
}

/** Of forecasts `p` for a time. They were sealed one of a few horizons before it: by the slot an index finds them. */
export const dueAt = (revealAt: number, district = WHOLE_CITY): { where: string; params: Value[] } => {
  const { where, params } = sealedInDistrict(
    horizons.map((horizon) => revealAt - horizon),
    district,
  );
  return { where: `${where} and p.reveal_at = ?`, params: [...params, revealAt] };
};

function dueLeaves(store: Reader, revealAt: number, district: string): Promise<DueLeaf[]> {
  const { where, params } = dueAt(revealAt, district);
  return store.all<DueLeaf>(
    `select p.slot, p.leaf, p.reveal_at from predictions p where ${where}
     and not exists (select 1 from reveals r where r.prediction_leaf = p.leaf) order by p.leaf`,
    ...params,
  );
}

/** An outcome, with what is written of its forecast: a district hands this over, without the rest of the payload. */
export interface Reveal {
  forecast: Pick<OpenPrediction, 'leaf' | 'payload_hash'> & Pick<PredictionPayload, 'id'>;
  /** Of the state; null where something else was forecast. */
  expected: Pick<Projection, 'expected_calm' | 'calm_probability'> | null;
  revealed_at: number;
  /** Null: inconclusive. */
  scores: Scores | null;
  /** Whether the time that was forecast is in waking hours. */
  waking: boolean;
}

/** What a reveal says of its forecast. */
export const revealedForecast = ({
  leaf,
  payload_hash,
  payload,
}: Pick<OpenPrediction, 'leaf' | 'payload_hash' | 'payload'>): Pick<Reveal, 'forecast' | 'expected'> => {
  const state = isProjection(payload) ? payload.forecast : null;
  return {
    forecast: { id: payload.id, leaf, payload_hash },
    expected: state && { expected_calm: state.expected_calm, calm_probability: state.calm_probability },
  };
};

/** Seals reveals. Each names the leaf and hash of its forecast, so that a verifier can match them. */
export async function writeReveals(
  tx: Transaction,
  ledger: LedgerLog,
  reveals: readonly Reveal[],
): Promise<void> {
  const sealed = await ledger.append(
    tx,
    'reveal',
    reveals.map(({ forecast, revealed_at, scores }) => {
      const id = revealId(forecast.id);
      return {
        id,
        payload: {
          type: 'reveal',
          id,
          sealed_leaf: forecast.leaf,
          sealed_hash: forecast.payload_hash,
          revealed_at: iso(revealed_at),
          actual_observation: scores?.actual_observation ?? null,
          accuracy_score: scores?.accuracy_score ?? null,
          baseline_score: scores?.baseline_score ?? null,
          error_type: scores?.error_type ?? null,
        } satisfies RevealPayload,
      };
    }),
  );
  const rows = reveals.map(({ forecast: { leaf }, expected, scores, waking }, i) => ({
    prediction_leaf: leaf,
    scores: packScores({
      accuracy: toThousandths(scores?.accuracy_score ?? null),
      baseline: toThousandths(scores?.baseline_score ?? null),
      persistence: toThousandths(scores?.persistence_score ?? null),
      last_week: toThousandths(scores?.last_week_score ?? null),
      error: scores?.error_type ? errorNumber(scores.error_type) : 0,
      was_calm: expected && wasCalm(scores?.actual_observation),
      waking: waking ? 1 : 0,
    }),
    leaves_later: (sealed[i]?.leaf ?? -1) - leaf,
    calms: packCalms(
      toThousandths(expected?.expected_calm ?? null),
      toThousandths(expected?.calm_probability ?? null),
    ),
  }));
  await tx.insert('reveal_figures', rows);
}

/** As the view `reveals` names it. */
const errorNumber = (type: ErrorType): number => errorTypes.indexOf(type) + 1;

const wasCalm = (observed: Observation | undefined): 0 | 1 | null => {
  if (!observed || !('primary_state' in observed)) return null;
  return isCalmState(observed.primary_state) ? 1 : 0;
};
