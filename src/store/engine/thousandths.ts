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

const inUnits = <Name extends string, Ending extends string>(
  figures: Readonly<Record<Name, number | null>>,
  units: number,
  ending: Ending,
): Record<`${Name}${Ending}`, number | null> => {
  const columns: Record<string, number | null> = {};
  for (const [name, figure] of Object.entries<number | null>(figures)) {
    const whole = figure === null ? null : Math.round(figure * units);
    if (whole !== null && whole / units !== figure)
      throw new RangeError(`${name} has more decimals than are stored: ${figure}`);
    columns[`${name}${ending}`] = whole;
  }
  return columns as Record<`${Name}${Ending}`, number | null>;
};

/** The columns of figures that have three decimals. One with more is refused: it would come back as another. */
export const thousandthColumns = <Name extends string>(figures: Readonly<Record<Name, number | null>>) =>
  inUnits(figures, 1_000, '_milli');

/** The same of figures that have two. */
export const hundredthColumns = <Name extends string>(figures: Readonly<Record<Name, number | null>>) =>
  inUnits(figures, 100, '_hundredths');

/** The same of figures that have four. */
export const tenThousandthColumns = <Name extends string>(figures: Readonly<Record<Name, number | null>>) =>
  inUnits(figures, 10_000, '_ten_thousandths');
