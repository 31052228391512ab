import { round } from '../stats/unit-scale.ts';
import { MINUTE } from '../time/slot.ts';
import type { SensorValue } from './crowd.ts';
import { signalWeights } from './pressure-weights.ts';
import {
  CROWD_FRESH_MINUTES,
  type ExpectedSignal,
  type PocketSignal,
  pocketSignalKinds,
  pocketSignals,
  type Signal,
} from './signal.ts';

/** The fresh measurements of one pocket at one slot, and the source of each (docs/formulas.md, "Completeness"). */
export interface Snapshot {
  pocket_id: string;
  slot: number;
  /** Null where the measurement was absent or stale. */
  values: Record<PocketSignal, number | null>;
  /** How full the pocket is, as a share of its own peak, which a stated peak lets it exceed. */
  crowd: number | null;
  /** Why the crowd is not known; null where it is. */
  crowd_gap: CrowdGap | null;
  /** Share of what a reading rests on that is fresh. */
  completeness: number;
  provenance: Provenance[];
}

/** Why the crowd of a pocket is not known. */
export const crowdGaps = [
  /** Nothing here counts people or stands in for that. */
  'none',
  /** No sensor has a fresh value. */
  'missing',
  /** All that report say that their place is closed. */
  'closed',
  /** What the sensors measure from empty to full is still being learned. */
  'learning',
  /** All that report are usually fullest at night, so that they tell of something other than people in the street. */
  'fullest_at_night',
] as const;
export type CrowdGap = (typeof crowdGaps)[number];

export interface Provenance {
  kind: ExpectedSignal;
  source: string;
  observed_at: number;
  received_at: number;
  fresh: boolean;
}

/** A fresh value of a sensor of the crowd. */
export interface FreshSensor extends SensorValue {
  sensor: string;
}

/** A snapshot before its crowd is known: that depends on what its sensors have measured before. */
export interface ObservedPocket extends Omit<Snapshot, 'crowd' | 'crowd_gap' | 'completeness'> {
  sensors: FreshSensor[];
  /** Sensors that say that their place is closed. */
  closed: string[];
  /** Signals in their own unit that are fresh. */
  fresh: ReadonlySet<ExpectedSignal>;
}

/** The crowd where people are not counted. Beside a count it is not shown: it would give back a count under five. */
export const crowdWithoutCount = ({
  values,
  crowd,
}: {
  values: Pick<Snapshot['values'], 'footfall'>;
  crowd: number | null;
}): { crowd?: number } => (values.footfall === null && crowd !== null ? { crowd: round(crowd, 2) } : {});

const isPocketSignal = (kind: string): kind is PocketSignal => kind in pocketSignals;

/** What was observed of each pocket, from its newest signal of each kind and of each sensor. */
export function observePockets(
  pockets: readonly { id: string }[],
  slot: number,
  signals: readonly Signal[],
): ObservedPocket[] {
  const latest = new Map(pockets.map(({ id }) => [id, new Map<string, Signal>()]));
  for (const signal of signals) {
    const { kind } = signal;
    // A feed controls its timestamps; a signal from after the slot must not be used in it.
    if (signal.observed_at > slot) continue;
    const key = isPocketSignal(kind) ? kind : kind === 'crowd' ? signal.sensor?.id : undefined;
    if (key === undefined) continue;
    const ofPocket = latest.get(signal.pocket_id);
    const newest = ofPocket?.get(key);
    if (!newest || newest.observed_at < signal.observed_at) ofPocket?.set(key, signal);
  }
  return pockets.map((pocket) => observePocket(pocket, slot, latest.get(pocket.id) ?? new Map()));
}

function observePocket(
  { id }: { id: string },
  slot: number,
  newest: ReadonlyMap<string, Signal>,
): ObservedPocket {
  const values = Object.fromEntries(pocketSignalKinds.map((kind) => [kind, null])) as Snapshot['values'];
  const sensors: FreshSensor[] = [];
  const closed: string[] = [];
  const provenance: Provenance[] = [];
  const fresh = new Set<ExpectedSignal>();
  for (const signal of newest.values()) {
    const { kind, source, value, observed_at, received_at, sensor, fresh_minutes } = signal;
    const minutes =
      fresh_minutes ?? (isPocketSignal(kind) ? pocketSignals[kind].fresh_minutes : CROWD_FRESH_MINUTES);
    const isFresh = slot - observed_at <= minutes * MINUTE;
    provenance.push({ kind: kind as ExpectedSignal, source, observed_at, received_at, fresh: isFresh });
    if (!isFresh) continue;
    if (isPocketSignal(kind)) {
      values[kind] = value;
      fresh.add(kind);
    } else if (sensor && signal.closed) closed.push(sensor.id);
    else if (sensor) {
      const { id: of, ...about } = sensor;
      sensors.push({ sensor: of, value, ...about });
    }
  }
  return { pocket_id: id, slot, values, sensors, closed, fresh, provenance: inOrder(provenance) };
}

/**
 * How much of what a reading rests on is there: each expected signal by its weight in the reading. A signal in its own
 * unit is there or not, since any station stands in for another; the crowd is there by the share of its sensors that
 * report.
 */
export function snapshotCompleteness(
  expects: readonly ExpectedSignal[],
  fresh: ReadonlySet<ExpectedSignal>,
  crowdShare: number,
): number {
  let [present, all] = [0, 0];
  for (const kind of expects) {
    const weight = signalWeights[kind];
    all += weight;
    present += weight * (kind === 'crowd' ? crowdShare : fresh.has(kind) ? 1 : 0);
  }
  return all > 0 ? round(present / all) : 0;
}

/** The order of kinds, whatever the order of arrival. */
const inOrder = (provenance: Provenance[]): Provenance[] => {
  const rank = ({ kind }: Provenance) =>
    kind === 'crowd' ? pocketSignalKinds.length : pocketSignalKinds.indexOf(kind);
  return provenance.sort((a, b) => rank(a) - rank(b) || (a.source < b.source ? -1 : 1));
};
