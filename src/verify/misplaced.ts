// A service computes a tile of level 0 from the entries that it has: an edited one fits its tile, and only the hash above
// tells that it is not what was sealed. Which row it is then follows from what else is wrong with it, if anything is.
import type { Notes } from './bundle.ts';
import { LedgerFault } from './fault.ts';
import { type FetchBytes, fetchTile, HASH_BYTES, TILE_WIDTH } from './source.ts';

/** Reads the hash that the tree has over a complete tile of level 0. */
export function hashAbove(fetch: FetchBytes, size: number): (index: number) => Promise<Buffer> {
  const tiles = Math.floor(size / TILE_WIDTH);
  let last: { index: number; tile: Promise<Buffer> } | undefined;
  return async (index) => {
    const above = Math.floor(index / TILE_WIDTH);
    if (last?.index !== above) {
      const width = Math.min(TILE_WIDTH, tiles - above * TILE_WIDTH);
      last = { index: above, tile: fetchTile(fetch, 1, above, width) };
    }
    const at = (index % TILE_WIDTH) * HASH_BYTES;
    return (await last.tile).subarray(at, at + HASH_BYTES);
  };
}

export const notInTree = (level: number, index: number, leaf: number, rows: number): LedgerFault =>
  new LedgerFault(
    'wrong_tile',
    `tile ${index} of level ${level} does not follow from rows ${leaf} to ${leaf + rows - 1}`,
    { leaf },
  );

/** The fault of a bundle that is not in the tree. `check` looks at its rows, which may throw. */
export function misplacedFault(index: number, check: () => Pick<Notes, 'rowFault'> | undefined): LedgerFault {
  const first = index * TILE_WIDTH;
  const named = ({ message, place }: NonNullable<Notes['rowFault']>) =>
    new LedgerFault(
      'wrong_leaf',
      `rows ${first} to ${first + TILE_WIDTH - 1} do not hash to the tree; of this one: ${message}`,
      { leaf: first, ...place },
    );
  try {
    const rowFault = check()?.rowFault;
    return rowFault ? named(rowFault) : notInTree(1, Math.floor(index / TILE_WIDTH), first, TILE_WIDTH);
  } catch (fault) {
    if (!(fault instanceof LedgerFault)) throw fault;
    const isNamed = fault.code === 'wrong_leaf' || fault.code === 'bad_bundle';
    return isNamed ? fault : named(fault);
  }
}
