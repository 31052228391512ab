import {
  type Counts,
  type ForecastSum,
  type Judged,
  type MissSum,
  nothing,
  sumReveals,
} from '../domain/forecast-sums.ts';
import { startOfDay, startOfMonth } from '../domain/sgt.ts';
import { partsOf, type Span } from '../domain/spans.ts';
import type { Window } from '../domain/window.ts';
import type { Reader, Transaction, Value } from './store.ts';

const spans = { day: startOfDay, month: (slot: number) => startOfMonth(slot) };
type SpanName = keyof typeof spans;

const counted = Object.keys(nothing) as (keyof Counts)[];
const added = (table: string, columns: readonly string[]) =>
  columns.map((column) => `${column} = ${table}.${column} + excluded.${column}`).join(', ');

const addForecasts = `on conflict (span, span_start, pocket_id, generator, shadow, bucket)
  do update set ${added('forecast_sums', counted)}`;
const addMisses = `on conflict (span, span_start, pocket_id, generator, shadow, eligible, error_type)
  do update set ${added('miss_sums', ['misses'])}`;

/** Counts reveals, in the transaction that writes them. */
export async function addReveals(tx: Transaction, reveals: readonly Omit<Judged, 'mqs'>[]): Promise<void> {
  const qualities = await qualitiesAt(tx, new Set(reveals.map(({ slot }) => slot)));
  const judged = reveals.map((reveal) => ({
    ...reveal,
    mqs: qualities.get(`${reveal.slot} ${reveal.pocket_id}`) ?? null,
  }));
  for (const [span, spanOf] of Object.entries(spans)) {
    const { sums, misses } = sumReveals(judged, spanOf);
    await tx.insert(
      'forecast_sums',
      sums.map((sum) => ({ span, ...sum })),
      addForecasts,
    );
    await tx.insert(
      'miss_sums',
      misses.map((miss) => ({ span, ...miss })),
      addMisses,
    );
  }
}

async function qualitiesAt(store: Reader, slots: ReadonlySet<number>): Promise<Map<string, number>> {
  const qualities = new Map<string, number>();
  for (const slot of slots) {
    const rows = await store.all<{ pocket_id: string; mqs: number }>(
      'select pocket_id, mqs from moments where slot = ?',
      slot,
    );
    for (const { pocket_id, mqs } of rows) qualities.set(`${slot} ${pocket_id}`, mqs);
  }
  return qualities;
}

export interface Tallied {
  sums: ForecastSum[];
  misses: MissSum[];
}

/** What became of the forecasts sealed in a window, of one pocket or of all. Kinds may come more than once. */
export async function tallyReveals(
  store: Reader,
  window: Window,
  pocket: string | undefined,
): Promise<Tallied> {
  const { months, days, ends } = partsOf(window);
  const parts = await Promise.all([
    ...months.map((span) => readSums(store, 'month', span, pocket)),
    ...days.map((span) => readSums(store, 'day', span, pocket)),
    ...ends.map(async (end) => sumReveals(await revealsIn(store, end, pocket), () => 0)),
  ]);
  return { sums: parts.flatMap(({ sums }) => sums), misses: parts.flatMap(({ misses }) => misses) };
}

const inPocket = (column: string, pocket: string | undefined): [clause: string, params: Value[]] =>
  pocket === undefined ? ['', []] : [`and ${column} = ?`, [pocket]];

async function readSums(
  store: Reader,
  name: SpanName,
  { from, to }: Span,
  pocket: string | undefined,
): Promise<Tallied> {
  const [only, params] = inPocket('pocket_id', pocket);
  const where = `span = ? and span_start >= ? and span_start < ? ${only}`;
  const kind = 'pocket_id, generator, prediction_type, shadow';
  const read = <T>(table: string, key: string, columns: readonly string[]) =>
    store.all<T>(
      `select 0 as span_start, ${kind}, ${key}, ${columns.map((column) => `sum(${column}) as ${column}`).join(', ')}
       from ${table} where ${where} group by ${kind}, ${key}`,
      name,
      from,
      to,
      ...params,
    );
  return {
    sums: await read<ForecastSum>('forecast_sums', 'bucket', counted),
    misses: await read<MissSum>('miss_sums', 'eligible, error_type', ['misses']),
  };
}

function revealsIn(store: Reader, { after, until }: Window, pocket: string | undefined): Promise<Judged[]> {
  const [only, params] = inPocket('r.pocket_id', pocket);
  return store.all<Judged>(
    `select r.slot, r.pocket_id, r.generator, r.prediction_type, r.shadow, r.confidence, r.completeness,
       r.accuracy_score, r.baseline_score, r.error_type, m.mqs
     from reveals r left join moments m on m.slot = r.slot and m.pocket_id = r.pocket_id
     where r.slot > ? and r.slot <= ? ${only}`,
    after,
    until,
    ...params,
  );
}
