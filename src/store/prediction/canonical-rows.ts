// The revealed projections that benchmarks are scored on ("canonical" rows): each with what the service and the naive
// baseline forecast, and what was observed.
import type { PrimaryState } from '../../domain/atmosphere/primary-state.ts';
import type { CanonicalRow } from '../../domain/prediction/benchmark.ts';
import { LONGEST_HORIZON } from '../../domain/prediction/generators/all.ts';
import type { NaiveForecast } from '../../domain/prediction/naive-baseline.ts';
import { HORIZONS, type ProjectionPayload, projectionGenerator } from '../../domain/prediction/prediction.ts';
import type { Reader, Value } from '../engine/store.ts';
import { readEntries } from '../ledger/entries.ts';
import type { LedgerLog } from '../ledger/ledger-log.ts';
import { hours, windowAndDays, withinDays } from '../rows/day-index.ts';
import { inPocket } from './forecast-numbers.ts';
import { dueAt } from './predictions.ts';

const generators = HORIZONS.map((minutes) => `'${projectionGenerator(minutes)}'`).join(', ');

/** The projections that count: of every horizon, without shadows. */
const canonical = `p.generator in (${generators}) and p.shadow = 0`;

/** Rows that are read at once. */
const BATCH = 500;

interface RevealedLeaves {
  sealed: number;
  revealed: number;
}

/** Those revealed for `slot` with a score, in batches unless all are in the ledger's cache. */
export async function* canonicalRowsRevealedAt(
  store: Reader,
  ledger: LedgerLog,
  slot: number,
): AsyncGenerator<CanonicalRow[]> {
  const leaves = await revealedLeaves(store, slot);
  const sealed = ledger.recentlySealed(leaves.map((row) => row.sealed));
  const revealed = ledger.recentlySealed(leaves.map((row) => row.revealed));
  if (sealed && revealed) {
    yield sealed.map(({ payload }, i) =>
      canonicalRow(payload as ProjectionPayload, revealed[i]?.payload as Revealed),
    );
    return;
  }
  for (let at = 0; at < leaves.length; at += BATCH) yield await rowsOf(store, leaves.slice(at, at + BATCH));
}

function revealedLeaves(store: Reader, slot: number): Promise<RevealedLeaves[]> {
  const { where, params } = dueAt(slot);
  return leavesWhere(store, where, ...params);
}

/** Those of a pocket that were sealed at `from` or later, for a time up to `until`. */
export const canonicalRowsOfPocket = async (
  store: Reader,
  pocket: string,
  from: number,
  until: number,
): Promise<CanonicalRow[]> =>
  rowsOf(
    store,
    await leavesWhere(
      store,
      `${inPocket('p')} and ${withinDays('p.slot', hours)} and p.reveal_at <= ?`,
      pocket,
      ...windowAndDays({ after: from - 1, until }, hours),
      until,
    ),
  );

const leavesWhere = (store: Reader, where: string, ...params: Value[]): Promise<RevealedLeaves[]> =>
  store.all<RevealedLeaves>(
    `select p.leaf as sealed, r.leaf as revealed from predictions p
     join reveals r on r.prediction_leaf = p.leaf
     where ${where} and ${canonical} and r.accuracy_score is not null order by p.leaf`,
    ...params,
  );

/** Reads the sealed and the revealed payload from the ledger's text, not from the tables beside it. */
async function rowsOf(store: Reader, leaves: readonly RevealedLeaves[]): Promise<CanonicalRow[]> {
  const entryAt = await readEntries(
    store,
    leaves.flatMap(({ sealed, revealed }) => [sealed, revealed]),
  );
  return leaves.map(({ sealed, revealed }) =>
    canonicalRow(JSON.parse(entryAt(sealed).payload), JSON.parse(entryAt(revealed).payload)),
  );
}

/** The part of a scored reveal that is needed here. */
interface Revealed {
  actual_observation: { primary_state: PrimaryState; calm: number };
}

function canonicalRow(sealed: ProjectionPayload, { actual_observation }: Revealed): CanonicalRow {
  const { pocket_id, horizon_minutes, confidence } = sealed;
  const stateCall = ({ expected_state: state, expected_calm: calm }: NaiveForecast) => ({ state, calm });
  return {
    pocket_id,
    horizon_minutes,
    sealed_at: Date.parse(sealed.sealed_at),
    reveal_at: Date.parse(sealed.reveal_at),
    confidence,
    service: stateCall(sealed.forecast),
    naive: stateCall(sealed.baseline),
    observed: { state: actual_observation.primary_state, calm: actual_observation.calm },
  };
}

/** The earliest reveal time in the window (after, until] of a canonical forecast that is not revealed yet. */
export async function earliestUnrevealed(
  store: Reader,
  after: number,
  until: number,
): Promise<number | null> {
  const row = await store.get<{ earliest: number | null }>(
    `select min(p.reveal_at) as earliest from predictions p
     where p.slot > ? and p.slot < ? and p.reveal_at > ? and p.reveal_at <= ? and ${canonical}
     and not exists (select 1 from reveals r where r.prediction_leaf = p.leaf)`,
    after - LONGEST_HORIZON,
    until,
    after,
    until,
  );
  return row?.earliest ?? null;
}
