import { type ObservedPocket, observePockets, type Snapshot } from '../../domain/atmosphere/snapshot.ts';
import {
  counterLevel,
  crowdOf,
  noProxyNorms,
  type ProxyNorms,
  proxyLevel,
  updateProxyNorms,
} from '../../domain/scales/crowd.ts';
import { addToRange, type OwnRange } from '../../domain/scales/own-range.ts';
import { writeOutletAndCitizenSignals, writeSnapshots } from '../../store/observation/snapshots.ts';
import type { JobContext } from '../core/context.ts';

/** Writes one snapshot of each pocket from the signals of the slot. */
export async function writeSlotSnapshots(context: JobContext): Promise<Snapshot[]> {
  const { tx, registry, slot, signals, substrate } = context;
  const observed = observePockets(registry.pockets, slot, signals).filter(
    ({ completeness }) => completeness > 0,
  );
  const snapshots =
    registry.city.scales === 'fixed'
      ? withPeaks(context, observed)
      : await withLearnedCrowd(context, observed);
  await writeSnapshots(tx, snapshots, substrate);
  await writeOutletAndCitizenSignals(tx, slot, signals);
  return snapshots;
}

/** Crowd as footfall against the peak that the registry states. */
function withPeaks({ registry }: JobContext, observed: readonly ObservedPocket[]): Snapshot[] {
  const peaks = new Map(registry.pockets.map(({ id, character }) => [id, character.footfall_peak]));
  return observed.map(({ sensors: _none, ...pocket }) => {
    const { footfall } = pocket.values;
    const peak = peaks.get(pocket.pocket_id);
    return { ...pocket, crowd: footfall === null || !peak ? null : footfall / peak };
  });
}

/** The state entries of a sensor: its range, and what is usual at this hour of the day. */
const rangeKey = (sensor: string) => `sensor ${sensor}`;
const normKey = (sensor: string, hour: number) => `proxy ${hour} ${sensor}`;

/** Crowd from the sensors of each pocket, each against its own past, which then learns from the value. */
async function withLearnedCrowd(
  { tx, zone, slot, state }: JobContext,
  observed: readonly ObservedPocket[],
): Promise<Snapshot[]> {
  const hour = Math.floor(zone.hourOfDay(slot));
  const day = zone.weekday(slot);
  const keysOf = ({ sensors }: ObservedPocket) =>
    sensors.map(({ sensor, proxy }) => (proxy ? normKey(sensor, hour) : rangeKey(sensor)));
  const snapshots: Snapshot[] = [];
  for await (const batch of state.inBatches(tx, observed, keysOf)) {
    // A sensor between two pockets counts for both, and learns once.
    const learned = new Map<string, ProxyNorms | OwnRange>();
    for (const { sensors, ...pocket } of batch) {
      const levels = sensors.map((measured) => {
        const { sensor, value, proxy } = measured;
        if (proxy) {
          const key = normKey(sensor, hour);
          const norms = state.get<ProxyNorms>(key) ?? noProxyNorms;
          learned.set(key, updateProxyNorms(norms, day, value));
          return { level: proxyLevel(measured, norms, day), proxy };
        }
        const key = rangeKey(sensor);
        const range = state.get<OwnRange>(key);
        const updated = addToRange(range, slot, value);
        if (updated) learned.set(key, updated);
        return { level: counterLevel(measured, range), proxy };
      });
      snapshots.push({ ...pocket, crowd: crowdOf(levels) });
    }
    for (const [key, value] of learned) state.set(key, value);
  }
  return snapshots;
}
