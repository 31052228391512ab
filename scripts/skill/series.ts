import { CsvError } from '../../src/sources/core/rows/table.ts';
import type { Sheet } from '../../src/sources/csv.ts';

/** Measurements of a file on a regular grid of slots; NaN where nothing was measured. */
export interface Series {
  stepMinutes: number;
  /** The grid index of the first slot: epoch minutes / stepMinutes. */
  firstSlot: number;
  slots: number;
  places: string[];
  /** Place by place, `slots` values each. */
  values: Float64Array;
  valueName: string;
  exogenousNames: string[];
  /** Column by column, each laid out as `values`. */
  exogenous: Float64Array[];
  /** Minutes by which the local clock is ahead of UTC, for each slot: that of the last row at or before it. */
  offsetMinutes: Int16Array;
  /** 1 where a row of that slot is marked as a holiday. */
  holiday: Uint8Array;
}

const MINUTE = 60_000;
const STEPS = [5, 10, 15, 20, 30, 60, 120, 180];
const NOT_EXOGENOUS = new Set(['timestamp', 'place', 'suspect', 'holiday']);

interface Row {
  time: number;
  offset: number;
  place: number;
  fields: string[];
}

export function readSeries(sheet: Sheet, valueColumn?: string): Series {
  const { columns } = sheet;
  for (const needed of ['timestamp', 'place'])
    if (!columns.includes(needed)) throw new CsvError(`no column '${needed}' (found: ${columns.join(', ')})`);
  const places: string[] = [];
  const rows = readRows(sheet, places);
  if (rows.length === 0) throw new CsvError('no usable row');

  const readers = new Map<number, (text: string) => number>();
  for (const [at, name] of columns.entries())
    if (!NOT_EXOGENOUS.has(name)) readers.set(at, columnReader(rows, at, name));
  const valueAt = valueColumn === undefined ? firstNumeric(rows, columns) : columns.indexOf(valueColumn);
  if (valueAt < 0 || !readers.has(valueAt))
    throw new CsvError(
      `no numeric column to forecast${valueColumn === undefined ? '' : ` named '${valueColumn}'`}`,
    );

  const stepMinutes = usualStep(rows);
  const slotNumber = (time: number) => Math.round(time / MINUTE / stepMinutes);
  const firstSlot = slotNumber(rows[0]?.time ?? 0);
  const slots = slotNumber(rows.at(-1)?.time ?? 0) - firstSlot + 1;
  const readColumn = (at: number) => {
    const grid = new Float64Array(places.length * slots).fill(Number.NaN);
    const read = readers.get(at) ?? Number;
    for (const row of rows) {
      const text = row.fields[at] ?? '';
      if (!isBlank(text)) grid[row.place * slots + slotNumber(row.time) - firstSlot] = read(text);
    }
    return grid;
  };

  const offsetMinutes = new Int16Array(slots).fill(-1);
  const holiday = new Uint8Array(slots);
  const holidayAt = columns.indexOf('holiday');
  for (const row of rows) {
    const slot = slotNumber(row.time) - firstSlot;
    offsetMinutes[slot] = row.offset;
    if (holidayAt >= 0 && isHoliday(row.fields[holidayAt] ?? '')) holiday[slot] = 1;
  }
  fillOffsets(offsetMinutes, rows, slotNumber, firstSlot);
  const exogenousAt = [...readers.keys()].filter((at) => at !== valueAt);
  return {
    stepMinutes,
    firstSlot,
    slots,
    places,
    values: readColumn(valueAt),
    valueName: columns[valueAt] ?? '',
    exogenousNames: exogenousAt.map((at) => columns[at] ?? ''),
    exogenous: exogenousAt.map(readColumn),
    offsetMinutes,
    holiday,
  };
}

