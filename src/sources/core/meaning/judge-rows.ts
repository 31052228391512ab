// What the rows of a feed say: a value, that a place is closed, or nothing. One set of rules for live feeds and replays.
import { SLOT } from '../../../domain/time/slot.ts';
import { type Feed, type FeedPlace, type FieldUse, type PlaceState, statedPlace } from '../feed.ts';
import { nextRun, type SensorRun, sensorKey } from '../frozen.ts';
import type { Measurement, RowFault } from '../measurement.ts';
import { type Said, saidValue } from './place-state.ts';
import { closedTogether, mayBeFull, zeroMeaning } from './zero-meaning.ts';

/** Not a number, outside what the field can be, or a zero that means "no data". */
export function valueFault(
  value: number,
  { zero, least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY }: FieldUse,
): Extract<RowFault, 'bad_value' | 'no_data'> | null {
  if (value === 0 && zero === 'no_data') return 'no_data';
  return Number.isFinite(value) && value >= least && value <= most ? null : 'bad_value';
}

/** A row with its time, epoch milliseconds. */
export interface TimedRow<Row extends Measurement> {
  row: Row;
  at: number;
}

export interface Judged<Row extends Measurement> extends TimedRow<Row> {
  use: FieldUse;
  /** Undefined: the row is left out, and what was known before still holds. */
  said: Said | undefined;
  /** Why it has no value; absent also for a number beside which a state stands. */
  fault?: RowFault;
  /** What is remembered of the sensor after the row. */
  run: SensorRun | undefined;
  /** The upper end of its range as stated, and as its largest value shows it to be. */
  stated?: number;
  high?: number;
}

/** Whether a field of a feed has a use: its value, or that it gives the capacity for another. */
export const isUsed = ({ fields }: Pick<Feed, 'fields'>, field: string): boolean =>
  Object.hasOwn(fields, field) || Object.values(fields).some(({ capacity }) => capacity === field);

/**
 * Judges the rows of one feed, in order of time; rows of fields that are not used are passed over. `runs` is what is
 * remembered of the feed's sensors, by `sensorKey`, and is brought up to date.
 */
export function judgeRows<Row extends Measurement>(
  rows: readonly TimedRow<Row>[],
  feed: Pick<Feed, 'fields' | 'places'>,
  runs: Map<string, SensorRun>,
): Judged<Row>[] {
  const byField = Map.groupBy(rows, ({ row }) => row.field);
  return [...byField].flatMap(([field, own]) => {
    const use = Object.hasOwn(feed.fields, field) ? feed.fields[field] : undefined;
    if (!use) return [];
    const given = statedCapacities(byField.get(use.capacity ?? '') ?? []);
    return judgeField(own, use, runs, (place_id) => ({
      given: given.get(place_id),
      place: statedPlace(feed, place_id),
    }));
  });
}

/** What a feed says how many its places hold. */
const statedCapacities = <Row extends Measurement>(rows: readonly TimedRow<Row>[]): Map<string, number> =>
  new Map(rows.filter(({ row }) => row.value > 0).map(({ row }) => [row.place_id, row.value]));

/** What is stated of a place's capacity: by its feed in these rows, and by the city's file. */
type CapacityOf = (place_id: string) => { given: number | undefined; place: FeedPlace | undefined };

function judgeField<Row extends Measurement>(
  rows: readonly TimedRow<Row>[],
  use: FieldUse,
  runs: Map<string, SensorRun>,
  capacityOf: CapacityOf,
): Judged<Row>[] {
  const { single, repeated } = withoutRepeats(rows);
  const judged: Judged<Row>[] = repeated.map((timed) => ({ ...timed, use, said: undefined, run: undefined }));
  for (const round of splitRounds(single.sort((a, b) => a.at - b.at))) {
    const closed =
      use.measures === 'crowd' && use.zero === undefined && closedTogether(newerNumbers(round, runs));
    for (const timed of round) {
      const key = sensorKey(timed.row);
      const before = runs.get(key);
      const { given, place } = capacityOf(timed.row.place_id);
      const capacity = given ?? before?.capacity ?? null;
      const stated = place?.capacity ?? capacity ?? use.range?.high;
      const { said, fault, zero } = rowMeaning(timed, use, before, closed, highest(stated, before?.largest));
      const value = typeof said === 'number' ? said : zero === 'no_data' ? 0 : undefined;
      let run = before;
      if (value !== undefined) {
        run = nextRun(before, value, timed.at);
        if (run !== before) run = { ...run, capacity, zero: zero ?? run.zero };
        runs.set(key, run);
      }
      const high = highest(stated, run?.largest);
      const range = stated !== undefined && high !== undefined ? { stated, high } : {};
      judged.push({ ...timed, use, said, ...(fault && { fault }), run, ...range });
    }
  }
  return judged;
}

