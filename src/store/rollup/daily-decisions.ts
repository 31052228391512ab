// How many lines were published and how many decisions were to stay silent, by day, from the rollups alone.
import type { Decisions } from '../../domain/report/check-history.ts';
import { periodStart } from '../../domain/stats/rollup.ts';
import type { Reader } from '../engine/store.ts';
import { rolledUpTo, sumsOfEach } from './read-rollups.ts';
import { reasonRollup, tierRollup } from './tables.ts';

/**
 * `starts`: of each day and of the one after the last. What is not rolled up yet, some three hours, is left out, and a day
 * begins at a half hour of UTC: no row is counted, however many pockets there are. Where clocks are off by 15 minutes from
 * that, a quarter hour of the night is counted to the other day: nothing is decided then.
 */
export async function dailyDecisions(store: Reader, starts: readonly number[]): Promise<Decisions[]> {
  const settled = (await rolledUpTo(store)) ?? 0;
  const times = starts.map((start) => Math.min(periodStart(start), settled));
  const spans = times.slice(0, -1).map((from, at) => ({ from, to: times[at + 1] ?? from }));
  const [silences, emissions] = await Promise.all([
    sumsOfEach(store, reasonRollup, spans, { by: [], sums: ['silences'] }),
    sumsOfEach(store, tierRollup, spans, { by: [], sums: ['emissions'] }),
  ]);
  return spans.map((_, at) => ({
    spoken: emissions[at]?.[0]?.emissions ?? 0,
    withheld: silences[at]?.[0]?.silences ?? 0,
  }));
}
