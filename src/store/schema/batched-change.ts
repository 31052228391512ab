import type { Reader, Transaction } from '../engine/store.ts';

/** A change of so many rows that it is made in batches (batches.ts). */
export interface BatchedChange {
  key: string;
  /** How many rows are to be changed. */
  count(reader: Reader): Promise<number>;
  /** Changes the next rows; `position` is what the batch before returned, '' at the start. */
  changeBatch(
    tx: Transaction,
    position: string,
  ): Promise<{ position: string; changed: number; finished: boolean }>;
}
