import { type Snapshot, snapshots } from '../../domain/atmosphere/snapshot.ts';
import { writeOutletAndCitizenSignals, writeSnapshots } from '../../store/observation/snapshots.ts';
import type { JobContext } from '../core/context.ts';

/** Writes one snapshot of each pocket from the signals of the slot. */
export async function writeSlotSnapshots({
  tx,
  registry,
  slot,
  signals,
  substrate,
}: JobContext): Promise<Snapshot[]> {
  const observed = snapshots(registry.pockets, slot, signals).filter((snapshot) => snapshot.completeness > 0);
  await writeSnapshots(tx, observed, substrate);
  await writeOutletAndCitizenSignals(tx, slot, signals);
  return observed;
}
