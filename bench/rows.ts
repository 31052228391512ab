/** One line of the table: what was measured, against what, and how they compare. */
export interface Measured {
  what: string;
  /** The figure itself and the one it is held against; they belong to the machine, only the ratio travels. */
  measured: string;
  against: string;
  /** One for each round. */
  ratios: number[];
  target?: { atLeast: number } | { atMost: number };
}

/** What could not be measured, and why. */
export interface Skipped {
  what: string;
  skipped: string;
}

export type Row = Measured | Skipped;

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/**
 * A round measures each subject once; the order turns, so that none always comes first. A round before the first one
 * warms up and is not counted.
 */
export async function inRounds<K extends string>(
  { signal }: { signal: AbortSignal },
  rounds: number,
  subjects: Record<K, (warming: boolean) => Promise<number>>,
): Promise<Record<K, number[]>> {
  const names = Object.keys(subjects) as K[];
  const seen = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<K, number[]>;
  for (let round = 0; round <= rounds; round += 1) {
    const turn = round % names.length;
    for (const name of [...names.slice(turn), ...names.slice(0, turn)]) {
      signal.throwIfAborted();
      const value = await subjects[name](round === 0);
      if (round > 0) seen[name].push(value);
    }
  }
  return seen;
}

/** Ratios are taken within a round, where both sides had the same machine. */
export function compare(
  what: string,
  measured: readonly number[],
  against: readonly number[],
  { unit = '', ...rest }: { unit?: string; target?: NonNullable<Measured['target']> } = {},
): Measured {
  return {
    what,
    measured: `${figure(median(measured))}${unit}`,
    against: `${figure(median(against))}${unit}`,
    ratios: measured.map((value, round) => value / (against[round] ?? Number.NaN)),
    ...rest,
  };
}

export const figure = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : Number(value.toPrecision(2)).toString();

const head = ['measured', 'this', 'against', 'ratio', 'lowest–highest', 'target'];

export const cellsOf = (rows: readonly Row[]): string[][] => [head, ...rows.map(cells)];

function cells(row: Row): string[] {
  if ('skipped' in row) return [row.what, `skipped: ${row.skipped}`, '', '', '', ''];
  const { what, measured, against, ratios, target } = row;
  const spread = `${ratio(Math.min(...ratios))}–${ratio(Math.max(...ratios))}`;
  return [
    what,
    measured,
    against,
    ratio(median(ratios)),
    spread,
    target ? verdict(median(ratios), target) : '',
  ];
}

const ratio = (value: number): string => (value < 0.1 ? value.toPrecision(1) : value.toFixed(2));

function verdict(value: number, target: NonNullable<Measured['target']>): string {
  if ('atLeast' in target) return `≥ ${target.atLeast}: ${value >= target.atLeast ? 'met' : 'missed'}`;
  return `≤ ${target.atMost}: ${value <= target.atMost ? 'met' : 'missed'}`;
}
