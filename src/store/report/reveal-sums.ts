import {
  type ForecastSum,
  type Judged,
  type MissSum,
  mergeSums,
  type RevealSums,
  sumReveals,
} from '../../domain/stats/forecast-sums.ts';
import { partsOf, type Span, type SpanName, spanKinds, spanNames } from '../../domain/time/spans.ts';
import type { Window } from '../../domain/time/window.ts';
import { inClause, inClauseChunks } from '../engine/in-clause-chunks.ts';
import type { Reader, Transaction, Value } from '../engine/store.ts';

/** A reveal as it is written. */
export type Revealed = Omit<Judged, 'mqs'>;

/**
 * Adds reveals to the sums of their hour, day and month, of so many pockets at once. Whoever does so holds the lock of
 * the ledger.
 */
export async function addReveals(tx: Transaction, reveals: readonly Revealed[], atOnce = 500): Promise<void> {
  const qualities = await qualitiesAt(tx, new Set(reveals.map(({ slot }) => slot)));
  const pockets = [...Map.groupBy(reveals, ({ pocket_id }) => pocket_id)];
  for (let at = 0; at < pockets.length; at += atOnce) {
    const some = pockets.slice(at, at + atOnce);
    const judged = some.flatMap(([pocket_id, own]) =>
      own.map((reveal) => ({ ...reveal, mqs: qualities.get(`${reveal.slot} ${pocket_id}`) ?? null })),
    );
    const whose = some.length < pockets.length ? some.map(([pocket_id]) => pocket_id) : null;
    await addJudged(tx, judged, whose);
  }
}

async function addJudged(tx: Transaction, judged: readonly Judged[], whose: string[] | null): Promise<void> {
  let parts: Part[] = [...Map.groupBy(judged, ({ slot }) => spanKinds.hour.startOf(slot))].flatMap(
    ([start, within]) =>
      [...Map.groupBy(within, ({ pocket_id }) => pocket_id)].map(([pocket_id, rows]) => ({
        start,
        pocket_id,
        tally: sumReveals(rows),
      })),
  );
  // What was added up for an hour need not be added up again for its day, nor for its month.
  for (const span of spanNames.toReversed()) {
    parts = joined(parts, spanKinds[span].startOf);
    await addParts(tx, span, parts, whose);
  }
}

/** The forecasts that a tick reveals were sealed at a few slots, those of a day of history at a hundred. */
const FEW = 12;

/** How good the moment was that each forecast was sealed in. */
async function qualitiesAt(store: Reader, slots: ReadonlySet<number>): Promise<Map<string, number>> {
  const qualities = new Map<string, number>();
  const read = async (where: string, ...params: number[]) => {
    const rows = await store.all<{ slot: number; pocket_id: string; mqs: number }>(
      `select slot, pocket_id, mqs from moments where ${where}`,
      ...params,
    );
    for (const { slot, pocket_id, mqs } of rows) qualities.set(`${slot} ${pocket_id}`, mqs);
  };
  if (slots.size > FEW)
    for (const some of inClauseChunks([...slots])) await read(`slot in (${inClause})`, ...some);
  else for (const slot of slots) await read('slot = ?', slot);
  return qualities;
}

interface Part {
  start: number;
  pocket_id: string;
  tally: RevealSums;
}

