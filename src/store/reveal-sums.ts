import {
  type ForecastSum,
  type Judged,
  type MissSum,
  mergeSums,
  type RevealSums,
  sumReveals,
} from '../domain/forecast-sums.ts';
import { partsOf, type Span, type SpanName, spanKinds, spanNames } from '../domain/spans.ts';
import type { Window } from '../domain/window.ts';
import type { Reader, Transaction, Value } from './store.ts';

/** A reveal as it is written. */
export type Revealed = Omit<Judged, 'mqs'>;

/** Adds reveals to the sums of their hour, day and month. Whoever does so holds the lock of the ledger. */
export async function addReveals(tx: Transaction, reveals: readonly Revealed[]): Promise<void> {
  const qualities = await qualitiesAt(tx, new Set(reveals.map(({ slot }) => slot)));
  const judged = reveals.map((reveal) => ({
    ...reveal,
    mqs: qualities.get(`${reveal.slot} ${reveal.pocket_id}`) ?? null,
  }));
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
    await addParts(tx, span, parts);
  }
}

/** How good the moment was that each forecast was sealed in. */
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

async function addParts(tx: Transaction, span: SpanName, parts: readonly Part[]): Promise<void> {
  const before = new Map<string, Body>();
  for (const start of new Set(parts.map((part) => part.start))) {
    for (const body of await bodies(tx, span, start)) before.set(`${start} ${body.pocket_id}`, body);
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

const bodies = (store: Reader, span: SpanName, start: number): Promise<Body[]> =>
  store.all<Body>('select pocket_id, body from reveal_sums where span = ? and span_start = ?', span, start);

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
