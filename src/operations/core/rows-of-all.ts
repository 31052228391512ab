import type { Registry } from '../../domain/city/city.ts';

/** Of so many pockets everything is read in milliseconds. */
const MOST_LIGHT = 1000;

/** About how many rows a question about every pocket reads: it is a heavy one in a large city alone. */
export const rowsOfAll = (_input: unknown, { pockets }: Pick<Registry, 'pockets'>): number =>
  pockets.length > MOST_LIGHT ? pockets.length : 0;
