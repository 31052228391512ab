// Mean readings of every pocket by day and part of the waking day, which weekly and monthly reports compare.
import { type PocketSignal, pocketSignalKinds } from '../../domain/atmosphere/signal.ts';
import type { ComparedQuality, PartMean, SignalMeans } from '../../domain/report/part-means.ts';
import { DAY, HOUR } from '../../domain/time/slot.ts';
import { partHours, WAKING, wakingParts } from '../../domain/time/waking-hours.ts';
import type { Span } from '../../domain/time/window.ts';
import type { Reader } from '../engine/store.ts';

// Singapore is eight hours ahead. Numbers are part of the text because a parameter would make PostgreSQL divide fractions.
const LOCAL = `(slot + ${8 * HOUR})`;
const HOUR_OF_DAY = `${LOCAL} % ${DAY} / ${HOUR}`;
const PART = `case ${wakingParts.map((part, n) => `when ${HOUR_OF_DAY} < ${partHours[part].to} then ${n}`).join(' ')} end`;
const IS_WAKING = `${HOUR_OF_DAY} >= ${WAKING.from} and ${HOUR_OF_DAY} < ${WAKING.to}`;
/** Sums of whole units do not depend on the order of adding, so both engines give the same means. */
const sumIn = (unit: number, column: string) => `sum(round(${column} * ${unit}))`;
const thousandths = (column: string) => sumIn(1000, column);
/** A share of the peak may be small. */
const unitOf = (kind: PocketSignal) => (kind === 'footfall' ? 1_000_000 : 1000);
const columnOf = (kind: PocketSignal) => (kind === 'footfall' ? 'crowd' : kind);

interface PartKey {
  pocket_id: string;
  /** Days since the epoch, in Singapore. */
  day: number;
  /** Position in `wakingParts`. */
  part: number;
}
type ReadingSums = PartKey & Record<ComparedQuality | 'readings', number>;
type SignalSums = PartKey & Record<PocketSignal | `${PocketSignal}_count`, number | null>;

/**
 * A pocket that is not among `pockets` has left the registry and is left out. Measurements are those of the full hours,
 * which suffice for a mean; footfall is given as a share of the pocket's usual peak.
 */
export async function partMeans(
  store: Reader,
  { from, to }: Span,
  pockets: ReadonlySet<string>,
): Promise<PartMean[]> {
  const sums = <Row>(columns: string, table: string) =>
    store.all<Row>(
      `select pocket_id, ${LOCAL} / ${DAY} as day, ${PART} as part, ${columns} from ${table}
       group by 1, 2, 3 order by 1, 2, 3`,
      from,
      to,
    );
  const readings = await sums<ReadingSums>(
    `count(*) as readings, ${thousandths('calm')} as calm, ${thousandths('social_energy')} as social,
       ${thousandths('productive')} as productive`,
    `atmosphere_readings where slot >= ? and slot < ? and ${IS_WAKING}`,
  );
  const measured = await sums<SignalSums>(
    pocketSignalKinds
      .map(
        (kind) =>
          `${sumIn(unitOf(kind), columnOf(kind))} as ${kind}, count(${columnOf(kind)}) as ${kind}_count`,
      )
      .join(', '),
    `env_snapshots where slot >= ? and slot < ? and slot % ${HOUR} = 0 and ${IS_WAKING}`,
  );
  const signals = new Map(measured.map((row) => [keyOf(row), row]));
  return readings.flatMap((row) => {
    const part = wakingParts[row.part];
    if (!pockets.has(row.pocket_id) || part === undefined) return [];
    const mean = (sum: number) => sum / 1000 / row.readings;
    return [
      {
        pocket_id: row.pocket_id,
        day: row.day * DAY - 8 * HOUR,
        part,
        readings: row.readings,
        calm: mean(row.calm),
        social: mean(row.social),
        productive: mean(row.productive),
        signals: signalMeans(signals.get(keyOf(row))),
      },
    ];
  });
}

const keyOf = ({ pocket_id, day, part }: PartKey): string => `${pocket_id} ${day} ${part}`;

const signalMeans = (row: SignalSums | undefined): SignalMeans =>
  Object.fromEntries(
    pocketSignalKinds.map((kind) => {
      const sum = row?.[kind] ?? null;
      const count = row?.[`${kind}_count`] ?? 0;
      return [kind, sum === null || !count ? null : sum / unitOf(kind) / count];
    }),
  ) as SignalMeans;
