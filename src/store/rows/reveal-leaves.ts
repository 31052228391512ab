// Reveals by their own leaf, or by that of their forecast: the indexes have the bundle that a leaf is in, and of forecasts
// the eight leaves, since PostgreSQL writes one entry for all rows that share it. So a leaf, or a range, names these too.
import { TILE_WIDTH } from '../../ledger/tiles.ts';

/** Leaves of forecasts of which the reveals share an entry. The embedded store has the leaf itself as its key. */
const SHARED = 8;

/**
 * The condition for the reveal `r` of a forecast `p`, both of the views. What shares an entry is some eight rows, and by two
 * inequalities PostgreSQL expects one of them; by a second equality it would expect none, and read what it need not.
 */
export const revealOf = (r: string, p: string): string =>
  `${r}.shared_leaf = ${p}.shared_leaf and ${r}.prediction_leaf >= ${p}.leaf and ${r}.prediction_leaf <= ${p}.leaf`;

/** The condition for the reveals of forecasts from one leaf up to but without another; its parameters are `forecastLeafRange`. */
export const revealsOfForecasts = `prediction_leaf / ${SHARED} >= ? and prediction_leaf / ${SHARED} <= ? and prediction_leaf >= ? and prediction_leaf < ?`;

export const forecastLeafRange = (from: number, until: number): [number, number, number, number] => [
  Math.floor(from / SHARED),
  Math.floor(until / SHARED),
  from,
  until,
];

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
