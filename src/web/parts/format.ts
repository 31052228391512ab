// Numbers, units and names as pages show them, one style for each kind (docs/decisions/057-plain-words-and-numbers.md).
// An unknown value is never shown as zero.
import { hoursText, type WakingTime } from '../../domain/stats/waking-time.ts';
import { percentText, roundAgainst } from '../../domain/text/figures.ts';

/** A field's name with spaces for underscores. */
export const spacedName = (name: string): string => name.replaceAll('_', ' ');

const NOT_KNOWN = 'not known';

/** A value on the scale 0..1, such as a reading. */
export const scalar = (value: number | null): string => (value === null ? NOT_KNOWN : value.toFixed(2));

const threeOrMore = new Intl.NumberFormat('en', { minimumFractionDigits: 3, maximumFractionDigits: 20 });

/**
 * A value that texts compare with a threshold, with all decimals that are stored: rounding could carry it over the
 * threshold. Readings have three: 0.6 is '0.600'.
 */
export const allDecimals = (value: number | null): string =>
  value === null ? NOT_KNOWN : threeOrMore.format(value);

/** A value beside the threshold that it was compared with, with enough decimals to stay on its side of it. */
export const againstThreshold = (value: number | null, threshold: number): string =>
  value === null ? NOT_KNOWN : roundAgainst(value, threshold);

export const percent = (share: number | null): string => (share === null ? NOT_KNOWN : percentText(share, 1));

/** A known share without decimals. */
export const wholePercent = (share: number): string => percentText(share);

const whole = new Intl.NumberFormat('en');

export const count = (n: number): string => whole.format(n);

// Made once: making a format takes longer than using it a hundred times.
const decimalFormats = [0, 1, 2].map(
  (digits) => new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits }),
);

/** A measurement with as many decimals as its neighbours, so that a column of them can be compared. */
export const fixedDecimals = (value: number, decimals: 0 | 1 | 2): string =>
  decimalFormats[decimals]?.format(value) ?? String(value);

/** A range as the API states it, with the dash of pages: '14:00-18:00' as '14:00–18:00'. */
export const rangeText = (range: string): string => range.replace('-', '–');

/** The number of samples behind a figure. */
export const ofN = (n: number): string => `n = ${count(n)}`;

/** A share of fewer samples says too little and is not shown. */
export const MIN_SHARE_COUNT = 5;

export const shareOfN = (share: number | null, n: number): string =>
  n < MIN_SHARE_COUNT ? 'too few to say' : percent(share);

/** A difference of shares in percentage points, with its sign. */
export const percentagePoints = (difference: number | null): string =>
  difference === null ? NOT_KNOWN : `${difference < 0 ? '−' : '+'}${(100 * Math.abs(difference)).toFixed(1)}`;

/** A difference on the scale 0..1, with its sign. */
export const signedDifference = (difference: number): string =>
  `${difference < 0 ? '−' : '+'}${Math.abs(difference).toFixed(3)}`;

/**
 * A duration: minutes under two hours, else hours and minutes. 90 is '90 min', 150 is '2 h 30 min', 1,440 is '24 h'.
 */
export function duration(minutes: number): string {
  const whole = Math.round(minutes);
  if (whole < 120) return `${whole} min`;
  const rest = whole % 60;
  return `${count(Math.floor(whole / 60))} h${rest ? ` ${rest} min` : ''}`;
}

/** Restraint in time, as one of the facts of a page. */
export const wakingTimeFact = ({ minutes_said, minutes_silent, share_said }: WakingTime) =>
  [
    'Waking time with a line live',
    percent(share_said),
    `${hoursText(minutes_said)}, summed over pockets; ${hoursText(minutes_silent)} without one`,
  ] as const;

export const plural = (n: number, one: string, many = `${one}s`): string =>
  `${count(n)} ${n === 1 ? one : many}`;
