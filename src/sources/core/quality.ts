// What may be believed of a feed's rows: a rule a function. A row that breaks one is left out and counted in the health
// of its feed; only a clock that is off by less than a minute and swapped coordinates are put right.
import type { Pocket } from '../../domain/city/city.ts';
import { MINUTE } from '../../domain/time/slot.ts';
import type { Feed, FieldUse } from './feed.ts';
import { isFrozen, type SensorRun } from './frozen.ts';
import {
  isOverCapacity,
  isUsed,
  type Judged,
  judgeRows,
  type SaidRow,
  type TimedRow,
  withSaid,
} from './meaning/judge-rows.ts';
import { countFault, type FaultCounts, type Measurement, type RowFault } from './measurement.ts';
import type { Reach } from './place.ts';
import { type Admit, admitRows, noPlaces } from './place-limits.ts';
import { isPlaceId } from './rows/place-id.ts';
import { rowPosition } from './rows/position.ts';

/** Clocks of publishers may be ahead of ours by this much. */
export const MAX_SKEW_MS = MINUTE;

/**
 * The time of a value, or its fault. A value is known `stamp_minutes` after the time that the feed states; one that is
 * known up to a minute after its receipt comes from a clock that is ahead, and counts from the receipt.
 */
export function observedTime(
  observed_at: number | null,
  received_at: number,
  { stamp_minutes = 0, fresh_minutes }: FieldUse,
): number | null | RowFault {
  if (observed_at === null) return null;
  if (!Number.isSafeInteger(observed_at)) return 'bad_time';
  const known = observed_at + stamp_minutes * MINUTE;
  if (known > received_at + MAX_SKEW_MS) return 'future';
  if (received_at - known > fresh_minutes * MINUTE) return 'stale';
  return known > received_at ? received_at - stamp_minutes * MINUTE : observed_at;
}

/** Dry weather lasts for weeks: no rain is the one value that a sensor may hold as long as it likes. */
const mayStandStill = (value: number, { measures }: FieldUse): boolean =>
  measures === 'rain_mm' && value === 0;

export interface Checked<Row extends Measurement> {
  /** Rows that may be used and that count for a pocket: values, and places that say that they are closed. */
  kept: SaidRow<Row>[];
  /** Rows by which a place has no data: its older values are not used beyond them. */
  no_data: SaidRow<Row>[];
  faults: FaultCounts;
  /** Runs that changed, by `sensorKey`. */
  runs: Map<string, SensorRun>;
  pockets: Set<string>;
  places: Set<string>;
  /** Places of which a row was taken, those without data too, each with the nearest of its pockets. */
  seen: Map<string, string>;
  /** The newest time of a row, stale ones included: how old the feed itself is. */
  newest_observed: number | null;
  /** Places that showed more than is stated of them, with the most of these rows. */
  over_capacity: Map<string, { shown: number; stated: number }>;
}

export interface CheckContext {
  feed: Feed;
  pockets: readonly Pocket[];
  find: (feed: Feed, place: Pick<Measurement, 'place_id' | 'lat' | 'lng'>) => readonly Reach[];
  received_at: number;
  /** What is remembered of the feed's sensors, by `sensorKey`. */
  runs: ReadonlyMap<string, SensorRun>;
  /** Bounds what one poll keeps; default: as if the feed had no places before. */
  admit?: Admit;
}

/** Applies all rules to the rows of one poll. Fields that the city does not use and places out of reach are passed over. */
export function checkRows<Row extends Measurement>(
  rows: readonly Row[],
  context: CheckContext,
): Checked<Row> {
  const { feed, pockets, find, received_at, admit = admitRows(feed, noPlaces) } = context;
  const result: Checked<Row> = {
    kept: [],
    no_data: [],
    faults: {},
    runs: new Map(),
    pockets: new Set(),
    places: new Set(),
    seen: new Map(),
    newest_observed: null,
    over_capacity: new Map(),
  };
  const usable: TimedRow<Row>[] = [];
  const reaches = new Map<string, readonly Reach[]>();
  const badPlaces = new Set<string>();
  for (const row of rows) {
    if (!isUsed(feed, row.field)) continue;
    if (!isPlaceId(row.place_id)) {
      countFault(result.faults, 'bad_value');
      continue;
    }
    const { position, fault: misplaced } = rowPosition(row, pockets);
    // A place has one position for all its fields: its fault is counted once.
    if (misplaced && !badPlaces.has(row.place_id)) countFault(result.faults, 'bad_position');
    if (misplaced) badPlaces.add(row.place_id);
    const at = { place_id: row.place_id, lat: position?.lat ?? null, lng: position?.lng ?? null };
    const near = find(feed, at);
    const [nearest] = near;
    if (!nearest) continue;
    const use = Object.hasOwn(feed.fields, row.field) ? feed.fields[row.field] : undefined;
    if (!use) {
      usable.push({ row, at: received_at });
      continue;
    }
    const observed_at = observedTime(row.observed_at, received_at, use);
    if (row.observed_at !== null && observed_at !== 'future' && observed_at !== 'bad_time')
      result.newest_observed = Math.max(result.newest_observed ?? 0, Math.min(row.observed_at, received_at));
    if (typeof observed_at === 'string') {
      countFault(result.faults, observed_at);
      continue;
    }
    const refused = admit(row, nearest.pocket_id);
    if (refused) {
      countFault(result.faults, refused);
      continue;
    }
    reaches.set(row.place_id, near);
    usable.push({ row: { ...row, ...at, observed_at }, at: observed_at ?? row.arrived_at ?? received_at });
  }
  const runs = new Map(context.runs);
  for (const judged of judgeRows(usable, feed, runs)) {
    const { row, use, said, fault, run } = judged;
    if (fault) countFault(result.faults, fault);
    if (said === undefined) continue;
    result.seen.set(row.place_id, reaches.get(row.place_id)?.[0]?.pocket_id ?? '');
    if (said === 'no_data') {
      result.no_data.push(withSaid(judged, said));
      continue;
    }
    if (isOverCapacity(judged)) countOver(result, judged);
    if (run && said === run.value && isFrozen(run) && !mayStandStill(said, use)) {
      countFault(result.faults, 'frozen');
      continue;
    }
    result.kept.push(withSaid(judged, said));
    result.places.add(row.place_id);
    for (const { pocket_id } of reaches.get(row.place_id) ?? []) result.pockets.add(pocket_id);
  }
  for (const [key, run] of runs) if (run !== context.runs.get(key)) result.runs.set(key, run);
  return result;
}

function countOver<Row extends Measurement>(
  { faults, over_capacity }: Checked<Row>,
  { row, stated = 0 }: Judged<Row>,
): void {
  countFault(faults, 'over_capacity');
  const shown = Math.max(row.value, over_capacity.get(row.place_id)?.shown ?? row.value);
  over_capacity.set(row.place_id, { shown, stated });
}
