/** The crowd of one pocket at one slot from its sensors, or what keeps it from being known (docs/formulas.md, "Crowd"). */

import { DAY } from '../time/slot.ts';
import {
  COUNTER_WEIGHT,
  combineSensorLevels,
  isFullestAtNight,
  type SensorPast,
  STAND_IN_WEIGHT,
  sensorLevel,
} from './crowd.ts';
import type { CrowdGap, FreshSensor } from './snapshot.ts';

/** What is remembered of a sensor of a pocket. */
export interface KnownSensor {
  proxy: boolean;
  /** When it was last seen, to a day; 0 for one that the city's files list and that never reported. */
  seen: number;
  /** It is usually fullest at night: no part of the crowd. */
  excluded?: true;
}
export type KnownSensors = Readonly<Record<string, KnownSensor>>;

/** A sensor that was not seen for so long is no longer expected. */
const FORGOTTEN_AFTER = 28 * DAY;
/** Of the sensors that do not report now so many are expected, those seen last: feeds may name new ones without end. */
const MOST_SILENT = 500;

export interface JudgedCrowd {
  crowd: number | null;
  crowd_gap: CrowdGap | null;
  /** The share of the expected sensors that report, by their weight in the crowd. */
  share: number;
  /** The sensors as they are known now; the same object where nothing changed. */
  known: KnownSensors;
  /** Sensors that are left out from now on, or no longer. */
  exclusions: { sensor: string; excluded: boolean }[];
}

/** `pasts` are those of the sensors that report. */
export function judgeCrowd(
  slot: number,
  { sensors, closed }: { sensors: readonly FreshSensor[]; closed: readonly string[] },
  before: KnownSensors,
  pasts: (sensor: string) => SensorPast | undefined,
): JudgedCrowd {
  const excluded = new Set(
    sensors
      .filter(({ sensor, proxy }) => proxy && isFullestAtNight(pasts(sensor)))
      .map(({ sensor }) => sensor),
  );
  const counting = sensors.filter(({ sensor }) => !excluded.has(sensor));
  const crowd = combineSensorLevels(
    counting.map((measured) => ({
      level: sensorLevel(measured, pasts(measured.sensor), slot),
      kind: measured.kind,
      proxy: measured.proxy,
    })),
  );
  const known = updateKnown(slot, sensors, excluded, before);
  return {
    crowd,
    crowd_gap: crowd === null ? crowdGap({ sensors, counting, closed }) : null,
    share: reportingShare(slot, counting, closed, known),
    known,
    exclusions: sensors.flatMap(({ sensor }) => {
      const is = excluded.has(sensor);
      return is === (before[sensor]?.excluded ?? false) ? [] : [{ sensor, excluded: is }];
    }),
  };
}

function crowdGap(at: {
  sensors: readonly FreshSensor[];
  counting: readonly FreshSensor[];
  closed: readonly string[];
}): CrowdGap {
  if (at.counting.length > 0) return 'learning';
  if (at.sensors.length > 0) return 'fullest_at_night';
  return at.closed.length > 0 ? 'closed' : 'missing';
}

/** Written once a day and when something changes, not at every slot. */
function updateKnown(
  slot: number,
  sensors: readonly FreshSensor[],
  excluded: ReadonlySet<string>,
  before: KnownSensors,
): KnownSensors {
  const changed: Record<string, KnownSensor> = {};
  for (const { sensor, proxy } of sensors) {
    const was = before[sensor];
    const isExcluded = excluded.has(sensor);
    if (was && slot - was.seen < DAY && (was.excluded ?? false) === isExcluded) continue;
    changed[sensor] = { proxy, seen: slot, ...(isExcluded && { excluded: true }) };
  }
  if (Object.keys(changed).length === 0) return before;
  const reporting = new Set(sensors.map(({ sensor }) => sensor));
  const expected = Object.entries(before).filter(([, { seen }]) => isExpected(seen, slot));
  const isSilent = ([sensor, { seen }]: [string, KnownSensor]) => seen !== 0 && !reporting.has(sensor);
  const gone = expected
    .filter(isSilent)
    .sort(([, a], [, b]) => b.seen - a.seen)
    .slice(MOST_SILENT)
    .map(([sensor]) => sensor);
  const dropped = new Set(gone);
  const kept = expected.filter(([sensor]) => !dropped.has(sensor));
  return { ...Object.fromEntries(kept), ...changed };
}

const isExpected = (seen: number, slot: number): boolean => seen === 0 || slot - seen <= FORGOTTEN_AFTER;

function reportingShare(
  slot: number,
  counting: readonly FreshSensor[],
  closed: readonly string[],
  known: KnownSensors,
): number {
  const reporting = new Set(counting.map(({ sensor }) => sensor));
  let [present, all] = [0, 0];
  for (const [sensor, { proxy, seen, excluded }] of Object.entries(known)) {
    // A closed place is known to be closed: nothing is missing of it.
    if (excluded || closed.includes(sensor) || !isExpected(seen, slot)) continue;
    const weight = proxy ? STAND_IN_WEIGHT : COUNTER_WEIGHT;
    all += weight;
    if (reporting.has(sensor)) present += weight;
  }
  return all > 0 ? present / all : 0;
}
