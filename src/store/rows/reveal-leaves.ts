// Reveals by their own leaf: the index has the bundle that a leaf is in, of which PostgreSQL writes one entry for all rows
// that share it. So a range of leaves names its bundles too.
import { TILE_WIDTH } from '../../ledger/tiles.ts';

/** The number of the bundle that has a leaf; written as the index has it. */
export const bundleOf = (leaf: string): string => `${leaf} / ${TILE_WIDTH}`;

/** The condition for the reveals from one leaf up to but without another; its parameters are `revealRange`. */
export const revealsWithin = (leaf: string): string =>
  `${bundleOf(leaf)} >= ? and ${bundleOf(leaf)} <= ? and ${leaf} >= ? and ${leaf} < ?`;

export const revealRange = (from: number, until: number): [number, number, number, number] => [
  Math.floor(from / TILE_WIDTH),
  Math.floor(until / TILE_WIDTH),
  from,
  until,
];

/** The SQL for the first leaf of a reveal (`asc`) or the last one (`desc`): of the first or the last bundle. */
export const endOfReveals = (order: 'asc' | 'desc'): string =>
  `select leaf from reveals
   where ${bundleOf('leaf')} = (select ${bundleOf('leaf')} from reveals order by ${bundleOf('leaf')} ${order} limit 1)
   order by leaf ${order} limit 1`;
