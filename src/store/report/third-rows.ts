import type { ClosedGate } from '../../domain/decision/decision-text.ts';
import type { Tier } from '../../domain/decision/tier.ts';
import type { ErrorType } from '../../domain/prediction/error-taxonomy.ts';
import { HORIZONS } from '../../domain/prediction/prediction.ts';
import { HIT } from '../../domain/stats/forecast-sums.ts';
import {
  addCounts,
  addKinds,
  everySubject,
  type KindCounts,
  noKinds,
  nothingCounted,
  type PocketCounts,
  type Subject,
} from '../../domain/stats/thirds.ts';
import { round } from '../../domain/stats/unit-scale.ts';
import { MINUTE } from '../../domain/time/sgt.ts';
import type { Span } from '../../domain/time/spans.ts';
import type { Reader } from '../engine/store.ts';
import { lastRun } from '../runtime/job-runs.ts';

/** What the rows of a span add up to. */
export interface Counted {
  pockets: Map<string, PocketCounts>;
  kinds: KindCounts;
}

interface Counting extends Counted {
  add(pocket: string, counts: Partial<PocketCounts>, kinds?: Partial<KindCounts>): void;
}

/** Counts the rows themselves, of what is wanted. */
export async function countRows(
  store: Reader,
  span: Span,
  wanted: readonly Subject[] = everySubject,
): Promise<Counted> {
  const pockets = new Map<string, PocketCounts>();
  const kinds = noKinds();
  const counting: Counting = {
    pockets,
    kinds,
    add: (pocket, counts, more) => {
      let own = pockets.get(pocket);
      if (!own) {
        own = nothingCounted();
        pockets.set(pocket, own);
      }
      addCounts(own, counts);
      if (more) addKinds(kinds, { ...noKinds(), ...more });
    },
  };
  for (const subject of wanted) await counters[subject](store, span, counting);
  return { pockets, kinds };
}

const counters: Record<Subject, (store: Reader, span: Span, counting: Counting) => Promise<void>> = {
  readings: countReadings,
  decisions: countDecisions,
  verdicts: countVerdicts,
  forecasts: async (store, span, counting) => {
    await countReveals(store, span, counting);
    await countOpen(store, span, counting);
  },
};

type Of<T> = T & { pocket_id: string };

async function countReadings(store: Reader, { from, to }: Span, { add }: Counting): Promise<void> {
  const rows = await store.all<Of<{ readings: number; anomalies: number }>>(
    `select pocket_id, count(*) as readings, sum(anomaly_flag) as anomalies
     from atmosphere_readings where slot >= ? and slot < ? group by pocket_id`,
    from,
    to,
  );
  for (const { pocket_id, ...counts } of rows) add(pocket_id, counts);
}

async function countDecisions(store: Reader, { from, to }: Span, { add }: Counting): Promise<void> {
  const silences = await store.all<Of<{ gate: ClosedGate; silences: number }>>(
    `select pocket_id, gate, count(*) as silences from silences where slot >= ? and slot < ?
     group by pocket_id, gate`,
    from,
    to,
  );
  for (const { pocket_id, gate, silences: count } of silences)
    add(pocket_id, { silences: count }, { gates: { [gate]: [count, 0, 0, 0] } });
  const packages = await store.all<Of<{ tier: Tier; emissions: number }>>(
    `select pocket_id, tier, count(*) as emissions from packages where slot >= ? and slot < ?
     group by pocket_id, tier`,
    from,
    to,
  );
  for (const { pocket_id, tier, emissions } of packages)
    add(pocket_id, { emissions }, { tiers: { [tier]: emissions } });
}

async function countVerdicts(store: Reader, { from, to }: Span, { add }: Counting): Promise<void> {
  const rows = await store.all<
    Of<{ gate: ClosedGate; vindicated: number; missed: number; unjudged: number; minutes: number }>
  >(
    `select pocket_id, gate, coalesce(sum(vindicated), 0) as vindicated,
       coalesce(sum(1 - vindicated), 0) as missed, count(*) - count(vindicated) as unjudged,
       sum(attention_minutes_preserved) as minutes
     from vindications where slot >= ? and slot < ? group by pocket_id, gate`,
    from,
    to,
  );
  for (const { pocket_id, gate, vindicated, missed, unjudged, minutes } of rows) {
    const counts = { vindicated, missed, unjudged, attention_minutes: round(minutes) };
    add(pocket_id, counts, { gates: { [gate]: [0, vindicated, missed, unjudged] } });
  }
}

/** What is revealed within a span was sealed so much earlier at most. */
const FARTHEST = Math.max(...HORIZONS) * MINUTE;

/** In one pass: the forecasts sealed in the span, and those whose hour came in it. */
async function countReveals(store: Reader, { from, to }: Span, { add, kinds }: Counting): Promise<void> {
  const rows = await store.all<
    Of<{
      generator: string;
      revealed: number;
      scored: number;
      hits: number;
      score: number | null;
      due: number;
      due_score: number | null;
    }>
  >(
    `select pocket_id, generator,
       sum(case when sealed = 1 then 1 else 0 end) as revealed,
       sum(case when sealed = 1 and score is not null then 1 else 0 end) as scored,
       sum(case when sealed = 1 and score >= ? then 1 else 0 end) as hits,
       sum(case when sealed = 1 then score end) as score,
       sum(case when due = 1 and score is not null then 1 else 0 end) as due,
       sum(case when due = 1 then score end) as due_score
     from (
       select pocket_id, generator, accuracy_score as score, case when slot >= ? then 1 else 0 end as sealed,
         case when reveal_at >= ? and reveal_at < ? then 1 else 0 end as due
       from reveals where slot >= ? and slot < ? and shadow = 0
     ) as judged group by pocket_id, generator`,
    HIT,
    from,
    from,
    to,
    from - FARTHEST,
    to,
  );
  for (const { pocket_id, generator, revealed, scored, hits, score, due, due_score } of rows) {
    const counts = {
      ...{ sealed: revealed, scored, inconclusive: revealed - scored, score: whole(score) },
      ...{ due, due_score: whole(due_score) },
    };
    add(pocket_id, counts, { generators: revealed ? { [generator]: [revealed, scored, hits] } : {} });
  }
  const misses = await store.all<{ error_type: ErrorType; count: number }>(
    `select error_type, count(*) as count from reveals
     where slot >= ? and slot < ? and shadow = 0 and error_type is not null group by error_type`,
    from,
    to,
  );
  for (const { error_type, count } of misses)
    addKinds(kinds, { ...noKinds(), misses: { [error_type]: count } });
}

/** Scores have three decimals: sums of whole numbers are the same in any order. */
const whole = (score: number | null): number => Math.round((score ?? 0) * 10_000);

/** Sealed in the span and not revealed yet. */
async function countOpen(store: Reader, { from, to }: Span, { add }: Counting): Promise<void> {
  // What is due at a slot is revealed then, or at the next one: nothing older than the last run is open.
  const since = Math.max((await lastRun(store, 'reveal')) ?? 0, from);
  const rows = await store.all<Of<{ generator: string; sealed: number }>>(
    `select pocket_id, generator, count(*) as sealed from predictions p
     where reveal_at >= ? and slot >= ? and slot < ? and shadow = 0
       and not exists (select 1 from reveals r where r.prediction_leaf = p.leaf)
     group by pocket_id, generator`,
    since,
    from,
    to,
  );
  for (const { pocket_id, generator, sealed } of rows)
    add(pocket_id, { sealed }, { generators: { [generator]: [sealed, 0, 0] } });
}