/** A stated end of a range that was exceeded is wrong: capacities change, and files are not always brought up to date. */
const highest = (stated: number | undefined, largest = Number.NEGATIVE_INFINITY): number | undefined =>
  stated === undefined ? undefined : Math.max(stated, largest);

/** A row with what it says, as it is kept: a state only where there is no value. */
export type SaidRow<Row extends Measurement> = Omit<Row, 'state'> & { state?: 'closed' | 'no_data' };

export function withSaid<Row extends Measurement>(
  { row: { state: _, ...row }, high }: Pick<Judged<Row>, 'row' | 'high'>,
  said: Said,
): SaidRow<Row> {
  const kept = high === undefined ? row : { ...row, high };
  return typeof said === 'number' ? { ...kept, value: said } : { ...kept, value: Number.NaN, state: said };
}

/** Whether a value is beyond what is stated of its place. */
export const isOverCapacity = <Row extends Measurement>({ said, stated }: Judged<Row>): boolean =>
  typeof said === 'number' && stated !== undefined && said > stated;

interface Meaning {
  said: Said | undefined;
  fault?: RowFault;
  /** Of a 0 whose meaning is remembered for as long as the zeros last. */
  zero?: 'value' | 'no_data';
}

const unknown: Meaning = { said: 'no_data', fault: 'zero_unknown', zero: 'no_data' };

function rowMeaning<Row extends Measurement>(
  { row, at }: TimedRow<Row>,
  use: FieldUse,
  run: SensorRun | undefined,
  closed: boolean,
  high: number | undefined,
): Meaning {
  const state = row.state ?? stateOfNumber(row.value, use);
  if (state === 'bad_value') return { said: undefined, fault: 'bad_value' };
  if (state === 'full' && !mayBeFull(run, at, use)) return unknown;
  if (state !== undefined) {
    const said = saidValue(state, use, high);
    if (said === 'no_data') return { said, fault: 'no_data' };
    return said === 0 ? { said, zero: 'value' } : { said };
  }
  if (row.value !== 0 || use.measures !== 'crowd' || use.zero === 'value') return { said: row.value };
  // Feeds repeat what they gave before: such a zero was judged when it was new.
  if (run && at <= run.until) return { said: undefined };
  if (closed || zeroMeaning(run, at, use) === 'no_data') return unknown;
  return { said: 0, zero: 'value' };
}

/** What the city's file says of a 0, or that a number cannot be; undefined for a number to be taken as it is. */
function stateOfNumber(value: number, use: FieldUse): PlaceState | 'bad_value' | undefined {
  if (value === 0 && use.zero !== undefined && use.zero !== 'value') return use.zero;
  return valueFault(value, use) ?? undefined;
}

/** Of a place and time the first row counts, and a state before a number. */
function withoutRepeats<Row extends Measurement>(rows: readonly TimedRow<Row>[]) {
  const first = new Map<string, TimedRow<Row>>();
  const repeated: (TimedRow<Row> & { fault?: RowFault })[] = [];
  for (const timed of rows) {
    const key = `${timed.at} ${timed.row.place_id}`;
    const held = first.get(key);
    const replaces = held && held.row.state === undefined && timed.row.state !== undefined;
    if (!held || replaces) first.set(key, timed);
    if (!held) continue;
    const isBesideState = (held.row.state === undefined) !== (timed.row.state === undefined);
    repeated.push({ ...(replaces ? held : timed), ...(!isBesideState && { fault: 'duplicate' as const }) });
  }
  return { single: [...first.values()], repeated };
}

/** Rows in order of time, as rounds in which each place occurs once: what the feed knew at one time. */
function* splitRounds<Row extends Measurement>(rows: readonly TimedRow<Row>[]): Generator<TimedRow<Row>[]> {
  let round: TimedRow<Row>[] = [];
  const places = new Set<string>();
  for (const [at, together] of Map.groupBy(rows, (timed) => timed.at)) {
    const began = round[0]?.at ?? at;
    if (at - began > SLOT || together.some(({ row }) => places.has(row.place_id))) {
      yield round;
      round = [];
      places.clear();
    }
    for (const timed of together) {
      round.push(timed);
      places.add(timed.row.place_id);
    }
  }
  if (round.length > 0) yield round;
}

/** The numbers of a round that are newer than what is remembered, with what each place showed before. */
const newerNumbers = <Row extends Measurement>(
  round: readonly TimedRow<Row>[],
  runs: ReadonlyMap<string, SensorRun>,
): { run: SensorRun | undefined; value: number }[] =>
  round
    .filter(({ row }) => row.state === undefined)
    .map(({ row, at }) => ({ run: runs.get(sensorKey(row)), value: row.value, at }))
    .filter(({ run, at }) => !run || at > run.until);
