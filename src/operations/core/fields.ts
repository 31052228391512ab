// Schemas of arguments that several operations share. Their descriptions are published in `tools/list` and OpenAPI.
import Type from 'typebox';

export const shortText = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description });

export const wholeNumber = (minimum: number, maximum: number, fallback: number, description: string) =>
  Type.Integer({ minimum, maximum, default: fallback, description });

export const pocketId = shortText(64, 'pocket slug, as list_pockets gives it');

/** Limits how many rows of a ledger are listed. */
export const rowLimit = wholeNumber(1, 500, 50, 'maximum rows to list');

export const sinceNames = ['1h', '1d', '7d', '30d', 'all'] as const;

/** The window of a ledger query; it filters by the time of sealing. */
export const since = (fallback: '7d' | '30d') =>
  Type.Enum([...sinceNames], {
    default: fallback,
    description: 'how far back, by the time of sealing',
  });

/** The patterns that the interface publishes; `checkArguments` also refuses weeks and months that do not exist. */
export const WEEK_PATTERN = '^\\d{4}-W\\d{2}$';
export const MONTH_PATTERN = '^\\d{4}-\\d{2}$';

/** The week of a report. */
export const weekIso = Type.String({
  pattern: WEEK_PATTERN,
  description: 'ISO week in {city}, such as 2026-W45; the latest when omitted',
});

/** The month of a report. */
export const monthIso = Type.String({
  pattern: MONTH_PATTERN,
  description: 'month in {city}, such as 2026-10; the latest when omitted',
});
