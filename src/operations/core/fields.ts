import Type from 'typebox';

/** Arguments that several operations share. */
export const pocketId = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'pocket slug, as list_pockets gives it (for example tiongbahru)',
});

/** How many rows of a ledger are listed. */
export const rowLimit = Type.Integer({
  minimum: 1,
  maximum: 500,
  default: 50,
  description: 'rows to list at most',
});

export const sinceNames = ['1h', '1d', '7d', '30d', 'all'] as const;

/** How far back a ledger is read, by the time of sealing. */
export const since = (fallback: '7d' | '30d') =>
  Type.Enum([...sinceNames], {
    default: fallback,
    description: 'how far back, by the time of sealing',
  });

/** Which week a report is of. */
export const weekIso = Type.String({
  pattern: '^\\d{4}-W\\d{2}$',
  description: 'ISO week in Singapore, such as 2026-W45; the latest when omitted',
});

/** Which month a report is of. */
export const monthIso = Type.String({
  pattern: '^\\d{4}-\\d{2}$',
  description: 'month in Singapore, such as 2026-10; the latest when omitted',
});
