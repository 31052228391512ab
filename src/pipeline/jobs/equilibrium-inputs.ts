// Reads what the equilibrium of each pocket is computed from; live stories use its citizen senses too.
import { type EquilibriumInput, READING_HOURS, VERDICT_HOURS } from '../../domain/decision/equilibrium.ts';
import { UNIT } from '../../domain/stats/rollup.ts';
import { HOUR } from '../../domain/time/slot.ts';
import { lastHours, slotSpan } from '../../domain/time/window.ts';
import type { Reader, Transaction } from '../../store/engine/store.ts';
import { senseReleasesWithin } from '../../store/observation/perception.ts';
import { calmHalfHours } from '../../store/observation/recent-half-hours.ts';
import { readSums } from '../../store/rollup/read-rollups.ts';
import { forecastRollup, pocketRollup } from '../../store/rollup/tables.ts';
import type { JobContext } from '../core/context.ts';

type ByPocket<T> = (pocket: string) => T;

type RecentSenses = ByPocket<EquilibriumInput['senses']>;

/** What was read last in a transaction: in a history, live stories and the equilibrium of a slot share theirs. */
const lastRead = new WeakMap<Transaction, { slot: number; district: string; senses: RecentSenses }>();

/** The words that people chose in each pocket, as released over the last hours. */
export async function recentSenses({
  tx,
  zone,
  slot,
  district,
}: Pick<JobContext, 'tx' | 'zone' | 'slot' | 'district'>): Promise<RecentSenses> {
  const last = lastRead.get(tx);
  if (last?.slot === slot && last.district === district) return last.senses;
  const releases = await senseReleasesWithin(tx, lastHours(READING_HOURS, slot), zone, { district });
  const byPocket = Map.groupBy(releases, ({ pocket_id }) => pocket_id);
  const senses: RecentSenses = (pocket) => byPocket.get(pocket) ?? [];
  lastRead.set(tx, { slot, district, senses });
  return senses;
}

/** The verdict on a silence, a forecast or a package is known after the hour that follows it. */
const VERDICT_DELAY = HOUR;
const HOURLY_GENERATOR = 'pocket_projection_60m';

/** What is added up for each pocket over a day: few figures, read of all pockets at once. */
export async function equilibriumSums(store: Reader, slot: number) {
  const verdictSpan = slotSpan(lastHours(VERDICT_HOURS, slot - VERDICT_DELAY));
  const verdicts = await readSums(store, pocketRollup, verdictSpan, {
    by: ['pocket_id'],
    sums: ['vindicated', 'missed', 'readings_after', 'calm_after'],
  });
  const forecasts = await readSums(store, forecastRollup, verdictSpan, {
    by: ['pocket_id'],
    sums: ['scored', 'hits'],
    only: { generator: HOURLY_GENERATOR, shadow: 0 },
  });
  const settled = await readSums(store, pocketRollup, slotSpan(lastHours(VERDICT_HOURS, slot)), {
    by: ['pocket_id'],
    sums: ['idle_hours', 'reclaimed_hours'],
  });
  return { verdicts: byPocket(verdicts), forecasts: byPocket(forecasts), settled: byPocket(settled) };
}

/** What the equilibrium of each pocket of a district is computed from. */
export async function equilibriumInputs(
  context: Pick<JobContext, 'tx' | 'zone' | 'slot' | 'district'>,
  { verdicts, forecasts, settled }: Awaited<ReturnType<typeof equilibriumSums>>,
): Promise<ByPocket<EquilibriumInput>> {
  const { tx, slot, district } = context;
  const senses = await recentSenses(context);
  const calm = Map.groupBy(
    await calmHalfHours(tx, lastHours(READING_HOURS, slot), district),
    ({ pocket_id }) => pocket_id,
  );
  return (pocket) => {
    const recent = calm.get(pocket) ?? [];
    const { vindicated = 0, missed = 0, readings_after = 0, calm_after = 0 } = verdicts.get(pocket) ?? {};
    const { scored = 0, hits = 0 } = forecasts.get(pocket) ?? {};
    const { idle_hours = 0, reclaimed_hours = 0 } = settled.get(pocket) ?? {};
    return {
      readings: recent.reduce((sum, { readings }) => sum + readings, 0),
      calm: recent.reduce((sum, half) => sum + half.calm, 0),
      senses: senses(pocket),
      judged: vindicated + missed,
      vindicated,
      revealed: scored,
      hits,
      readings_after: readings_after,
      calm_after: calm_after,
      idle_hours: idle_hours / UNIT,
      reclaimed_hours: reclaimed_hours / UNIT,
    };
  };
}

const byPocket = <T extends { pocket_id: string }>(rows: readonly T[]): ReadonlyMap<string, T> =>
  new Map(rows.map((row) => [row.pocket_id, row]));
