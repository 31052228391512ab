import type { Pocket } from '../city/city.ts';
import { MINUTE } from '../time/slot.ts';
import { type PocketSignal, pocketSignalKinds, pocketSignals, type Signal } from './signal.ts';

/** The fresh measurements of one pocket at one slot, and the source of each (docs/formulas.md, "Completeness"). */
export interface Snapshot {
  pocket_id: string;
  slot: number;
  /** Null where the measurement was absent or stale. */
  values: Record<PocketSignal, number | null>;
  /** Share of the expected signals that are fresh. */
  completeness: number;
  provenance: Provenance[];
}

export interface Provenance {
  kind: PocketSignal;
  source: string;
  observed_at: number;
  received_at: number;
  fresh: boolean;
}

const isPocketSignal = (kind: string): kind is PocketSignal => kind in pocketSignals;

/** One snapshot for each pocket, from its newest signal of each kind. */
export function snapshots(pockets: readonly Pocket[], slot: number, signals: readonly Signal[]): Snapshot[] {
  const latest = new Map<string, Map<PocketSignal, Signal>>();
  for (const pocket of pockets) latest.set(pocket.id, new Map());
  for (const signal of signals) {
    const { kind } = signal;
    // A feed controls its timestamps; a signal from after the slot must not be used in it.
    if (!isPocketSignal(kind) || signal.observed_at > slot) continue;
    const ofPocket = latest.get(signal.pocket_id);
    const newest = ofPocket?.get(kind);
    if (!newest || newest.observed_at < signal.observed_at) ofPocket?.set(kind, signal);
  }
  return pockets.map((pocket) => snapshot(pocket.id, slot, latest.get(pocket.id) ?? new Map()));
}

function snapshot(pocket_id: string, slot: number, known: Map<PocketSignal, Signal>): Snapshot {
  const values = {} as Snapshot['values'];
  const provenance: Provenance[] = [];
  let fresh = 0;
  for (const kind of pocketSignalKinds) {
    const signal = known.get(kind);
    const isFresh =
      signal !== undefined && slot - signal.observed_at <= pocketSignals[kind].fresh_minutes * MINUTE;
    values[kind] = isFresh ? signal.value : null;
    if (isFresh) fresh += 1;
    if (signal) {
      const { source, observed_at, received_at } = signal;
      provenance.push({ kind, source, observed_at, received_at, fresh: isFresh });
    }
  }
  return { pocket_id, slot, values, completeness: fresh / pocketSignalKinds.length, provenance };
}
