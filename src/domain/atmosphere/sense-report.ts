import { printable } from '../text/printable.ts';
import { WHEN, whenOf } from '../time/parse-time.ts';
import { DAY, slotOf } from '../time/sgt.ts';
import { type SenseWord, senseWords } from './signal.ts';

/** How many people chose a word about a pocket at a time. Nothing about any of them. */
export interface SenseReport {
  pocket_id: string;
  word: SenseWord;
  at: number;
  people: number;
}

/** As it was written down. */
export type GivenSense = Record<keyof SenseReport, string>;

export const LONGEST_AGO = 7 * DAY;
export const MOST_PEOPLE = 500;

export function readSense(
  given: GivenSense,
  now: number,
  isPocket: (id: string) => boolean,
): SenseReport | { fault: string } {
  const word = senseWords.find((one) => one === given.word);
  const at = whenOf(given.at, now);
  const people = /^\d{1,4}$/.test(given.people) ? Number(given.people) : 0;
  if (!isPocket(given.pocket_id)) return { fault: `unknown pocket: ${printable(given.pocket_id)}` };
  if (!word) return { fault: `word must be one of ${senseWords.join(', ')}` };
  if (at === undefined) return { fault: `time must be ${WHEN}` };
  if (at > now) return { fault: 'time must not be in the future' };
  if (at <= now - LONGEST_AGO) return { fault: 'time must be within the last 7 days' };
  if (people < 1 || people > MOST_PEOPLE) return { fault: `people must be 1-${MOST_PEOPLE}` };
  return { pocket_id: given.pocket_id, word, at, people };
}

export interface SlotSense extends Omit<SenseReport, 'at'> {
  slot: number;
}

/** Reports by quarter hour, pocket and word, as they are kept. */
export function bySlot(reports: readonly SenseReport[]): SlotSense[] {
  const sums = new Map<string, SlotSense>();
  for (const { pocket_id, word, at, people } of reports) {
    const slot = slotOf(at);
    const key = `${slot} ${pocket_id} ${word}`;
    sums.set(key, { slot, pocket_id, word, people: (sums.get(key)?.people ?? 0) + people });
  }
  return [...sums.values()].sort(
    (a, b) => a.slot - b.slot || order(a.pocket_id, b.pocket_id) || order(a.word, b.word),
  );
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