function readRows({ columns, rows }: Sheet, places: string[]): Row[] {
  const timeAt = columns.indexOf('timestamp');
  const placeAt = columns.indexOf('place');
  const suspectAt = columns.indexOf('suspect');
  const numbers = new Map<string, number>();
  const usable: Row[] = [];
  for (const [i, fields] of rows.entries()) {
    const stamp = (fields[timeAt] ?? '').trim();
    const name = fields[placeAt] ?? '';
    if (name === '') throw new CsvError(`row ${i + 2}: no place`);
    if (suspectAt >= 0 && isTrue(fields[suspectAt] ?? '')) continue;
    let place = numbers.get(name);
    if (place === undefined) {
      place = places.push(name) - 1;
      numbers.set(name, place);
    }
    const { time, offset } = parseTimestamp(stamp, i + 2);
    usable.push({ time, offset, place, fields });
  }
  return usable.sort((a, b) => a.time - b.time);
}

const isBlank = (text: string): boolean => /^(na|nan|null|none)?$/i.test(text.trim());

/** A flag, or the name of the holiday. */
const isHoliday = (text: string): boolean => !isBlank(text) && !/^(0|0\.0|false|no)$/i.test(text.trim());

const isTrue = (text: string): boolean => /^(1|true|yes)$/i.test(text.trim());

/** A timestamp without an offset is taken as a local clock without daylight saving. */
function parseTimestamp(stamp: string, line: number): { time: number; offset: number } {
  const zone = /(?:Z|([+-])(\d\d):?(\d\d))$/.exec(stamp);
  const text = zone ? stamp : `${stamp.replace(' ', 'T')}Z`;
  const time = Date.parse(text.replace(' ', 'T'));
  if (Number.isNaN(time)) throw new CsvError(`row ${line}: '${stamp}' is not an ISO 8601 time`);
  const minutes = zone?.[1] ? Number(zone[2]) * 60 + Number(zone[3]) : 0;
  return { time, offset: zone?.[1] === '-' ? -minutes : minutes };
}

/** The most frequent gap between successive times of one place, rounded to a usual step. */
function usualStep(rows: readonly Row[]): number {
  const last = new Map<number, number>();
  const counts = new Map<number, number>();
  for (const { place, time } of rows) {
    const before = last.get(place);
    last.set(place, time);
    if (before === undefined || time === before) continue;
    const gap = (time - before) / MINUTE;
    const step = STEPS.reduce((best, s) => (Math.abs(s - gap) < Math.abs(best - gap) ? s : best));
    counts.set(step, (counts.get(step) ?? 0) + 1);
  }
  const commonest = [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
  if (commonest === undefined) throw new CsvError('no place has two rows');
  if (commonest > 60)
    throw new CsvError(`steps of ${commonest} minutes are too long to forecast one hour ahead`);
  return commonest;
}

/** How a column is read: numbers as they are, the text of a weather forecast as a wetness of 0..1. */
function columnReader(rows: readonly Row[], at: number, name: string): (text: string) => number {
  const sample = rows.find((row) => !isBlank(row.fields[at] ?? ''))?.fields[at];
  if (sample === undefined || isNumeric(sample)) {
    return (text) => {
      if (!isNumeric(text)) throw new CsvError(`column '${name}' holds '${text}' among numbers`);
      return Number(text);
    };
  }
  return wetness;
}

const isNumeric = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text));

const wetness = (words: string): number =>
  /thunder|heavy/i.test(words) ? 1 : /shower|rain|drizzle|sleet|snow|storm/i.test(words) ? 0.6 : 0;

function firstNumeric(rows: readonly Row[], columns: readonly string[]): number {
  const valueColumn = columns.indexOf('value');
  if (valueColumn >= 0) return valueColumn;
  return columns.findIndex(
    (name, at) => !NOT_EXOGENOUS.has(name) && rows.some((row) => isNumeric(row.fields[at] ?? '')),
  );
}

/** Gives every slot the offset of the last row at or before it. */
function fillOffsets(
  offsets: Int16Array,
  rows: readonly Row[],
  slotNumber: (time: number) => number,
  firstSlot: number,
): void {
  let offset = rows[0]?.offset ?? 0;
  let next = 0;
  for (let slot = 0; slot < offsets.length; slot++) {
    while (next < rows.length && slotNumber(rows[next]?.time ?? 0) - firstSlot <= slot) {
      offset = rows[next]?.offset ?? offset;
      next += 1;
    }
    offsets[slot] = offset;
  }
}
