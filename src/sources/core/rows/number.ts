// Numbers as feeds write them: numbers, numbers as text, words with a meaning, words for "no data".
import type { RowFault } from '../measurement.ts';

export type NumberFault = Extract<RowFault, 'no_data' | 'bad_value'>;

/**
 * What feeds commonly write for an absent value, in lower case; none of these could be read as a number. Numbers such as
 * -999 are not among them: where they stand for "none" the publisher says so, and elsewhere they may be measured.
 */
const ABSENT = new Set([
  '',
  '-',
  '--',
  'na',
  'n/a',
  'nan',
  'nil',
  'null',
  'none',
  'unknown',
  'unavailable',
  'no data',
]);

/** Of a text without blanks around it. */
export const isAbsent = (text: string): boolean => ABSENT.has(text.toLowerCase());

/** As many digits as there are: some programs write out all 55 of a binary fraction. */
const PLAIN = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i;

/** What the city's file says of a feed's own words. */
export interface NumberMeaning {
  /** Values that mean: not measured. */
  no_data?: readonly (string | number)[];
  texts?: Readonly<Record<string, number>>;
}

export interface NumberFormat {
  decimal?: '.' | ',';
  thousands?: ',' | '.' | ' ' | "'";
}

/** A number, or the fault of what stands in its place: absent is not zero. */
export function parseNumber(
  raw: unknown,
  { no_data = [], texts = {} }: NumberMeaning = {},
  format: NumberFormat = {},
): number | NumberFault {
  if (raw === undefined || raw === null) return 'no_data';
  const text = scalarText(raw);
  if (text === null) return 'bad_value';
  if (Object.hasOwn(texts, text)) return texts[text] ?? 'bad_value';
  if (isAbsent(text)) return 'no_data';
  if (no_data.some((absent) => String(absent) === text)) return 'no_data';
  const value = typeof raw === 'number' ? raw : plainNumber(text, format);
  if (value === null || !Number.isFinite(value)) return 'bad_value';
  // "-999.0" is the same as -999, though the text differs.
  return no_data.some((absent) => absent === value || (absent !== '' && Number(absent) === value))
    ? 'no_data'
    : value;
}

/** As `parseNumber`, for what cannot be below zero: counts, amounts of rain, concentrations. */
export function parseAmount(raw: unknown): number | NumberFault {
  const number = parseNumber(raw);
  return typeof number === 'number' && number < 0 ? 'bad_value' : number;
}

/** The text of a scalar without blanks around it; null for lists and objects. */
export function scalarText(raw: unknown): string | null {
  if (typeof raw === 'string') return raw.trim();
  if (typeof raw === 'number' || typeof raw === 'boolean') return String(raw);
  return null;
}

/** Thousands separators count only in groups of three; `1,2` is not 12. */
function plainNumber(text: string, { decimal = '.', thousands }: NumberFormat): number | null {
  let digits = text;
  if (thousands && digits.includes(thousands)) {
    const [whole = '', ...fraction] = digits.split(decimal);
    const [first = '', ...groups] = whole.split(thousands);
    if (!/^[+-]?\d{1,3}$/.test(first) || groups.some((group) => !/^\d{3}$/.test(group))) return null;
    digits = [first + groups.join(''), ...fraction].join(decimal);
  }
  if (decimal === ',') {
    if (digits.includes('.')) return null;
    digits = digits.replace(',', '.');
  }
  return PLAIN.test(digits) ? Number(digits) : null;
}