function joined(parts: readonly Part[], startOf: (slot: number) => number): Part[] {
  const groups = Map.groupBy(parts, ({ start, pocket_id }) => `${startOf(start)} ${pocket_id}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { pocket_id } = first;
    const start = startOf(first.start);
    const tally = group.length > 1 ? mergeSums(group.map(({ tally }) => tally)) : first.tally;
    return [{ start, pocket_id, tally }];
  });
}

async function addParts(
  tx: Transaction,
  span: SpanName,
  parts: readonly Part[],
  whose: string[] | null,
): Promise<void> {
  const before = new Map<string, Body>();
  for (const start of new Set(parts.map((part) => part.start))) {
    for (const body of await bodies(tx, span, start, whose)) before.set(`${start} ${body.pocket_id}`, body);
  }
  const rows = parts.map(({ start, pocket_id, tally }) => {
    const known = before.get(`${start} ${pocket_id}`);
    const body = written(known ? mergeSums([read(known), tally]) : tally);
    return { span, span_start: start, pocket_id, body };
  });
  const replaced = 'on conflict (span, span_start, pocket_id) do update set body = excluded.body';
  await tx.insert('reveal_sums', rows, replaced);
}

interface Body {
  pocket_id: string;
  body: string;
}

/** Of the pockets named, or of all. */
async function bodies(
  store: Reader,
  span: SpanName,
  start: number,
  whose: readonly string[] | null,
): Promise<Body[]> {
  const all = 'select pocket_id, body from reveal_sums where span = ? and span_start = ?';
  if (!whose) return store.all<Body>(all, span, start);
  const found: Body[] = [];
  for (const some of inClauseChunks(whose))
    found.push(...(await store.all<Body>(`${all} and pocket_id in (${inClause})`, span, start, ...some)));
  return found;
}

/** What became of the forecasts sealed in a window, of one pocket or of all. A kind may come more than once. */
export async function tallyReveals(
  store: Reader,
  window: Window,
  pocket: string | undefined,
): Promise<RevealSums> {
  const parts = partsOf(window);
  const tallies: RevealSums[] = [];
  for (const name of spanNames) {
    for (const span of parts[name]) {
      for (const body of await bodiesWithin(store, name, span, pocket)) tallies.push(read(body));
    }
  }
  for (const span of parts.slots) tallies.push(sumReveals(await judgedWithin(store, span, pocket)));
  return { sums: tallies.flatMap(({ sums }) => sums), misses: tallies.flatMap(({ misses }) => misses) };
}

const inPocket = (column: string, pocket: string | undefined): [clause: string, params: Value[]] =>
  pocket === undefined ? ['', []] : [`and ${column} = ?`, [pocket]];

function bodiesWithin(store: Reader, name: SpanName, { from, to }: Span, pocket: string | undefined) {
  const [only, params] = inPocket('pocket_id', pocket);
  return store.all<Body>(
    `select pocket_id, body from reveal_sums where span = ? and span_start >= ? and span_start < ? ${only}`,
    name,
    from,
    to,
    ...params,
  );
}

function judgedWithin(store: Reader, { from, to }: Span, pocket: string | undefined): Promise<Judged[]> {
  const [only, params] = inPocket('r.pocket_id', pocket);
  return store.all<Judged>(
    `select r.slot, r.pocket_id, r.generator, r.prediction_type, r.shadow, r.confidence, r.completeness,
       r.accuracy_score, r.baseline_score, r.error_type, m.mqs
     from reveals r left join moments m on m.slot = r.slot and m.pocket_id = r.pocket_id
     where r.slot >= ? and r.slot < ? ${only}`,
    from,
    to,
    ...params,
  );
}

type Values<T, K extends readonly (keyof T)[]> = { -readonly [I in keyof K]: T[K[I]] };
const sumFields = [
  ...(['generator', 'prediction_type', 'shadow', 'bucket', 'revealed', 'scored', 'hits'] as const),
  ...(['baseline_hits', 'score', 'confidence', 'mqs', 'mqs_hits'] as const),
] as const;
const missFields = ['generator', 'prediction_type', 'shadow', 'eligible', 'error_type', 'misses'] as const;
type Written = [sums: Values<ForecastSum, typeof sumFields>[], misses: Values<MissSum, typeof missFields>[]];

/** Rows of values without their names: a body is read hundreds of times for one answer. */
const written = ({ sums, misses }: RevealSums): string =>
  JSON.stringify([
    sums.map((sum) => sumFields.map((field) => sum[field])),
    misses.map((miss) => missFields.map((field) => miss[field])),
  ]);

function read({ pocket_id, body }: Body): RevealSums {
  const [sums, misses] = JSON.parse(body) as Written;
  return {
    sums: sums.map(
      ([
        generator,
        prediction_type,
        shadow,
        bucket,
        revealed,
        scored,
        hits,
        baseline_hits,
        score,
        confidence,
        mqs,
        mqs_hits,
      ]) => ({
        pocket_id,
        generator,
        prediction_type,
        shadow,
        bucket,
        revealed,
        scored,
        hits,
        baseline_hits,
        score,
        confidence,
        mqs,
        mqs_hits,
      }),
    ),
    misses: misses.map(([generator, prediction_type, shadow, eligible, error_type, misses]) => ({
      pocket_id,
      generator,
      prediction_type,
      shadow,
      eligible,
      error_type,
      misses,
    })),
  };
}
