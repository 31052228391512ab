import type { Pocket } from '../../domain/city/city.ts';
import { addToPast, type SensorPast } from '../../domain/signals/crowd.ts';
import { judgeCrowd, type KnownSensor, type KnownSensors } from '../../domain/signals/pocket-crowd.ts';
import {
  type ObservedPocket,
  observePockets,
  type Snapshot,
  snapshotCompleteness,
} from '../../domain/signals/snapshot.ts';
import { type ExclusionChange, writeExclusions } from '../../store/observation/excluded-sensors.ts';
import { writeOutletAndCitizenSignals, writeSnapshots } from '../../store/observation/snapshots.ts';
import type { JobContext } from '../core/context.ts';
import { knownKey, pastKey } from '../core/pocket-scales.ts';

/** Writes one snapshot of each pocket from the signals of the slot. */
export async function writeSlotSnapshots(context: JobContext): Promise<Snapshot[]> {
  const { tx, registry, slot, signals, substrate } = context;
  const observed = observePockets(registry.pockets, slot, signals).filter(
    ({ fresh, sensors, closed }) => fresh.size + sensors.length + closed.length > 0,
  );
  const pockets = new Map(registry.pockets.map((pocket) => [pocket.id, pocket]));
  const snapshots =
    registry.city.scales === 'fixed'
      ? observed.map((pocket) => withPeak(pocket, pockets.get(pocket.pocket_id)))
      : await withLearnedCrowd(context, observed, pockets);
  await writeSnapshots(tx, snapshots, substrate);
  await writeOutletAndCitizenSignals(tx, slot, signals);
  return snapshots;
}

/** Crowd as footfall against the peak that the registry states. */
function withPeak(observed: ObservedPocket, pocket: Pocket | undefined): Snapshot {
  const { footfall } = observed.values;
  const expects = pocket?.expects ?? [];
  const peak = pocket?.character.footfall_peak;
  const crowd = footfall === null || !peak ? null : footfall / peak;
  const crowd_gap = crowd !== null ? null : expects.includes('footfall') ? 'missing' : 'none';
  return composeSnapshot(observed, expects, { crowd, crowd_gap, share: 0 });
}

const composeSnapshot = (
  { sensors: _sensors, closed: _closed, fresh, ...observed }: ObservedPocket,
  expects: Pocket['expects'],
  { crowd, crowd_gap, share }: Pick<Snapshot, 'crowd' | 'crowd_gap'> & { share: number },
): Snapshot => ({ ...observed, crowd, crowd_gap, completeness: snapshotCompleteness(expects, fresh, share) });

/** Crowd from the sensors of each pocket, each against its own past, which then learns from the value. */
async function withLearnedCrowd(
  { tx, zone, slot, state }: JobContext,
  observed: readonly ObservedPocket[],
  pockets: ReadonlyMap<string, Pocket>,
): Promise<Snapshot[]> {
  const hour = Math.floor(zone.hourOfDay(slot));
  const stateKeys = ({ pocket_id, sensors }: ObservedPocket) => [
    knownKey(pocket_id),
    ...sensors.map(({ sensor }) => pastKey(sensor)),
  ];
  const snapshots: Snapshot[] = [];
  const exclusions: ExclusionChange[] = [];
  for await (const batch of state.inBatches(tx, observed, stateKeys)) {
    // A sensor between two pockets counts for both, and learns once.
    const learned = new Map<string, SensorPast>();
    for (const pocket of batch) {
      const { pocket_id, sensors } = pocket;
      const { expects = [], sensors: listed = [] } = pockets.get(pocket_id) ?? {};
      const before = state.get<KnownSensors>(knownKey(pocket_id)) ?? neverSeen(listed);
      const sensorPast = (sensor: string) => state.get<SensorPast>(pastKey(sensor));
      const judged = judgeCrowd(slot, pocket, before, sensorPast);
      const gap = expects.includes('crowd') ? judged.crowd_gap : 'none';
      snapshots.push(
        composeSnapshot(pocket, expects, { ...judged, crowd_gap: judged.crowd === null ? gap : null }),
      );
      if (judged.known !== before) state.set(knownKey(pocket_id), judged.known);
      for (const exclusion of judged.exclusions) exclusions.push(exclusion);
      for (const measured of sensors) {
        const past = addToPast(sensorPast(measured.sensor), slot, hour, measured);
        if (past) learned.set(pastKey(measured.sensor), past);
      }
    }
    for (const [key, past] of learned) state.set(key, past);
  }
  await writeExclusions(tx, slot, exclusions);
  return snapshots;
}

const neverSeen = (listed: NonNullable<Pocket['sensors']>): KnownSensors =>
  Object.fromEntries(listed.map(({ id, proxy }): [string, KnownSensor] => [id, { proxy, seen: 0 }]));
