// Mean readings of every pocket by day and part of the waking day, which weekly and monthly reports compare.

import { WHOLE_CITY } from '../../domain/city/districts.ts';
import type { Calendar } from '../../domain/city/rest-day.ts';
import type { ComparedQuality, PartMean, SignalMeans } from '../../domain/report/part-means.ts';
import { type PocketSignal, pocketSignalKinds } from '../../domain/signals/signal.ts';
import { DAY, HOUR } from '../../domain/time/slot.ts';
import { partHours, WAKING, wakingParts } from '../../domain/time/waking-hours.ts';
import type { Span } from '../../domain/time/window.ts';
import { localSlot } from '../engine/local-slot.ts';
import type { Reader } from '../engine/store.ts';
import { spanInDistrict } from '../rows/district-rows.ts';

/** Sums of whole units do not depend on the order of adding, so both engines give the same means. */
const sumIn = (unit: number, column: string) => `sum(round(${column} * ${unit}))`;
const thousandths = (column: string) => sumIn(1000, column);
/** A share of the peak may be small. */
const sumUnit = (kind: PocketSignal) => (kind === 'footfall' ? 1_000_000 : 1000);
const signalColumn = (kind: PocketSignal) => (kind === 'footfall' ? 'crowd' : kind);

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
 * Those of a district. A pocket that is not among `pockets` has left the registry and is left out. Measurements are those of the full hours,
 * which suffice for a mean; footfall is given as a share of the pocket's usual peak.
 */
export async function partMeans(
  store: Reader,
  { from, to }: Span,
  pockets: ReadonlySet<string>,
  { zone, weekend }: Pick<Calendar, 'zone' | 'weekend'>,
  district = WHOLE_CITY,
): Promise<PartMean[]> {
  const local = localSlot(zone, { from, to });
  const hour = `${local} % ${DAY} / ${HOUR}`;
  const partOfDay = `case ${wakingParts.map((part, n) => `when ${hour} < ${partHours[part].to} then ${n}`).join(' ')} end`;
  const isWaking = `${hour} >= ${WAKING.from} and ${hour} < ${WAKING.to}`;
  const { where, params } = spanInDistrict('', { from, to }, district);
  const sums = <Row>(columns: string, table: string) =>
    store.all<Row>(
      `select pocket_id, ${local} / ${DAY} as day, ${partOfDay} as part, ${columns} from ${table}
       group by 1, 2, 3 order by 1, 2, 3`,
      ...params,
    );
  const readings = await sums<ReadingSums>(
    `count(*) as readings, ${thousandths('calm')} as calm, ${thousandths('social_energy')} as social,
       ${thousandths('productive')} as productive`,
    `atmosphere_readings where ${where} and ${isWaking}`,
  );
  const measured = await sums<SignalSums>(
    pocketSignalKinds
      .map(
        (kind) =>
          `${sumIn(sumUnit(kind), signalColumn(kind))} as ${kind}, count(${signalColumn(kind)}) as ${kind}_count`,
      )
      .join(', '),
    `snapshots where ${where} and slot % ${HOUR} = 0 and ${isWaking}`,
  );
  const signals = new Map(measured.map((row) => [partKey(row), row]));
  return readings.flatMap((row) => {
    const part = wakingParts[row.part];
    if (!pockets.has(row.pocket_id) || part === undefined) return [];
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
        signals: signalMeans(signals.get(partKey(row))),
      },
    ];
  });
}

const partKey = ({ pocket_id, day, part }: PartKey): string => `${pocket_id} ${day} ${part}`;

const signalMeans = (row: SignalSums | undefined): SignalMeans =>
  Object.fromEntries(
    pocketSignalKinds.map((kind) => {
      const sum = row?.[kind] ?? null;
      const count = row?.[`${kind}_count`] ?? 0;
      return [kind, sum === null || !count ? null : sum / sumUnit(kind) / count];
    }),
  ) as SignalMeans;
