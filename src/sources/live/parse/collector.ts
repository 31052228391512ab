// Gathers what a parser reads from one body: measurements, and the faults of rows that it left out.

import type { Position } from '../../../domain/city/distance.ts';
import { type FeedRequest, FeedShapeError, MOST_VALUES, type ParsedFeed } from '../../core/adapter.ts';
import type { Measurement, RowFault } from '../../core/measurement.ts';
import { readPosition } from './position.ts';

/** A value, that the place is closed, or why there is none; undefined where the feed does not promise one. */
export type ReadValue = number | 'closed' | RowFault | undefined;

export interface Collector {
  /** Adds the values of one place at one time. A fault in the time is counted once and leaves all of them out. */
  add(
    place_id: string,
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
  const measurements: Measurement[] = [];
  const faults: Partial<Record<RowFault, number>> = {};
  const seen = new Set<string>();
  const fault = (name: RowFault, count = 1) => {
    if (count > 0) faults[name] = (faults[name] ?? 0) + count;
  };
  return {
    fault,
    add(place_id, position, observed_at, values) {
      if (typeof observed_at === 'string') return fault(observed_at);
      for (const [field, value] of Object.entries(values)) {
        if (value === undefined) continue;
        const fails = faultOf(value);
        const key = JSON.stringify([place_id, field, observed_at]);
        if (fails) fault(fails);
        else if (seen.has(key)) fault('duplicate');
        else {
          if (seen.size >= MOST_VALUES) throw new FeedShapeError(`expected at most ${MOST_VALUES} values`);
          seen.add(key);
          const { lat, lng } = position ?? { lat: null, lng: null };
          const read = value === 'closed' ? { value: Number.NaN, state: value } : { value: Number(value) };
          measurements.push({ feed, place_id, lat, lng, field, ...read, observed_at });
        }
      }
    },
    position(lat, lng) {
      const read = readPosition(lat, lng, city);
      if (read.fault) fault('bad_position');
      return read.position;
    },
    result: (next = []) => ({ measurements, faults, next }),
  };
}

function faultOf(value: NonNullable<ReadValue>): RowFault | null {
  if (typeof value === 'string') return value === 'closed' ? null : value;
  return Number.isFinite(value) ? null : 'bad_value';
}
