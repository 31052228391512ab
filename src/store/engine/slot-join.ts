import { DAY } from '../../domain/time/slot.ts';

/**
 * The condition of a join on the same slot and pocket, written so that PostgreSQL looks each row up by its primary key.
 * For a slot newer than the table's statistics the planner expects almost no rows, copies the constant slot to both
 * tables and picks a nested loop that compares every pocket with every other. `slot + 0` is an expression, which it
 * cannot copy.
 */
export const sameSlotAndPocket = (other: string, one: string): string =>
  `${other}.slot = ${one}.slot + 0 and ${other}.pocket_id = ${one}.pocket_id`;

/**
 * Goes with the condition where the other table is kept by month (raw signals): from the slots of one table PostgreSQL
 * does not conclude which months of the other it needs, and would read all of them. Its parameters are `monthsAround`.
 */
export const nearSlots = (other: string): string => `${other}.slot > ? and ${other}.slot < ?`;

/**
 * Two months wider than the slots asked for: then the bounds have all of the newest month, and of the partition that an
 * upgrade began with more than it was analysed with. Of bounds that begin after the newest statistics the planner would
 * expect almost no rows, as above.
 */
export const monthsAround = (first: number, last: number): [number, number] => [first - 62 * DAY, last + DAY];

/**
 * Of readings `r` in a window (after, until], which are its parameters: what was measured with each. As a value and not as
 * a join it is always looked up by its key.
 */
export const measuredWith = (r: string, column: string): string =>
  `(select e.${column} from snapshots e
    where e.slot = ${r}.slot and e.pocket_id = ${r}.pocket_id and e.slot > ? and e.slot <= ?)`;
