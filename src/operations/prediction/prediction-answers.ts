// Loading, summary and text that list_predictions (REST) and get_pocket_predictions (a tool) share.

import { forecastValue, observedValue } from '../../domain/narration/stream.ts';
import { generatorNames } from '../../domain/prediction/generators/all.ts';
import { meanFromSum, roundedShare, type Sums, sumRows } from '../../domain/stats/rollup.ts';
import { countText } from '../../domain/text/count-text.ts';
import { iso } from '../../domain/time/slot.ts';
import { namedWindow, slotSpan, type WindowName } from '../../domain/time/window.ts';
import type { Zone } from '../../domain/time/zone.ts';
import { keptWindow, type ToldArchive } from '../../store/ledger/archived.ts';
import {
  countOpenPredictions,
  type LedgerFilter,
  type LedgerPosition,
  type LedgerRow,
  predictionLedger,
  type RevealFilter,
} from '../../store/prediction/prediction-ledger.ts';
import { type ExportedPrediction, exportPredictions } from '../../store/report/exports.ts';
import { readSums } from '../../store/rollup/read-rollups.ts';
import { forecastRollup } from '../../store/rollup/tables.ts';
import { archivedSentence } from '../core/archived-rows.ts';
import type { OperationContext, Table } from '../core/define.ts';
import { cutPage, leafPosition, slotPosition } from '../core/list-options.ts';
import { createTable } from '../core/table.ts';
import type { PredictionEntry } from './prediction-fields.ts';
import { type ProofLinks, proofLinks } from './proof-links.ts';

interface LedgerQuestion {
  pocket_id?: string | undefined;
  generator?: string | undefined;
  since: WindowName;
  revealed: RevealFilter;
  limit: number;
}

/** Callers may write hyphens; names are stored with underscores. */
const storedName = (generator: string): string => generator.replaceAll('-', '_');

const predictionFilter = (
  { pocket_id: pocket, generator, since }: LedgerQuestion,
  now: number,
): LedgerFilter => ({
  ...namedWindow(since, now),
  pocket,
  generator: generator === undefined ? undefined : storedName(generator),
});

const ledgerSums = ['revealed', 'scored', 'hits', 'score'] as const;
type GeneratorSums = { generator: string } & Sums<(typeof ledgerSums)[number]>;

interface LedgerData {
  /** Sums over every reveal that the filter selects, listed or not. */
  sums: GeneratorSums[];
  open: number;
  rows: LinkedRow[];
  /** Null if no other row follows. */
  last: LedgerPosition | null;
  /** Of a question over all time: what is no longer listed. */
  archived: ToldArchive | undefined;
}

/** Of a row in the list of forecasts. */
export const ledgerPosition = { slot: slotPosition, leaf: leafPosition };

/** A row with the addresses of its proof and its page. */
type LinkedRow = LedgerRow & ProofLinks;

export const linkRow =
  (baseUrl: string) =>
  (row: LedgerRow): LinkedRow => ({ ...row, ...proofLinks(baseUrl, row.payload.id) });

export async function loadLedger(
  question: LedgerQuestion,
  { store, now, baseUrl }: OperationContext,
  from?: LedgerPosition,
): Promise<LedgerData> {
  const { revealed, limit } = question;
  const filter = predictionFilter(question, now);
  const { pocket, generator } = filter;
  const { window: listed, archived } = await keptWindow(store, filter);
  const found =
    // No forecast has an unknown generator, and a query for one would scan the whole ledger.
    generator === undefined || generatorNames.includes(generator)
      ? await predictionLedger(store, listed, revealed, limit + 1, from)
      : [];
  const page = cutPage(found, limit);
  const rows = page.rows.map(linkRow(baseUrl));
  const last = page.last && { slot: page.last.slot, leaf: page.last.leaf };
  if (!rows.length && !from) return { sums: [], open: 0, rows, last, archived };
  const sums = { by: ['generator'], sums: ledgerSums, only: { pocket_id: pocket, generator } } as const;
  return {
    sums: revealed === 'pending' ? [] : await readSums(store, forecastRollup, slotSpan(filter), sums),
    open: revealed === 'only' ? 0 : await countOpenPredictions(store, filter),
    rows,
    last,
    archived,
  };
}

export function predictionSummary({ sums, open }: Pick<LedgerData, 'sums' | 'open'>) {
  const revealed = sumRows(sums, 'revealed');
  const scored = sumRows(sums, 'scored');
  return {
    count: revealed + open,
    inconclusive_count: revealed - scored,
    pending_count: open,
    mean_accuracy: meanFromSum(sumRows(sums, 'score'), scored),
    accuracy_by_generator: generatorNames.flatMap((generator) => {
      const own = sums.find((sum) => sum.generator === generator);
      return own ? [{ generator, n: own.scored, accuracy: roundedShare(own.hits, own.scored) }] : [];
    }),
  };
}

type Summary = ReturnType<typeof predictionSummary>;

/** The part of the answer that both have in common. */
export function ledgerAnswer<Since extends WindowName>(data: LedgerData, since: Since) {
  const { mean_accuracy: _overRest, ...summary } = predictionSummary(data);
  return {
    ...summary,
    window: since,
    entries: data.rows.map(toPredictionEntry),
    ...(data.archived && { archived: data.archived }),
  };
}

