// Rows of a table or of a JSON list → measurements. Pure: the same rows and settings give the same measurements.

import { metresBetween, type Position } from '../../../domain/city/distance.ts';
import type { FeedOf, Poll } from '../../core/adapter.ts';
import type { PlaceState } from '../../core/feed.ts';
import { type FieldState, type ReadStates, stateReader } from '../../core/meaning/place-state.ts';
import { countFault, type FaultCounts, type Measurement } from '../../core/measurement.ts';
import { combineMeasurements } from '../../core/rows/combine.ts';
import { type NumberFault, parseNumber, scalarText } from '../../core/rows/number.ts';
import { parsePlaceId } from '../../core/rows/place-id.ts';
import { type ReadPosition, readPosition, splitCoordinates } from '../../core/rows/position.ts';
import { checkUnits, convert } from '../../core/rows/units.ts';
import { type Access, compileCondition } from './condition.ts';
import { type ObservedTime, observedTime } from './observed-time.ts';
import type { FieldRead, ReadSettings } from './settings.ts';

export interface ReadContext {
  /** Id of the feed in `sources.json`. */
  feed: string;
  now: number;
  /** Zone of the city. */
  time_zone: string;
  /** Centres of the pockets. */
  points: readonly Position[];
  /** Values of names in braces that belong to the whole body: `{id}` and `{point}` of its request. */
  names: Readonly<Record<string, string>>;
  /** Position of the place where the rows give none: the point that was asked for. */
  position: Position | null;
  /** What the feed says with words; any other is a bad value. */
  states: ReadStates;
}

export const readContext = (
  feed: Pick<FeedOf<unknown>, 'id' | 'fields'>,
  { now, time_zone, points }: Poll,
  names: ReadContext['names'] = {},
  position: Position | null = null,
): ReadContext => ({
  feed: feed.id,
  now,
  time_zone,
  points,
  names,
  position,
  states: stateReader([feed]),
});

/** For checking settings without rows; `names` are those in braces that have a value. */
export const contextForCheck = (names: ReadContext['names']): ReadContext =>
  readContext({ id: 'a' }, { now: 0, time_zone: 'UTC', points: [] }, names);

export interface ReadResult {
  measurements: Measurement[];
  faults: FaultCounts;
}

interface FieldReader<Row> {
  field: string;
  spec: FieldRead;
  get(row: Row): unknown;
  unit: ((row: Row) => unknown) | null;
}

/** `access` turns a reference (a pointer, a column) into a function of a row; braces are resolved before it. */
export function readRows<Row>(
  rows: Iterable<Row>,
  settings: ReadSettings,
  accessRow: Access<Row>,
  context: ReadContext,
): ReadResult {
  const access: Access<Row> = (reference) => {
    const name = /^\{(\w+)\}$/.exec(reference)?.[1];
    const known = name !== undefined && Object.hasOwn(context.names, name) ? context.names[name] : undefined;
    return known === undefined ? accessRow(reference) : () => known;
  };
  const readPlace = placeReader(settings, access);
  const readRowPosition = positionReader(settings, access, context);
  const readTime = createTimeReader(settings, access, context);
  const readFields = fieldReaders(settings, access);
  const filters = (settings.filter ?? []).map((condition) => compileCondition(condition, access));
  const empties = (settings.no_data_when ?? []).map((condition) => compileCondition(condition, access));
  const readState = stateConditions(settings, access);

  const since = context.now - (settings.since_hours ?? Number.POSITIVE_INFINITY) * 3_600_000;

  const faults: FaultCounts = {};
  const combined = combineMeasurements(settings.combine, faults);

  for (const row of rows) {
    if (!filters.every((holds) => holds(row))) continue;
    const fields = readFields(row);
    if (fields.length === 0) continue;
    const place_id = readPlace(row);
    if (place_id === undefined) {
      countFault(faults, 'bad_value');
      continue;
    }
    const { position, fault } = readRowPosition(row);
    if (settings.within_km !== undefined && !isWithin(position, settings.within_km, context.points)) continue;
    if (fault) countFault(faults, 'bad_position');
    const empty = empties.some((holds) => holds(row));
    const state = readState(row);
    for (const field of fields) {
      const stated = state ? [{ field: field.field, state }] : statedBy(field, row, context);
      const reading = stated ? undefined : empty ? 'no_data' : readField(field, row, settings);
      const observed_at = readTime(row, `${place_id} ${field.field}`);
      if (observed_at === undefined) {
        countFault(faults, typeof reading === 'string' ? reading : 'bad_time');
        continue;
      }
      if (observed_at !== null && observed_at < since) continue;
      const key = {
        feed: context.feed,
        place_id,
        lat: position?.lat ?? null,
        lng: position?.lng ?? null,
        field: field.field,
        observed_at,
      };
      for (const says of stated ?? []) combined.add({ ...key, ...says, value: Number.NaN });
      if (typeof reading === 'number') combined.add({ ...key, value: reading });
      else if (reading) {
        countFault(faults, reading);
        combined.missing(key);
      }
    }
  }
  return { measurements: combined.all(), faults };
}

