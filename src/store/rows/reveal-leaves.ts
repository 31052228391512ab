// Reveals by their own leaf: the index has the bundle that a leaf is in, of which PostgreSQL writes one entry for all rows
// that share it. So a range of leaves names its bundles too.
import { TILE_WIDTH } from '../../ledger/tiles.ts';

/** The own leaf of a reveal `r`, as the index has it: of a column of the view that is computed SQLite makes something else. */
export const revealLeaf = (r: string): string => `(${r}.prediction_leaf + ${r}.leaves_later)`;

/** The number of the bundle that has a leaf; written as the index has it. */
export const bundleOf = (leaf: string): string => `${leaf} / ${TILE_WIDTH}`;

const ownBundle = bundleOf(revealLeaf('r'));

/** The condition for the reveals `r` from one leaf up to but without another; its parameters are `revealRange`. */
export const revealsWithin = `${ownBundle} >= ? and ${ownBundle} <= ? and ${revealLeaf('r')} >= ? and ${revealLeaf('r')} < ?`;

export const revealRange = (from: number, until: number): [number, number, number, number] => [
  Math.floor(from / TILE_WIDTH),
  Math.floor(until / TILE_WIDTH),
  from,
  until,
];

/** The SQL for the first leaf of a reveal (`asc`) or the last one (`desc`): of the first or the last bundle. */
export const endOfReveals = (order: 'asc' | 'desc'): string =>
  `select r.leaf from reveals r
   where ${ownBundle} = (select ${ownBundle} from reveals r order by ${ownBundle} ${order} limit 1)
   order by r.leaf ${order} limit 1`;
