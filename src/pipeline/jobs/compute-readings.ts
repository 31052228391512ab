import {
  emptyHourNorm,
  type HourNorm,
  isAnomalous,
  updateHourNorm,
} from '../../domain/atmosphere/anomaly.ts';
import { atmosphereOf } from '../../domain/atmosphere/atmosphere.ts';
import type { Reading } from '../../domain/atmosphere/reading.ts';
import type { Snapshot } from '../../domain/atmosphere/snapshot.ts';
import { calendarOf, isRestDay } from '../../domain/time/rest-day.ts';
import { readNorms, writeNorms } from '../../store/observation/norms.ts';
import { writeReadings } from '../../store/observation/readings.ts';
import type { JobContext } from '../core/context.ts';
import type { ReadPocket } from './decide.ts';

/** Computes the atmosphere of each pocket, compares it with the norm of this hour of the week, and updates the norm. */
export async function computeReadings(
  { tx, registry, zone, slot }: JobContext,
  snapshots: readonly Snapshot[],
): Promise<ReadPocket[]> {
  const hourOfWeek = zone.hourOfWeek(slot);
  const norms = await readNorms(tx, hourOfWeek);
  const time = { hour: zone.hourOfDay(slot), rest: isRestDay(slot, calendarOf(registry)) };
  const byPocket = new Map(snapshots.map((snapshot) => [snapshot.pocket_id, snapshot]));
  const read: ReadPocket[] = [];
  const updatedNorms = new Map<string, HourNorm>();
  for (const { id, character } of registry.pockets) {
    const snapshot = byPocket.get(id);
    const atmosphere = snapshot && atmosphereOf(snapshot, character, time);
    if (!atmosphere) continue;
    const { footfall } = snapshot.values;
    const norm = norms.get(id) ?? emptyHourNorm;
    const reading: Reading = {
      pocket_id: id,
      slot,
      ...atmosphere,
      anomaly_flag: isAnomalous(norm, atmosphere.stress, footfall, character.footfall_peak),
      completeness: snapshot.completeness,
    };
    read.push({ reading, snapshot, norm });
    updatedNorms.set(id, updateHourNorm(norm, atmosphere.stress, footfall));
  }
  await writeReadings(
    tx,
    read.map(({ reading }) => reading),
  );
  await writeNorms(tx, hourOfWeek, updatedNorms);
  return read;
}
