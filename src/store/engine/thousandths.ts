// Figures that are computed to three decimals are stored as thousandths: whole numbers that SQLite keeps in one or two
// bytes instead of eight, and PostgreSQL in a `smallint`. Their columns end in `_milli`; readers ask a view, which has
// the figures themselves. A thousandth divided by 1,000 is the very number that three decimals are read as.

/** What a column of thousandths stores for a figure that has three decimals. */
export const toThousandths = (figure: number | null): number | null =>
  figure === null ? null : Math.round(figure * 1_000);
