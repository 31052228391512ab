// Schemas that several reports share.
import Type from 'typebox';

export const month = Type.String({
  pattern: '^\\d{4}-\\d{2}$',
  description: "month in the city's time zone, such as 2026-10",
});

export const week = Type.String({
  pattern: '^\\d{4}-W\\d{2}$',
  description: "ISO week in the city's time zone, such as 2026-W45",
});
