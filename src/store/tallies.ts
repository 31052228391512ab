import type { ClosedGate } from '../domain/decision-lines.ts';
import type { Tier } from '../domain/tier.ts';
import type { Window } from '../domain/window.ts';
import type { Reader } from './store.ts';

export interface SilenceTally {
  pocket_id: string;
  gate: ClosedGate;
  /** Days since the epoch, in Singapore. */
  day: number;
  count: number;
}

/** Silences by pocket, gate and day. Eight hours stand in the text: a parameter would make the division inexact. */
export const tallySilences = (store: Reader, { after, until }: Window): Promise<SilenceTally[]> =>
  store.all<SilenceTally>(
    `select pocket_id, gate, (slot + 28800000) / 86400000 as day, count(*) as count
     from silences where slot > ? and slot <= ? group by pocket_id, gate, day`,
    after,
    until,
  );

export interface VerdictTally {
  pocket_id: string;
  gate: ClosedGate;
  vindicated: 0 | 1 | null;
  count: number;
  minutes: number;
}

/** What became of the silences of a window, as far as is known. */
export const tallyVerdicts = (store: Reader, { after, until }: Window): Promise<VerdictTally[]> =>
  store.all<VerdictTally>(
    `select pocket_id, gate, vindicated, count(*) as count, sum(attention_minutes_preserved) as minutes
     from vindications where slot > ? and slot <= ? group by pocket_id, gate, vindicated`,
    after,
    until,
  );

export const tallyEmissions = (
  store: Reader,
  { after, until }: Window,
): Promise<{ tier: Tier; count: number }[]> =>
  store.all(
    'select tier, count(*) as count from packages where slot > ? and slot <= ? group by tier order by tier',
    after,
    until,
  );

export interface ForecastTally {
  generator: string;
  sealed: number;
  /** Revealed with a score: what was inconclusive has none. */
  revealed: number;
  hits: number;
}

/** Forecasts sealed in a window, by generator, without those on trial. A hit has an accuracy of at least a half. */
export const tallyForecasts = (store: Reader, { after, until }: Window): Promise<ForecastTally[]> =>
  store.all<ForecastTally>(
    `select p.generator, count(*) as sealed, count(r.accuracy_score) as revealed,
       coalesce(sum(case when r.accuracy_score >= 0.5 then 1 else 0 end), 0) as hits
     from predictions p left join reveals r on r.prediction_leaf = p.leaf
     where p.slot > ? and p.slot <= ? and p.shadow = 0 group by p.generator order by p.generator`,
    after,
    until,
  );

/** Why forecasts of a window missed. */
export const tallyMisses = (
  store: Reader,
  { after, until }: Window,
): Promise<{ kind: string; count: number }[]> =>
  store.all(
    `select error_type as kind, count(*) as count from reveals
     where slot > ? and slot <= ? and shadow = 0 and error_type is not null
     group by error_type order by count(*) desc, error_type`,
    after,
    until,
  );
