/**
 * Joins the row of the same slot and pocket. PostgreSQL takes a slot that is newer than its statistics for one with
 * hardly any rows, and would hold every pocket against every other; the sum leaves it nothing but the key.
 */
export const sameSlotAndPocket = (other: string, one: string): string =>
  `${other}.slot = ${one}.slot + 0 and ${other}.pocket_id = ${one}.pocket_id`;