export const toPredictionEntry = ({
  payload,
  payload_hash,
  reveal,
  proof_url,
}: LinkedRow): PredictionEntry => ({
  id: payload.id,
  pocket_id: payload.pocket_id,
  generator: payload.generator,
  prediction_key: payload.prediction_key,
  sealed_at: payload.sealed_at,
  reveal_at: payload.reveal_at,
  revealed: reveal !== null,
  prediction_payload: payload,
  ...(reveal && { actual_observation: reveal.actual_observation }),
  accuracy_score: reveal?.accuracy_score ?? null,
  payload_hash,
  proof_url,
});

/** How many of the listed forecasts get a sentence of their own in the text. */
const SPOKEN_ENTRIES = 5;

/** A summary: the rows themselves, with their payloads, are in the structured half alone. */
export function speakLedger(
  {
    count,
    inconclusive_count,
    pending_count,
    accuracy_by_generator,
    entries,
    archived,
  }: Omit<Summary, 'mean_accuracy'> & {
    entries: readonly PredictionEntry[];
    archived?: ToldArchive | undefined;
  },
  zone: Zone,
): string[] {
  const scored = accuracy_by_generator.filter(({ n }) => n > 0);
  const accuracy = scored.map(({ generator, n, accuracy }) => `${generator} ${accuracy} of ${n}`).join(', ');
  return [
    `${countText(count, 'forecast')}, ${entries.length} listed; ${pending_count} pending, ${inconclusive_count} inconclusive.`,
    scored.length ? `share that came true: ${accuracy}.` : 'none has been scored yet.',
    ...archivedSentence(archived),
    ...(entries.length ? ['the newest:'] : []),
    ...entries.slice(0, SPOKEN_ENTRIES).map((entry) => predictionSentence(entry, zone)),
    ...entries.slice(0, 1).map(checkableText),
  ];
}

/** A payload is under one kilobyte; a longer one would leave no room for the rest of the text. */
const MAX_PAYLOAD = 1536;

/** What somebody needs who does not trust the service. The payload was parsed from its canonical text: this is that text. */
function checkableText({ id, payload_hash, proof_url, prediction_payload }: PredictionEntry): string {
  const canonical = JSON.stringify(prediction_payload);
  const sealed =
    canonical.length > MAX_PAYLOAD || canonical.includes("'")
      ? 'the sealed text that is there too'
      : `its sealed text: '${canonical}'`;
  return `the newest, '${id}', can be checked: its inclusion proof and a signed checkpoint are at ${proof_url} and its payload_hash, ${payload_hash}, is the sha-256 of ${sealed}.`;
}

function predictionSentence(
  { pocket_id, generator, reveal_at, prediction_payload, ...entry }: PredictionEntry,
  zone: Zone,
): string {
  const { forecast, confidence } = prediction_payload;
  const outcome = !entry.revealed
    ? 'pending'
    : entry.accuracy_score === null
      ? 'inconclusive'
      : `accuracy ${entry.accuracy_score}`;
  return `${pocket_id} ${generator} for ${zone.clockWithZone(Date.parse(reveal_at))}: ${forecastValue(forecast)}, confidence ${confidence}; ${outcome}.`;
}

/** Every forecast that the question selects. `expected` and `actual` are a state, or a chance or level. */
export const ledgerTable = (question: LedgerQuestion, { store, now }: OperationContext): Table =>
  createTable('predictions', exportPredictions(store, predictionFilter(question, now), question.revealed), {
    id: ({ payload }) => payload.id,
    pocket_id: ({ payload }) => payload.pocket_id,
    generator: ({ payload }) => payload.generator,
    prediction_type: ({ payload }) => payload.prediction_type,
    prediction_key: ({ payload }) => payload.prediction_key,
    horizon_minutes: ({ payload }) => payload.horizon_minutes,
    sealed_at: ({ payload }) => payload.sealed_at,
    reveal_at: ({ payload }) => payload.reveal_at,
    written_at: ({ payload }) => payload.written_at,
    backfilled: ({ payload }) => payload.backfilled === true,
    confidence: ({ payload }) => payload.confidence,
    completeness: ({ payload }) => payload.completeness,
    shadow: ({ payload }) => payload.shadow,
    expected: ({ payload }) => forecastValue(payload.forecast),
    baseline_expected: ({ payload }) => forecastValue(payload.baseline),
    revealed: isRevealed,
    revealed_at: ({ revealed_at }) => (revealed_at === null ? null : iso(revealed_at)),
    actual: ({ actual_observation }) =>
      actual_observation === null ? null : observedValue(actual_observation),
    accuracy_score: ({ accuracy_score }) => accuracy_score,
    baseline_score: ({ baseline_score }) => baseline_score,
    persistence_score: ({ persistence_score }) => persistence_score,
    last_week_score: ({ last_week_score }) => last_week_score,
    error_type: ({ error_type }) => error_type,
    payload_hash: ({ payload_hash }) => payload_hash,
  });

const isRevealed = ({ revealed_at }: ExportedPrediction): boolean => revealed_at !== null;
