// Reads a number from what a feed gives: numbers, numbers as text, words with a meaning, words for "no data".
import type { FieldRead, NumberFormat } from './settings.ts';

export type NumberReading =
  | { value: number; fault?: undefined }
  | { value?: undefined; fault: 'no_data' | 'bad_value' };

const noData: NumberReading = { fault: 'no_data' };
const badValue: NumberReading = { fault: 'bad_value' };

/** What feeds commonly write for an absent value, in lower case. None of these could be read as a number. */
const ABSENT = new Set([
  '',
  '-',
  '--',
  'na',
  'n/a',
  'nan',
  'null',
  'none',
  'unknown',
  'unavailable',
  'no data',
]);

const PLAIN = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i;

export type NumberMeaning = Pick<FieldRead, 'no_data' | 'texts'>;

export function readNumber(
  raw: unknown,
  meaning: NumberMeaning = {},
  format: NumberFormat = {},
): NumberReading {
  if (raw === undefined || raw === null) return noData;
  const text = scalarText(raw);
  if (text === null) return badValue;
  const { no_data = [], texts = {} } = meaning;
  if (Object.hasOwn(texts, text)) return { value: texts[text] ?? Number.NaN };
  if (ABSENT.has(text.toLowerCase())) return noData;
  if (no_data.some((absent) => String(absent) === text)) return noData;
  const value = typeof raw === 'number' ? raw : plainNumber(text, format);
  if (value === null || !Number.isFinite(value)) return badValue;
  // "-999.0" is the same as -999, though the text differs.
  if (no_data.some((absent) => absent === value || (absent !== '' && Number(absent) === value)))
    return noData;
  return { value };
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
