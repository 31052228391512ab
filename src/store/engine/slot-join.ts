/**
 * The condition of a join on the same slot and pocket, written so that PostgreSQL looks each row up by its primary key.
 * For a slot newer than the table's statistics the planner expects almost no rows, copies the constant slot to both
 * tables and picks a nested loop that compares every pocket with every other. `slot + 0` is an expression, which it
 * cannot copy.
 */
export const sameSlotAndPocket = (other: string, one: string): string =>
  `${other}.slot = ${one}.slot + 0 and ${other}.pocket_id = ${one}.pocket_id`;
