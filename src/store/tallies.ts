import type { ClosedGate } from '../domain/decision-lines.ts';
import type { ErrorType } from '../domain/error-taxonomy.ts';
import { summed } from '../domain/tally.ts';
import type { Tier } from '../domain/tier.ts';
import type { Window } from '../domain/window.ts';
import { countOpen } from './prediction-ledger.ts';
import { tallyReveals } from './reveal-sums.ts';
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

/** Forecasts sealed in a window, by generator, and why some missed; those on trial are left out. */
export async function tallyForecasts(
  store: Reader,
  window: Window,
): Promise<{ forecasts: ForecastTally[]; misses: { kind: ErrorType; count: number }[] }> {
  const tried = ({ shadow }: { shadow: number }) => shadow === 0;
  const { sums, misses } = await tallyReveals(store, window, undefined);
  const open = await countOpen(store, { ...window, pocket: undefined, generator: undefined });
  const byGenerator = new Map<string, ForecastTally>();
  const of = (generator: string): ForecastTally => {
    const tally = byGenerator.get(generator) ?? { generator, sealed: 0, revealed: 0, hits: 0 };
    byGenerator.set(generator, tally);
    return tally;
  };
  for (const { generator, count } of open.filter(tried)) of(generator).sealed += count;
  for (const { generator, revealed, scored, hits } of sums.filter(tried)) {
    const tally = of(generator);
    tally.sealed += revealed;
    tally.revealed += scored;
    tally.hits += hits;
  }
  const causes = summed(
    misses.filter(tried),
    ({ error_type }) => error_type,
    ({ misses }) => misses,
  );
  return {
    forecasts: [...byGenerator.values()].sort((a, b) => (a.generator < b.generator ? -1 : 1)),
    misses: causes.map(([kind, count]) => ({ kind: kind as ErrorType, count })),
  };
}
