// Where the signals of a snapshot came from. The snapshots of a slot have much the same sources and times, so that theirs
// are packed together: a tenth of the room of a text in each row.
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { ExpectedSignal } from '../../domain/signals/signal.ts';
import type { Provenance, Snapshot } from '../../domain/signals/snapshot.ts';
import type { Reader, Transaction } from '../engine/store.ts';
import { signalsKeptFrom } from './signal-retention.ts';

/** So many that they are alike, and so few that one is read in a fraction of a millisecond. */
const PACKED_TOGETHER = 256;

/** A twentieth less than at the usual level; a pack takes a tenth of a millisecond. */
const params = { [constants.ZSTD_c_compressionLevel]: 6 };

/** Source, then when it was observed and received, in seconds relative to the slot, which makes the text short. */
type Times = [source: string, observed: number, received: number];
/** Of the crowd a list, since it may have several sensors. */
type PocketSources = Record<string, Times | Times[]> & { crowd?: Times[] };
type Pack = Record<string, PocketSources>;

export interface TracedSignal {
  kind: ExpectedSignal;
  source: string;
  observed_at: number;
  received_at: number;
}

/** Packs the provenance of snapshots; returns what the row of each says of it: the pack's name, its first pocket. */
export async function writeProvenance(
  tx: Transaction,
  snapshots: readonly Snapshot[],
): Promise<(snapshot: Snapshot) => string> {
  const names = new Map<Snapshot, string>();
  const packs = [];
  for (const [slot, own] of Map.groupBy(snapshots, (snapshot) => snapshot.slot))
    for (let at = 0; at < own.length; at += PACKED_TOGETHER) {
      const together = own.slice(at, at + PACKED_TOGETHER);
      const name = together[0]?.pocket_id ?? '';
      const pack: Pack = Object.fromEntries(
        together.map(({ pocket_id, provenance }) => [pocket_id, toSources(slot, provenance)]),
      );
      packs.push({ slot, name, provenance: zstdCompressSync(JSON.stringify(pack), { params }) });
      for (const snapshot of together) names.set(snapshot, name);
    }
  await tx.insert('provenance_packs', packs);
  return (snapshot) => names.get(snapshot) ?? '';
}

function toSources(slot: number, provenance: readonly Provenance[]): PocketSources {
  const times = ({ source, observed_at, received_at }: Provenance): Times => [
    source,
    (observed_at - slot) / 1000,
    (received_at - slot) / 1000,
  ];
  const crowd = provenance.filter(({ kind }) => kind === 'crowd').map(times);
  const others = provenance.filter(({ kind }) => kind !== 'crowd').map((one) => [one.kind, times(one)]);
  return { ...Object.fromEntries(others), ...(crowd.length && { crowd }) };
}

/** `stored` is what the row of the snapshot says of it. Null where it was let go since that row was read. */
export async function readProvenance(
  store: Reader,
  { slot, pocket, stored }: { slot: number; pocket: string; stored: string },
): Promise<TracedSignal[] | null> {
  const sources = await readSources(store, slot, pocket, stored);
  if (!sources) return null;
  const { crowd = [], ...others } = sources;
  const all = [
    ...(Object.entries(others) as [ExpectedSignal, Times][]),
    ...crowd.map((sensor) => ['crowd', sensor] as [ExpectedSignal, Times]),
  ];
  const at = (seconds: number) => slot + seconds * 1000;
  return all.map(([kind, [source, observed, received]]) => ({
    kind,
    source,
    observed_at: at(observed),
    received_at: at(received),
  }));
}

async function readSources(
  store: Reader,
  slot: number,
  pocket: string,
  stored: string,
): Promise<PocketSources | null> {
  // As versions up to 1.0 stored it.
  if (stored.startsWith('{')) return JSON.parse(stored);
  const row = await store.get<{ provenance: Uint8Array }>(
    'select provenance from provenance_packs where slot = ? and name = ?',
    slot,
    stored,
  );
  const pack: Pack = row ? JSON.parse(zstdDecompressSync(row.provenance).toString()) : {};
  const own = pack[pocket];
  if (own) return own;
  if (slot < ((await signalsKeptFrom(store)) ?? 0)) return null;
  throw new Error(`the provenance of ${pocket} at ${slot} is missing`);
}
