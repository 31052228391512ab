import type { Reading } from '../../domain/atmosphere/reading.ts';
import { pocketSignalKinds, type Substrate } from '../../domain/signals/signal.ts';
import type { Snapshot } from '../../domain/signals/snapshot.ts';
import { type MomentRecord, type MomentRow, momentFromRow } from '../decision/moments.ts';
import type { Reader } from '../engine/store.ts';
import { byDay, endAndDay, untilDay } from '../rows/day-index.ts';
import { readProvenance, type TracedSignal } from './provenance.ts';
import { readingsBetween } from './readings.ts';

type Values = Snapshot['values'];

interface SnapshotRow extends Values {
  crowd: number | null;
  completeness: number;
  substrate: Substrate;
  provenance: string;
}

export interface TracedSnapshot {
  values: Values;
  crowd: number | null;
  completeness: number;
  substrate: Substrate;
  provenance: TracedSignal[];
}

/** Everything that a decision was based on, as it was stored at its slot. */
export interface SubstrateTrace {
  reading: Reading | null;
  snapshot: TracedSnapshot | null;
  moment: MomentRecord | null;
}

export async function substrateTraceAt(store: Reader, pocket: string, slot: number): Promise<SubstrateTrace> {
  const [reading] = await readingsBetween(store, pocket, slot - 1, slot);
  const moment = await store.get<MomentRow>(
    'select * from moments where slot = ? and pocket_id = ?',
    slot,
    pocket,
  );
  const row = await store.get<SnapshotRow>(
    `select ${pocketSignalKinds.join(', ')}, crowd, completeness, substrate, provenance
     from snapshots where slot = ? and pocket_id = ?`,
    slot,
    pocket,
  );
  return {
    reading: reading ?? null,
    moment: moment ? momentFromRow(moment) : null,
    snapshot: row ? await traceSnapshot(store, slot, pocket, row) : null,
  };
}

async function traceSnapshot(
  store: Reader,
  slot: number,
  pocket: string,
  { completeness, substrate, provenance: stored, crowd, ...values }: SnapshotRow,
): Promise<TracedSnapshot | null> {
  const provenance = await readProvenance(store, { slot, pocket, stored });
  return provenance && { values, crowd, completeness, substrate, provenance };
}

/** The newest slot up to `until` at which anything was observed of a pocket. */
export async function latestSnapshotSlot(
  store: Reader,
  pocket: string,
  until: number,
): Promise<number | null> {
  const row = await store.get<{ slot: number | null }>(
    `select slot from snapshots where pocket_id = ? and ${untilDay('slot')} order by ${byDay('desc')} limit 1`,
    pocket,
    ...endAndDay(until),
  );
  return row?.slot ?? null;
}
