// Units that feeds name and the conversions between those of one dimension.
import { FeedShapeError } from '../adapter.ts';

interface Unit {
  dimension: string;
  /** Value in the dimension's base unit = value × factor + offset. */
  factor: number;
  offset?: number;
}

const units: Record<string, Unit> = {
  C: { dimension: 'temperature', factor: 1 },
  F: { dimension: 'temperature', factor: 5 / 9, offset: -160 / 9 },
  K: { dimension: 'temperature', factor: 1, offset: -273.15 },
  'km/h': { dimension: 'speed', factor: 1 },
  'm/s': { dimension: 'speed', factor: 3.6 },
  mph: { dimension: 'speed', factor: 1.609344 },
  knots: { dimension: 'speed', factor: 1.852 },
  mm: { dimension: 'length', factor: 1 },
  cm: { dimension: 'length', factor: 10 },
  m: { dimension: 'length', factor: 1000 },
  in: { dimension: 'length', factor: 25.4 },
  share: { dimension: 'share', factor: 1 },
  percent: { dimension: 'share', factor: 0.01 },
  hPa: { dimension: 'pressure', factor: 1 },
  Pa: { dimension: 'pressure', factor: 0.01 },
  kPa: { dimension: 'pressure', factor: 10 },
  'ug/m3': { dimension: 'mass concentration', factor: 1 },
  'mg/m3': { dimension: 'mass concentration', factor: 1000 },
  ppm: { dimension: 'volume concentration', factor: 1 },
  ppb: { dimension: 'volume concentration', factor: 0.001 },
  s: { dimension: 'duration', factor: 1 / 60 },
  min: { dimension: 'duration', factor: 1 },
  h: { dimension: 'duration', factor: 60 },
};

/**
 * Other spellings, in lower case: those of UCUM (SensorThings) and the codes of UN/CEFACT (NGSI-LD) among them. Prefixes
 * of vocabularies (`wmoUnit:`, `unit:`, `ucum:`) are cut off before.
 */
const spellings: Record<string, string> = {
  c: 'C',
  degc: 'C',
  'deg c': 'C',
  '°c': 'C',
  celsius: 'C',
  cel: 'C',
  f: 'F',
  degf: 'F',
  '°f': 'F',
  fahrenheit: 'F',
  '[degf]': 'F',
  fah: 'F',
  k: 'K',
  kelvin: 'K',
  kel: 'K',
  'km_h-1': 'km/h',
  kmh: 'km/h',
  kph: 'km/h',
  'm_s-1': 'm/s',
  'ms-1': 'm/s',
  mts: 'm/s',
  'mi/h': 'mph',
  'mp/h': 'mph',
  kt: 'knots',
  kn: 'knots',
  inch: 'in',
  mmt: 'mm',
  cmt: 'cm',
  mtr: 'm',
  '%': 'percent',
  percentage: 'percent',
  p1: 'percent',
  hpa: 'hPa',
  mbar: 'hPa',
  a97: 'hPa',
  pa: 'Pa',
  kpa: 'kPa',
  'µg/m³': 'ug/m3',
  'μg/m³': 'ug/m3',
  'µg/m3': 'ug/m3',
  'mg/m³': 'mg/m3',
  gq: 'ug/m3',
  gp: 'mg/m3',
};

function findUnit(name: string): Unit | undefined {
  const bare = name.trim().replace(/^\w+:/, '');
  const known = Object.hasOwn(units, bare) ? bare : spellings[bare.toLowerCase()];
  return known === undefined ? undefined : units[known];
}

/** Null where the feed names a unit that is not known, or one of another dimension: the value is not guessed. */
export function convert(value: number, from: string, to: string): number | null {
  if (from === to) return value;
  const [source, target] = [findUnit(from), findUnit(to)];
  if (!source || !target || source.dimension !== target.dimension) return null;
  if (source === target) return value;
  return (value * source.factor + (source.offset ?? 0) - (target.offset ?? 0)) / target.factor;
}

/** A mistake in the settings is reported as such, not as a bad value of each row. */
export function checkUnits(field: string, from: string | undefined, to: string): void {
  if (!findUnit(to))
    throw new FeedShapeError(`settings: ${field} has the unknown unit ${JSON.stringify(to)}`);
  if (from !== undefined && convert(0, from, to) === null)
    throw new FeedShapeError(
      `settings: ${field} cannot be converted from ${JSON.stringify(from)} to ${JSON.stringify(to)}`,
    );
}
