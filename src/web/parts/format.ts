import type { LegitimacyBand } from '../../domain/decision/legitimacy.ts';

/** Names of the interface as a person reads them. */
export const spacedName = (name: string): string => name.replaceAll('_', ' ');

export const bandWords: Record<LegitimacyBand, string> = {
  legitimate: 'could be justified',
  borderline: 'borderline',
  remain_silent: 'better left silent',
};

const NOT_KNOWN = 'not known';

/** On the 0..1 scale, as readings are. */
export const scalar = (value: number | null): string => (value === null ? NOT_KNOWN : value.toFixed(2));

export const percent = (share: number | null): string =>
  share === null ? NOT_KNOWN : `${(100 * share).toFixed(1)}%`;

export const count = (n: number): string => n.toLocaleString('en');

/** The figures that a share is of. */
export const ofN = (n: number): string => `n = ${count(n)}`;

/** Shares of fewer are chance: they are not shown. */
export const MIN_SHARE_COUNT = 5;

export const shareOfN = (share: number | null, n: number): string =>
  n < MIN_SHARE_COUNT ? 'too few to say' : percent(share);

/** In hundredths of a whole, with its sign. */
export const percentagePoints = (difference: number | null): string =>
  difference === null ? NOT_KNOWN : `${difference < 0 ? '−' : '+'}${(100 * Math.abs(difference)).toFixed(1)}`;

export const plural = (n: number, one: string, many = `${one}s`): string =>
  `${count(n)} ${n === 1 ? one : many}`;
