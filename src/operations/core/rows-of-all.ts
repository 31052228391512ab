import type { Registry } from '../../domain/city/city.ts';

/** Of so many pockets or outlets everything is read in milliseconds. */
const MOST_LIGHT = 1000;
/** To compare so many names, or to read a few columns of so many pockets, takes as long as to read a row. */
const NAMES_PER_ROW = 20;
const COLUMNS_PER_ROW = NAMES_PER_ROW;

/** About how many rows a question about every pocket reads: it is a heavy one in a large city alone. */
export const rowsOfAll = (_input: unknown, { pockets }: Pick<Registry, 'pockets'>): number =>
  pockets.length > MOST_LIGHT ? pockets.length : 0;

/** Of so many pockets a few columns are read in two tenths of a second: sooner than a heavy question gets its turn. */
const MOST_RANKED = 20_000;

/** The same of a question that lists some rows, and for that ranks or counts all pockets by a few columns. */
export const rowsAndColumnsOfAll = (listed: number, { pockets }: Pick<Registry, 'pockets'>): number =>
  pockets.length > MOST_RANKED ? listed + Math.ceil(pockets.length / COLUMNS_PER_ROW) : listed;

/** The same of a question about the outlets of every pocket, unless one is named. They are in memory. */
export const rowsOfAllOutlets = (
  { pocket_id }: { pocket_id?: string },
  { outlets }: Pick<Registry, 'outlets'>,
): number =>
  pocket_id === undefined && outlets.length > MOST_LIGHT ? Math.ceil(outlets.length / NAMES_PER_ROW) : 0;
