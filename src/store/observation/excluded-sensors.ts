// Sensors that are no part of the crowd because they are usually fullest at night.
import type { Reader, Transaction } from '../engine/store.ts';

export interface ExclusionChange {
  sensor: string;
  excluded: boolean;
}

export async function writeExclusions(
  tx: Transaction,
  slot: number,
  changes: readonly ExclusionChange[],
): Promise<void> {
  const added = new Set(changes.filter(({ excluded }) => excluded).map(({ sensor }) => sensor));
  await tx.insert(
    'excluded_sensors',
    [...added].map((sensor) => ({ sensor, since_slot: slot })),
    'on conflict (sensor) do nothing',
  );
  for (const { sensor, excluded } of changes)
    if (!excluded) await tx.run('delete from excluded_sensors where sensor = ?', sensor);
}

/** Ids of sensors: feed, place and field. */
export const excludedSensors = async (store: Reader, limit: number): Promise<string[]> =>
  (
    await store.all<{ sensor: string }>('select sensor from excluded_sensors order by sensor limit ?', limit)
  ).map(({ sensor }) => sensor);
