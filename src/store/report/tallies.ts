import type { ClosedGate } from '../../domain/decision/decision-text.ts';
import type { Tier } from '../../domain/decision/tier.ts';
import type { ErrorType } from '../../domain/prediction/error-taxonomy.ts';
import type { PocketCounts } from '../../domain/stats/thirds.ts';
import { DAY, dateOf } from '../../domain/time/sgt.ts';
import type { Window } from '../../domain/time/window.ts';
import type { Reader } from '../engine/store.ts';
import { addendsOf, daySums, kindSums, pocketSums } from './third-sums.ts';

export interface GateTally {
  gate: ClosedGate;
  silences: number;
  /** Of those, as far as they were judged. */
  vindicated: number;
  missed: number;
  unjudged: number;
}

export interface ForecastTally {
  generator: string;
  sealed: number;
  /** Revealed with a score: what was inconclusive has none. */
  revealed: number;
  hits: number;
}

export interface NetworkTally {
  emissions: { tier: Tier; count: number }[];
  gates: GateTally[];
  forecasts: ForecastTally[];
  misses: { kind: ErrorType; count: number }[];
}

/** What was decided and forecast in a window, by kind and then by name; forecasts on trial are left out. */
export async function tallyNetwork(store: Reader, window: Window): Promise<NetworkTally> {
  const { gates, tiers, generators, misses } = await kindSums(
    store,
    await addendsOf(store, window, ['decisions', 'verdicts', 'forecasts']),
  );
  return {
    emissions: byName(tiers).map(([tier, count]) => ({ tier, count })),
    gates: byName(gates).map(gateTally),
    forecasts: byName(generators).map(([generator, [sealed, revealed, hits]]) => {
      return { generator, sealed, revealed, hits };
    }),
    misses: byName(misses).map(([kind, count]) => ({ kind, count })),
  };
}

export interface SilenceTallies {
  pockets: ({ pocket_id: string } & PocketCounts)[];
  gates: GateTally[];
  /** By 'YYYY-MM-DD' in Singapore. */
  days: Map<string, number>;
}

/** The silences of a window: where, why and when. */
export async function tallySilences(store: Reader, window: Window): Promise<SilenceTallies> {
  const addends = await addendsOf(store, window, ['decisions', 'verdicts']);
  const pockets = [...(await pocketSums(store, addends))];
  const { gates } = await kindSums(store, addends);
  const days = [...(await daySums(store, addends, 'SGT'))].map(([day, counts]): [string, number] => {
    const silences = [...counts.values()].reduce((sum, own) => sum + own.silences, 0);
    return [dateOf(day * DAY), silences];
  });
  return {
    pockets: pockets
      .map(([pocket_id, counts]) => ({ pocket_id, ...counts }))
      .filter(({ silences }) => silences > 0),
    gates: byName(gates).map(gateTally),
    days: new Map(days),
  };
}

const gateTally = ([gate, [silences, vindicated, missed, unjudged]]: [
  ClosedGate,
  [number, number, number, number],
]): GateTally => ({ gate, silences, vindicated, missed, unjudged });

const byName = <K extends string, V>(parts: Partial<Record<K, V>>): [K, V][] =>
  (Object.entries(parts) as [K, V][]).sort(([a], [b]) => (a < b ? -1 : 1));