/** The state of a row's place by its conditions. A closed place is closed, whatever else holds. */
function stateConditions<Row>(
  { closed_when = [], full_when = [], empty_when = [] }: ReadSettings,
  access: Access<Row>,
): (row: Row) => PlaceState | undefined {
  const states = (
    [
      ['closed', closed_when],
      ['full', full_when],
      ['empty', empty_when],
    ] as const
  ).map(([state, conditions]) => ({
    state,
    conditions: conditions.map((condition) => compileCondition(condition, access)),
  }));
  return (row) => states.find(({ conditions }) => conditions.some((holds) => holds(row)))?.state;
}

/** What the text of a field says in the place of a number. */
const statedBy = <Row>(
  { field, get }: FieldReader<Row>,
  row: Row,
  { feed, states }: ReadContext,
): readonly FieldState[] | undefined => states(feed, field, scalarText(get(row) ?? null) ?? '');

const isWithin = (position: Position | null, km: number, points: readonly Position[]): boolean =>
  position !== null && points.some((point) => metresBetween(position, point) <= km * 1000);

function placeReader<Row>({ place }: ReadSettings, access: Access<Row>): (row: Row) => string | undefined {
  const get = typeof place === 'string' ? access(place) : () => place.constant;
  return (row) => parsePlaceId(get(row));
}

function positionReader<Row>(settings: ReadSettings, access: Access<Row>, context: ReadContext) {
  const { order = 'lng,lat' } = settings;
  const lat = settings.lat === undefined ? null : access(settings.lat);
  const lng = settings.lng === undefined ? null : access(settings.lng);
  const coordinates = settings.coordinates === undefined ? null : access(settings.coordinates);
  return (row: Row): ReadPosition => {
    if (coordinates) return readPosition(...splitCoordinates(coordinates(row), order), context.points);
    if (lat && lng) return readPosition(lat(row), lng(row), context.points);
    return { position: context.position, fault: false };
  };
}

/** Null where the feed gives no times, undefined where it does and this row has none that can be read. */
function createTimeReader<Row>({ time, combine }: ReadSettings, access: Access<Row>, context: ReadContext) {
  if (!time) return () => null;
  const parts = [time.at].flat().map((reference) => access(reference));
  const read: ObservedTime = observedTime(time, { zone: context.time_zone, now: context.now });
  // Rows that are added up share their time, so that their order does not tell the two passes of a repeated hour apart.
  let row_number = 0;
  return (row: Row, series: string): number | undefined => {
    row_number += 1;
    return (
      read(
        parts.map((get) => get(row)),
        combine ? `${series} ${row_number}` : series,
      ) ?? undefined
    );
  };
}

/** The fields that a row holds: all of them, or in the long format the one that the row names. */
function fieldReaders<Row>(settings: ReadSettings, access: Access<Row>): (row: Row) => FieldReader<Row>[] {
  const readName = settings.field_name === undefined ? null : access(settings.field_name);
  const value = settings.value === undefined ? null : access(settings.value);
  const all: FieldReader<Row>[] = [];
  const byName = new Map<string, FieldReader<Row>[]>();
  for (const [field, given] of Object.entries(settings.fields)) {
    const spec: FieldRead = typeof given === 'string' ? { at: given } : given;
    if (spec.to !== undefined) checkUnits(field, spec.unit, spec.to);
    const reader: FieldReader<Row> = {
      field,
      spec,
      get:
        spec.constant !== undefined
          ? () => spec.constant
          : spec.at === undefined
            ? (value ?? access(field))
            : access(spec.at),
      unit: spec.unit_at === undefined ? null : access(spec.unit_at),
    };
    all.push(reader);
    for (const name of [spec.name ?? field].flat()) byName.set(name, [...(byName.get(name) ?? []), reader]);
  }
  if (!readName) return () => all;
  return (row) => byName.get(scalarText(readName(row) ?? null) ?? '') ?? [];
}

function readField<Row>(
  { spec, get, unit }: FieldReader<Row>,
  row: Row,
  settings: ReadSettings,
): number | NumberFault {
  let value: number | NumberFault | null = parseNumber(get(row), spec, settings.numbers);
  if (typeof value === 'string') return value;
  if (spec.to !== undefined) {
    const from = unit ? scalarText(unit(row) ?? null) : spec.unit;
    value = from ? convert(value, from, spec.to) : null;
  }
  if (value === null) return 'bad_value';
  value = value * (spec.factor ?? 1) + (spec.offset ?? 0);
  return Number.isFinite(value) ? value : 'bad_value';
}
