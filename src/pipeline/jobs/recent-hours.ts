// What the equilibrium and the live stories need to know of each pocket's last hours.
import { FELT_HOURS, JUDGED_HOURS, type RecentHours } from '../../domain/decision/equilibrium.ts';
import { UNIT } from '../../domain/stats/rollup.ts';
import { HOUR } from '../../domain/time/sgt.ts';
import { lastHours, spanOf } from '../../domain/time/window.ts';
import { calmHalfHours, sensedHalfHours } from '../../store/observation/recent-hours.ts';
import { sumsOf } from '../../store/rollup/read-rollups.ts';
import { forecastRollup, pocketRollup } from '../../store/rollup/tables.ts';
import type { JobContext } from '../core/context.ts';

type ByPocket<T> = (pocket: string) => T;

/** The words that people chose in each pocket over the last hours. */
export async function recentSenses({
  tx,
  slot,
}: Pick<JobContext, 'tx' | 'slot'>): Promise<ByPocket<RecentHours['senses']>> {
  const rows = await sensedHalfHours(tx, lastHours(FELT_HOURS, slot));
  const senses = Map.groupBy(rows, ({ pocket_id }) => pocket_id);
  return (pocket) => senses.get(pocket) ?? [];
}

/** Silences, forecasts and packages are judged by the hour that follows them. */
const JUDGED_AFTER = HOUR;
const HOURLY = 'pocket_projection_60m';

/** What the equilibrium of each pocket is made from. */
export async function recentHours(tick: Pick<JobContext, 'tx' | 'slot'>): Promise<ByPocket<RecentHours>> {
  const { tx, slot } = tick;
  const senses = await recentSenses(tick);
  const calm = Map.groupBy(
    await calmHalfHours(tx, lastHours(FELT_HOURS, slot)),
    ({ pocket_id }) => pocket_id,
  );
  const judgedSpan = spanOf(lastHours(JUDGED_HOURS, slot - JUDGED_AFTER));
  const judged = await sumsOf(tx, pocketRollup, judgedSpan, {
    by: ['pocket_id'],
    sums: ['vindicated', 'missed', 'readings_after', 'calm_after'],
  });
  const forecasts = await sumsOf(tx, forecastRollup, judgedSpan, {
    by: ['pocket_id'],
    sums: ['scored', 'hits'],
    only: { generator: HOURLY, shadow: 0 },
  });
  const settled = await sumsOf(tx, pocketRollup, spanOf(lastHours(JUDGED_HOURS, slot)), {
    by: ['pocket_id'],
    sums: ['idle_hours', 'reclaimed_hours'],
  });
  const [judgedIn, forecastsIn, settledIn] = [byPocket(judged), byPocket(forecasts), byPocket(settled)];
  return (pocket) => {
    const felt = calm.get(pocket) ?? [];
    const { vindicated = 0, missed = 0, readings_after = 0, calm_after = 0 } = judgedIn.get(pocket) ?? {};
    const { scored = 0, hits = 0 } = forecastsIn.get(pocket) ?? {};
    const { idle_hours = 0, reclaimed_hours = 0 } = settledIn.get(pocket) ?? {};
    return {
      readings: felt.reduce((sum, { readings }) => sum + readings, 0),
      calm: felt.reduce((sum, half) => sum + half.calm, 0),
      senses: senses(pocket),
      judged: vindicated + missed,
      vindicated,
      revealed: scored,
      hits,
      after: readings_after,
      held: calm_after,
      idle: idle_hours / UNIT,
      reclaimed: reclaimed_hours / UNIT,
    };
  };
}

const byPocket = <T extends { pocket_id: string }>(rows: readonly T[]): Map<string, T> =>
  new Map(rows.map((row) => [row.pocket_id, row]));
