// Whole ledgers for CSV exports, read in batches.
import type { SilencePayload } from '../../domain/decision/silence.ts';
import type { Observation, PredictionPayload, RevealPayload } from '../../domain/prediction/prediction.ts';
import type { Sealed } from '../../domain/prediction/written.ts';
import { DAY, HOUR } from '../../domain/time/slot.ts';
import type { Window } from '../../domain/time/window.ts';
import {
  type VindicationFilter,
  type VindicationRow,
  vindicationLedger,
} from '../decision/vindication-ledger.ts';
import type { Reader } from '../engine/store.ts';
import { rowsKeptFrom } from '../ledger/archived.ts';
import { readEntries } from '../ledger/entries.ts';
import {
  type PublicEvent,
  recentSustainabilityEvents,
  type SustainabilityFilter,
} from '../merchant/sustainability.ts';
import { inPocket } from '../prediction/forecast-numbers.ts';
import type { LedgerFilter, RevealFilter } from '../prediction/prediction-ledger.ts';
import { byDay, hours, windowAndDays, withinDays } from '../rows/day-index.ts';

/**
 * Rows from the newest to the oldest, a few hundred at a time: the next batch is read only when the consumer asks for
 * it, so that memory does not grow with the length of the ledger.
 */
export type Batches<Row> = AsyncGenerator<Row[], void, undefined>;

/** The length of a batch's window, for one pocket or for all: chosen so that it has a few hundred rows. */
const batchLength = (pocket: string | undefined, one: number, all: number) =>
  pocket === undefined ? all : one;
const NO_LIMIT = 1_000_000;

async function* newestFirst<Row>(
  { after, until }: Window,
  readFirst: ReadFirst,
  length: number,
  read: (window: Window) => Promise<Row[]>,
): Batches<Row> {
  const firstSlot = (await readFirst())?.slot ?? null;
  if (firstSlot === null) return;
  const end = Math.max(after, firstSlot - 1);
  for (let to = until; to > end; to -= length) {
    const rows = await read({ after: Math.max(end, to - length), until: to });
    if (rows.length) yield rows;
  }
}

type ReadFirst = () => Promise<{ slot: number | null } | undefined>;
const firstSlotReader =
  (store: Reader, table: 'silences' | 'sustainability_events'): ReadFirst =>
  () =>
    store.get(`select min(slot) as slot from ${table}`);
/** Leaves are numbered in the order of sealing, so the first leaf has the first slot. */
const firstForecast =
  (store: Reader): ReadFirst =>
  () =>
    store.get('select slot from forecast_sets order by leaf limit 1');
/** Not before the time from which on the rows of sealed entries are all there. */
const firstKept =
  (store: Reader, readFirst: ReadFirst): ReadFirst =>
  async () => {
    const slot = (await readFirst())?.slot ?? null;
    return { slot: slot === null ? null : Math.max(slot, await rowsKeptFrom(store)) };
  };

export interface ExportedPrediction {
  payload: Sealed<PredictionPayload>;
  payload_hash: string;
  /** All null while it is pending. */
  revealed_at: number | null;
  accuracy_score: number | null;
  baseline_score: number | null;
  persistence_score: number | null;
  last_week_score: number | null;
  error_type: string | null;
  actual_observation: Observation | null;
}

export const exportPredictions = (
  store: Reader,
  { pocket, generator, ...window }: LedgerFilter,
  revealed: RevealFilter,
): Batches<ExportedPrediction> =>
  newestFirst(window, firstKept(store, firstForecast(store)), batchLength(pocket, DAY, HOUR), (part) =>
    predictionsWithin(store, { ...part, pocket, generator }, revealed),
  );

const revealConditions: Record<RevealFilter, string> = {
  both: '',
  only: 'and r.prediction_leaf is not null',
  pending: 'and r.prediction_leaf is null',
};

interface PredictionRow
  extends Omit<ExportedPrediction, 'payload' | 'payload_hash' | 'revealed_at' | 'actual_observation'> {
  leaf: number;
  reveal_leaf: number | null;
}

async function predictionsWithin(
  store: Reader,
  { pocket, generator, ...window }: LedgerFilter,
  revealed: RevealFilter,
): Promise<ExportedPrediction[]> {
  const named = [
    ...(pocket === undefined ? [] : [{ only: inPocket('p'), value: pocket }]),
    ...(generator === undefined ? [] : [{ only: 'p.generator = ?', value: generator }]),
  ];
  const rows = await store.all<PredictionRow>(
    `select p.leaf, r.leaf as reveal_leaf, r.accuracy_score, r.baseline_score,
       r.persistence_score, r.last_week_score, r.error_type
     from predictions p
     left join reveals r on r.prediction_leaf = p.leaf
     where ${withinDays('p.slot', hours)} ${named.map(({ only }) => `and ${only}`).join(' ')}
       ${revealConditions[revealed]} order by p.leaf desc`,
    ...windowAndDays(window, hours),
    ...named.map(({ value }) => value),
  );
  const entryAt = await readEntries(
    store,
    rows.flatMap(({ leaf, reveal_leaf }) => (reveal_leaf === null ? [leaf] : [leaf, reveal_leaf])),
  );
  return rows.map(({ leaf, reveal_leaf, ...row }) => {
    const reveal = reveal_leaf === null ? null : (JSON.parse(entryAt(reveal_leaf).payload) as RevealPayload);
    return {
      ...row,
      payload: JSON.parse(entryAt(leaf).payload),
      payload_hash: entryAt(leaf).payload_hash,
      revealed_at: reveal && Date.parse(reveal.revealed_at),
      actual_observation: reveal?.actual_observation ?? null,
    };
  });
}

export interface ExportedSilence {
  payload: Sealed<SilencePayload>;
  payload_hash: string;
}

/** The silences of a pocket. */
export const exportSilences = (store: Reader, pocket: string, window: Window): Batches<ExportedSilence> =>
  newestFirst(window, firstKept(store, firstSlotReader(store, 'silences')), 4 * DAY, async (part) => {
    const rows = await store.all<{ leaf: number }>(
      `select s.leaf from silences s
       where s.pocket_id = ? and ${withinDays('s.slot')} order by ${byDay('desc', 's.')}`,
      pocket,
      ...windowAndDays(part),
    );
    const leaves = rows.map(({ leaf }) => leaf);
    return leaves
      .map(await readEntries(store, leaves))
      .map(({ payload, payload_hash }) => ({ payload: JSON.parse(payload), payload_hash }));
  });

/** Silences with their verdicts. */
export const exportVindications = (store: Reader, filter: VindicationFilter): Batches<VindicationRow> =>
  newestFirst(
    filter,
    firstKept(store, firstSlotReader(store, 'silences')),
    batchLength(filter.pocket, 4 * DAY, 6 * HOUR),
    (part) => vindicationLedger(store, { ...filter, ...part }, NO_LIMIT),
  );

export const exportSustainability = (store: Reader, filter: SustainabilityFilter): Batches<PublicEvent> =>
  newestFirst(filter, firstSlotReader(store, 'sustainability_events'), 3 * DAY, (part) =>
    recentSustainabilityEvents(store, { ...filter, ...part, limit: NO_LIMIT }),
  );
