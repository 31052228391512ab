// Seals forecasts and their reveals: a row in the table, and the payload in the ledger.
import { isCalmState } from '../../domain/atmosphere/primary-state.ts';
import type { Scores } from '../../domain/prediction/generator.ts';
import { horizons } from '../../domain/prediction/generators/all.ts';
import {
  isProjection,
  type Observation,
  type PredictionPayload,
  type RevealPayload,
  revealId,
  revealTime,
} from '../../domain/prediction/prediction.ts';
import { iso } from '../../domain/time/slot.ts';
import type { Reader, Transaction } from '../engine/store.ts';
import { readEntries } from '../ledger/entries.ts';
import type { LedgerLog } from '../ledger/ledger-log.ts';

/** Seals forecasts: a row in `predictions` and its payload in the ledger, in one transaction. */
export async function writePredictions(
  tx: Transaction,
  ledger: LedgerLog,
  slot: number,
  payloads: readonly PredictionPayload[],
): Promise<void> {
  const sealed = await ledger.append(
    tx,
    'prediction',
    payloads.map((payload) => ({ id: payload.id, payload })),
  );
  const rows = payloads.map((payload, i) => ({
    leaf: sealed[i]?.leaf ?? -1,
    slot,
    pocket_id: payload.pocket_id,
    generator: payload.generator,
    prediction_type: payload.prediction_type,
    reveal_at: revealTime(slot, payload.horizon_minutes),
    confidence: payload.confidence,
    completeness: payload.completeness,
    shadow: payload.shadow ? 1 : 0,
  }));
  await tx.insert('predictions', rows);
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

/** The forecasts that are due at `revealAt` and not revealed yet, in batches unless all are in the ledger's cache. */
export async function* openPredictions(
  store: Reader,
  ledger: LedgerLog,
  revealAt: number,
): AsyncGenerator<OpenPrediction[]> {
  const due = await dueLeaves(store, revealAt);
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
export const dueAt = (revealAt: number): { where: string; params: number[] } => ({
  where: `p.slot in (${horizons.map(() => '?').join(', ')}) and p.reveal_at = ?`,
  params: [...horizons.map((horizon) => revealAt - horizon), revealAt],
});

function dueLeaves(store: Reader, revealAt: number): Promise<DueLeaf[]> {
  const { where, params } = dueAt(revealAt);
  return store.all<DueLeaf>(
    `select p.slot, p.leaf, p.reveal_at from predictions p where ${where}
     and not exists (select 1 from reveals r where r.prediction_leaf = p.leaf) order by p.leaf`,
    ...params,
  );
}

export interface Reveal {
  open: OpenPrediction;
  /** Null: inconclusive. */
  scores: Scores | null;
  /** Whether the time that was forecast is in waking hours. */
  waking: boolean;
}

/** Seals reveals. Each names the leaf and hash of its forecast, so that a verifier can match them. */
export async function writeReveals(
  tx: Transaction,
  ledger: LedgerLog,
  now: number,
  reveals: readonly Reveal[],
): Promise<void> {
  const sealed = await ledger.append(
    tx,
    'reveal',
    reveals.map(({ open, scores }) => {
      const id = revealId(open.payload.id);
      return {
        id,
        payload: {
          type: 'reveal',
          id,
          sealed_leaf: open.leaf,
          sealed_hash: open.payload_hash,
          revealed_at: iso(now),
          actual_observation: scores?.actual_observation ?? null,
          accuracy_score: scores?.accuracy_score ?? null,
          baseline_score: scores?.baseline_score ?? null,
          error_type: scores?.error_type ?? null,
        } satisfies RevealPayload,
      };
    }),
  );
  const rows = reveals.map(({ open: { leaf, payload }, scores, waking }, i) => ({
    prediction_leaf: leaf,
    waking: waking ? 1 : 0,
    expected_calm: isProjection(payload) ? payload.forecast.expected_calm : null,
    calm_probability: isProjection(payload) ? payload.forecast.calm_probability : null,
    was_calm: isProjection(payload) ? wasCalm(scores?.actual_observation) : null,
    accuracy_score: scores?.accuracy_score ?? null,
    baseline_score: scores?.baseline_score ?? null,
    persistence_score: scores?.persistence_score ?? null,
    last_week_score: scores?.last_week_score ?? null,
    error_type: scores?.error_type ?? null,
    leaf: sealed[i]?.leaf ?? -1,
  }));
  await tx.insert('reveals', rows);
}

const wasCalm = (observed: Observation | undefined): number | null =>
  observed && 'primary_state' in observed ? Number(isCalmState(observed.primary_state)) : null;
