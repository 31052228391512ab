// Figures that are computed to three decimals are stored as thousandths: whole numbers that SQLite keeps in one or two
// bytes instead of eight, and PostgreSQL in a `smallint`. Their columns end in `_milli`; readers ask a view, which has
// the figures themselves. A thousandth divided by 1,000 is the very number that three decimals are read as.

/** What a column of thousandths stores for a figure that has three decimals. */
export const toThousandths = (figure: number | null): number | null =>
  figure === null ? null : Math.round(figure * 1_000);

/** Figures below it fit a column of thousandths. */
const ends = { smallint: 32, integer: 2_000_000 };

/**
 * What is stored for a figure that others measured, with as many decimals as they like: thousandths where those are all
 * of it; else the figure itself, in a column of its own name.
 */
export const thousandthsOrWhole = <Name extends string>(
  name: Name,
  figure: number | null,
  type: keyof typeof ends = 'smallint',
): Record<Name | `${Name}_milli`, number | null> => {
  const milli = toThousandths(figure);
  const isAll = milli !== null && milli / 1_000 === figure && Math.abs(figure) < ends[type];
  return { [`${name}_milli`]: isAll ? milli : null, [name]: isAll ? null : figure } as Record<
    Name | `${Name}_milli`,
    number | null
  >;
};

const wholeUnits = (name: string, figure: number | null, units: number): number | null => {
  const whole = figure === null ? null : Math.round(figure * units);
  if (whole !== null && whole / units !== figure)
    throw new RangeError(`${name} has more decimals than are stored: ${figure}`);
  return whole;
};

/** What is stored for a figure of three decimals. One with more is refused: it would come back as another. */
export const exactThousandths = (name: string, figure: number | null): number | null =>
  wholeUnits(name, figure, 1_000);

/** The same for a figure of two. */
export const exactHundredths = (name: string, figure: number | null): number | null =>
  wholeUnits(name, figure, 100);

/** The same for a figure of four. */
export const exactTenThousandths = (name: string, figure: number | null): number | null =>
  wholeUnits(name, figure, 10_000);

/** The columns of figures of three decimals. Where rows have many of them, `exactThousandths` for each takes a fraction of the time. */
export const thousandthColumns = <Name extends string>(
  figures: Readonly<Record<Name, number | null>>,
): Record<`${Name}_milli`, number | null> => {
  const columns: Record<string, number | null> = {};
  for (const [name, figure] of Object.entries<number | null>(figures))
    columns[`${name}_milli`] = exactThousandths(name, figure);
  return columns as Record<`${Name}_milli`, number | null>;
};
