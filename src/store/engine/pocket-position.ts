// The place of a row in a list that is ordered by slot, newest first, and within a slot by pocket.
import type { Value } from './store.ts';

export interface PocketPosition {
  slot: number;
  pocket: string;
}

/**
 * The condition for rows that follow the position, or for all rows. `tie` compares pockets within the slot: `>=` where a
 * pocket may have another row that follows. The first half lets an index by slot be used.
 */
export const afterPosition = (
  from: PocketPosition | undefined,
  prefix = '',
  tie: '>' | '>=' = '>',
): [condition: string, ...Value[]] =>
  from === undefined
    ? ['1 = 1']
    : [
        `${prefix}slot <= ? and (${prefix}slot < ? or ${prefix}pocket_id ${tie} ?)`,
        from.slot,
        from.slot,
        from.pocket,
      ];
