// Numbers and names as pages show them. An unknown value is never shown as zero.
import type { LegitimacyBand } from '../../domain/decision/legitimacy.ts';

/** A field's name with spaces for underscores. */
export const spacedName = (name: string): string => name.replaceAll('_', ' ');

/** With a capital letter first, for interface text. */
export const capitalised = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

export const bandWords: Record<LegitimacyBand, string> = {
  legitimate: 'could be justified',
  borderline: 'borderline',
  remain_silent: 'better left silent',
};

const NOT_KNOWN = 'not known';

/** A value on the scale 0..1, such as a reading. */
export const scalar = (value: number | null): string => (value === null ? NOT_KNOWN : value.toFixed(2));

/** A value that texts compare with a threshold, as it is stored: rounding could carry it over the threshold. */
export const stored = (value: number | null): string => (value === null ? NOT_KNOWN : String(value));

export const percent = (share: number | null): string =>
  share === null ? NOT_KNOWN : `${(100 * share).toFixed(1)}%`;

/** A known share without decimals. */
export const wholePercent = (share: number): string => `${Math.round(100 * share)}%`;

export const count = (n: number): string => n.toLocaleString('en');

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
export const signed = (difference: number): string =>
  `${difference < 0 ? '−' : '+'}${Math.abs(difference).toFixed(3)}`;

export const plural = (n: number, one: string, many = `${one}s`): string =>
  `${count(n)} ${n === 1 ? one : many}`;
