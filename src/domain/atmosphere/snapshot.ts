import type { Pocket } from '../city/city.ts';
import type { SensorValue } from '../scales/crowd.ts';
import { round } from '../stats/unit-scale.ts';
import { MINUTE } from '../time/slot.ts';
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
  /** How crowded the pocket is, as a share of its own usual peak, which it may exceed. */
  crowd: number | null;
  /** Share of the signals expected of the pocket that are fresh. */
  completeness: number;
  provenance: Provenance[];
}

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

/** A snapshot before its crowd is known: that depends on what is usual, which the caller knows. */
export interface ObservedPocket extends Omit<Snapshot, 'crowd'> {
  sensors: FreshSensor[];
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
  pockets: readonly Pocket[],
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
  { id, expects }: Pocket,
  slot: number,
  newest: ReadonlyMap<string, Signal>,
): ObservedPocket {
  const values = Object.fromEntries(pocketSignalKinds.map((kind) => [kind, null])) as Snapshot['values'];
  const sensors: FreshSensor[] = [];
  const provenance: Provenance[] = [];
  const fresh = new Set<string>();
  for (const { kind, source, value, observed_at, received_at, sensor, fresh_minutes } of newest.values()) {
    const minutes =
      fresh_minutes ?? (isPocketSignal(kind) ? pocketSignals[kind].fresh_minutes : CROWD_FRESH_MINUTES);
    const isFresh = slot - observed_at <= minutes * MINUTE;
    provenance.push({ kind: kind as ExpectedSignal, source, observed_at, received_at, fresh: isFresh });
    if (!isFresh) continue;
    fresh.add(kind);
    if (isPocketSignal(kind)) values[kind] = value;
    else if (sensor) sensors.push({ sensor: sensor.id, value, points: sensor.points, proxy: sensor.proxy });
  }
  const expected = expects.filter((kind) => fresh.has(kind)).length;
  return {
    pocket_id: id,
    slot,
    values,
    sensors,
    completeness: expects.length ? expected / expects.length : 0,
    provenance: inOrder(provenance),
  };
}

/** The order of kinds, whatever the order of arrival. */
const inOrder = (provenance: Provenance[]): Provenance[] => {
  const rank = ({ kind }: Provenance) =>
    kind === 'crowd' ? pocketSignalKinds.length : pocketSignalKinds.indexOf(kind);
  return provenance.sort((a, b) => rank(a) - rank(b) || (a.source < b.source ? -1 : 1));
};
