import type { Reading } from '../../domain/atmosphere/reading.ts';
import { type ExpectedSignal, pocketSignalKinds, type Substrate } from '../../domain/signals/signal.ts';
import type { Snapshot } from '../../domain/signals/snapshot.ts';
import { type MomentRecord, type MomentRow, momentFromRow } from '../decision/moments.ts';
import type { Reader } from '../engine/store.ts';
import { readingsBetween } from './readings.ts';
import type { PackedProvenance } from './snapshots.ts';

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
  provenance: { kind: ExpectedSignal; source: string; observed_at: number; received_at: number }[];
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
     from env_snapshots where slot = ? and pocket_id = ?`,
    slot,
    pocket,
  );
  return {
    reading: reading ?? null,
    moment: moment ? momentFromRow(moment) : null,
    snapshot: row ? tracedSnapshot(row, slot) : null,
  };
}

/** The newest slot up to `until` at which anything was observed of a pocket. */
export async function latestSnapshotSlot(
  store: Reader,
  pocket: string,
  until: number,
): Promise<number | null> {
  const row = await store.get<{ slot: number | null }>(
    'select max(slot) as slot from env_snapshots where pocket_id = ? and slot <= ?',
    pocket,
    until,
  );
  return row?.slot ?? null;
}

/** The row holds times as seconds relative to the slot (see snapshots.ts). */
function tracedSnapshot(
  { completeness, substrate, provenance, crowd, ...values }: SnapshotRow,
  slot: number,
): TracedSnapshot {
  const { crowd: sensors = [], ...others }: Record<string, unknown> & { crowd?: PackedProvenance[] } =
    JSON.parse(provenance);
  const packed = [
    ...(Object.entries(others) as [ExpectedSignal, PackedProvenance][]),
    ...sensors.map((sensor) => ['crowd', sensor] as const),
  ];
  const at = (seconds: number) => slot + seconds * 1000;
  return {
    values,
    crowd,
    completeness,
    substrate,
    provenance: packed.map(([kind, [source, observed, received]]) => ({
      kind,
      source,
      observed_at: at(observed),
      received_at: at(received),
    })),
  };
}
