// Mean readings of every pocket by day and part of the waking day, which weekly and monthly reports compare.

import { type PocketSignal, pocketSignalKinds } from '../../domain/atmosphere/signal.ts';
import type { ComparedQuality, PartMean, SignalMeans } from '../../domain/report/part-means.ts';
import type { Calendar } from '../../domain/time/rest-day.ts';
import { DAY, HOUR } from '../../domain/time/slot.ts';
import { partHours, WAKING, wakingParts } from '../../domain/time/waking-hours.ts';
import type { Span } from '../../domain/time/window.ts';
import { localSlot } from '../engine/local-slot.ts';
import type { Reader } from '../engine/store.ts';

/** Sums of whole thousandths do not depend on the order of adding, so both engines give the same means. */
const thousandths = (column: string) => `sum(round(${column} * 1000))`;

interface PartKey {
  pocket_id: string;
  /** Days since the epoch on the local calendar. */
  day: number;
  /** Position in `wakingParts`. */
  part: number;
}
type ReadingSums = PartKey & Record<ComparedQuality | 'readings', number>;
type SignalSums = PartKey & Record<PocketSignal | `${PocketSignal}_count`, number | null>;

/**
 * `peaks` are the ordinary peaks of footfall, by pocket; a pocket without one has left the registry and is left out.
 * Measurements are those of the full hours, which suffice for a mean.
 */
export async function partMeans(
  store: Reader,
  { from, to }: Span,
  peaks: ReadonlyMap<string, number>,
  { zone, weekend }: Pick<Calendar, 'zone' | 'weekend'>,
): Promise<PartMean[]> {
  const local = localSlot(zone, { from, to });
  const hour = `${local} % ${DAY} / ${HOUR}`;
  const partOfDay = `case ${wakingParts.map((part, n) => `when ${hour} < ${partHours[part].to} then ${n}`).join(' ')} end`;
  const isWaking = `${hour} >= ${WAKING.from} and ${hour} < ${WAKING.to}`;
  const sums = <Row>(columns: string, table: string) =>
    store.all<Row>(
      `select pocket_id, ${local} / ${DAY} as day, ${partOfDay} as part, ${columns} from ${table}
       group by 1, 2, 3 order by 1, 2, 3`,
      from,
      to,
    );
  const readings = await sums<ReadingSums>(
    `count(*) as readings, ${thousandths('calm')} as calm, ${thousandths('social_energy')} as social,
       ${thousandths('productive')} as productive`,
    `atmosphere_readings where slot >= ? and slot < ? and ${isWaking}`,
  );
  const measured = await sums<SignalSums>(
    pocketSignalKinds
      .map((kind) => `${thousandths(kind)} as ${kind}, count(${kind}) as ${kind}_count`)
      .join(', '),
    `env_snapshots where slot >= ? and slot < ? and slot % ${HOUR} = 0 and ${isWaking}`,
  );
  const signals = new Map(measured.map((row) => [keyOf(row), row]));
  return readings.flatMap((row) => {
    const peak = peaks.get(row.pocket_id);
    const part = wakingParts[row.part];
    if (peak === undefined || part === undefined) return [];
    const mean = (sum: number) => sum / 1000 / row.readings;
    const day = zone.atLocal(new Date(row.day * DAY).toISOString().slice(0, 10), '00:00');
    const weekday = zone.weekday(day);
    return [
      {
        pocket_id: row.pocket_id,
        day,
        weekday,
        weekend: weekend.includes(weekday),
        part,
        readings: row.readings,
        calm: mean(row.calm),
        social: mean(row.social),
        productive: mean(row.productive),
        signals: signalMeans(signals.get(keyOf(row)), peak),
      },
    ];
  });
}

const keyOf = ({ pocket_id, day, part }: PartKey): string => `${pocket_id} ${day} ${part}`;

const signalMeans = (row: SignalSums | undefined, peak: number): SignalMeans =>
  Object.fromEntries(
    pocketSignalKinds.map((kind) => {
      const sum = row?.[kind] ?? null;
      const count = row?.[`${kind}_count`] ?? 0;
      return [kind, sum === null || !count ? null : sum / 1000 / count / (kind === 'footfall' ? peak : 1)];
    }),
  ) as SignalMeans;
