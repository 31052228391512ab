// Gathers what a parser reads from one body: measurements, and the faults of rows that it left out.

import type { Position } from '../../../domain/city/distance.ts';
import type { FeedRequest, ParsedFeed } from '../../core/adapter.ts';
import { countFault, type FaultCounts, type RowFault } from '../../core/measurement.ts';
import { combineMeasurements } from '../../core/rows/combine.ts';
import { readPosition } from '../../core/rows/position.ts';

/** A value, that the place is closed, or why there is none; undefined where the feed does not promise one. */
export type ReadValue = number | 'closed' | RowFault | undefined;

export interface Collector {
  /** Adds the values of one place at one time. Without an id or a time all of them are left out, and counted once. */
  add(
    place_id: string | undefined,
    position: Position | null,
    observed_at: number | null | RowFault,
    values: Record<string, ReadValue>,
  ): void;
  fault(fault: RowFault, count?: number): void;
  /** Reads a position and counts its fault. */
  position(lat: unknown, lng: unknown): Position | null;
  result(next?: FeedRequest[]): ParsedFeed;
}

export function collector(feed: string, city: readonly Position[]): Collector {
  const faults: FaultCounts = {};
  const rows = combineMeasurements(undefined, faults);
  const fault = (name: RowFault, count = 1) => countFault(faults, name, count);
  return {
    fault,
    add(place_id, position, observed_at, values) {
      if (place_id === undefined) return fault('bad_value');
      if (typeof observed_at === 'string') return fault(observed_at);
      const { lat, lng } = position ?? { lat: null, lng: null };
      for (const [field, value] of Object.entries(values)) {
        if (value === undefined) continue;
        const row = { feed, place_id, lat, lng, field, observed_at };
        if (value === 'closed') rows.add({ ...row, value: Number.NaN, state: value });
        else if (typeof value === 'string') fault(value);
        else if (Number.isFinite(value)) rows.add({ ...row, value });
        else fault('bad_value');
      }
    },
    position(lat, lng) {
      const read = readPosition(lat, lng, city);
      if (read.fault) fault('bad_position');
      return read.position;
    },
    result: (next = []) => ({ measurements: rows.all(), faults, next }),
  };
}

/** Rows of places that a feed may list more than once: the newest of each counts, the others are duplicates. */
export function newestRows<Row>(out: Collector) {
  const newest = new Map<string, { time: number; row: Row }>();
  return {
    rows: newest,
    add(id: string | undefined, time: number | RowFault, row: Row): void {
      if (id === undefined) out.fault('bad_value');
      else if (typeof time === 'string') out.fault(time);
      else {
        const other = newest.get(id);
        if (other) out.fault('duplicate');
        if (!other || other.time < time) newest.set(id, { time, row });
      }
    },
  };
}
