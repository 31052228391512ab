// The progress of writing the first history, as /api/ready, the pages and the terminal show it.

import { DAY, SLOT } from '../time/slot.ts';
import { countText } from './count-text.ts';

export interface HistoryProgress {
  finished: boolean;
  /** Whole days. */
  done: number;
  total: number;
  /** Null while there is nothing to estimate it from. */
  seconds_left: number | null;
}

/** As it is stored. Slots are inclusive: `reached_slot` is the last one written. */
export interface HistoryRecord {
  from_slot: number;
  until_slot: number;
  reached_slot: number;
  /** The state at the start of the current run: the slot reached, and the time. */
  run_from_slot: number;
  run_began_at: number;
  updated_at: number;
  finished: number;
}

export const historyNotBegun: HistoryProgress = { finished: false, done: 0, total: 0, seconds_left: null };

export function historyProgress(record: HistoryRecord): HistoryProgress {
  const { from_slot, until_slot, reached_slot, run_from_slot, run_began_at, updated_at, finished } = record;
  const total = Math.ceil((until_slot + SLOT - from_slot) / DAY);
  if (finished) return { finished: true, done: total, total, seconds_left: 0 };
  const written = reached_slot - run_from_slot;
  const share = (until_slot - reached_slot) / written;
  return {
    finished: false,
    done: Math.floor((reached_slot + SLOT - from_slot) / DAY),
    total,
    seconds_left: written > 0 ? Math.ceil(((updated_at - run_began_at) * share) / 1000) : null,
  };
}

export function historySentence({ finished, done, total, seconds_left }: HistoryProgress): string {
  const days = countText(total, 'day');
  if (finished) return `the history is complete: ${days}`;
  if (!total) return 'the history is not written yet';
  const left = seconds_left === null ? '' : `, about ${seconds_left} s left`;
  return `writing the history: ${done} of ${days}${left}`;
}
