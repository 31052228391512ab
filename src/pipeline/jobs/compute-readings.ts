import {
  emptyHourNorm,
  type HourNorm,
  isAnomalous,
  updateHourNorm,
} from '../../domain/atmosphere/anomaly.ts';
import { computeAtmosphere } from '../../domain/atmosphere/atmosphere.ts';
import type { Reading } from '../../domain/atmosphere/reading.ts';
import { cityCalendar, isRestDay } from '../../domain/city/rest-day.ts';
import { computePressures } from '../../domain/signals/pressures.ts';
import { type PocketRanges, updateRanges } from '../../domain/signals/scales.ts';
import type { Snapshot } from '../../domain/signals/snapshot.ts';
import { readNorms, writeNorms } from '../../store/observation/norms.ts';
import { writeReadings } from '../../store/observation/readings.ts';
import type { JobContext } from '../core/context.ts';
import { pocketScales, rangesKey } from '../core/pocket-scales.ts';
import type { ReadPocket } from './decide.ts';

/** Computes the atmosphere of each pocket, compares it with the norm of this hour of the week, and updates the norm. */
export async function computeReadings(
  context: JobContext,
  snapshots: readonly Snapshot[],
): Promise<ReadPocket[]> {
  const { tx, registry, zone, slot, state, district } = context;
  const hourOfWeek = zone.hourOfWeek(slot);
  const norms = await readNorms(tx, hourOfWeek, district);
  const time = { hour: zone.hourOfDay(slot), rest: isRestDay(slot, cityCalendar(registry)) };
  const characters = new Map(registry.pockets.map(({ id, character }) => [id, character]));
  const read: ReadPocket[] = [];
  const updatedNorms = new Map<string, HourNorm>();
  for await (const batch of state.inBatches(tx, snapshots, ({ pocket_id }) => [rangesKey(pocket_id)])) {
    for (const snapshot of batch) {
      const { pocket_id, crowd, completeness } = snapshot;
      const character = characters.get(pocket_id);
      if (!character) continue;
      const scales = pocketScales(context, pocket_id);
      const pressures = computePressures(snapshot, scales);
      const atmosphere = computeAtmosphere({ ...time, completeness, pressures, scales, character });
      learnRanges(context, snapshot);
      if (!atmosphere || pressures.crowd === null) continue;
      const norm = norms.get(pocket_id) ?? emptyHourNorm;
      const anomaly_flag = isAnomalous(norm, atmosphere.stress, crowd);
      const reading: Reading = { pocket_id, slot, ...atmosphere, anomaly_flag, completeness };
      read.push({ reading, snapshot, pressures: { ...pressures, crowd: pressures.crowd }, scales, norm });
      updatedNorms.set(pocket_id, updateHourNorm(norm, atmosphere, crowd));
    }
  }
  await writeReadings(
    tx,
    read.map(({ reading }) => reading),
  );
  await writeNorms(tx, hourOfWeek, updatedNorms);
  return read;
}

/** Learns what is usual here, after it was judged: a value is not compared with itself. */
function learnRanges({ registry, slot, state }: JobContext, snapshot: Snapshot): void {
  if (registry.city.scales === 'fixed') return;
  const key = rangesKey(snapshot.pocket_id);
  const ranges = state.get<PocketRanges>(key) ?? {};
  const updated = updateRanges(ranges, slot, snapshot.values);
  if (updated) state.set(key, updated);
}
