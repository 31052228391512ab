/**
 * Which of people's words are counted in public, and when (docs/formulas.md, "Perception and agreement"). Every count of
 * words that is published is a sum of releases, each of five or more people who chose the same word: so no two answers,
 * whatever their windows, differ by fewer than five.
 */

import { type SenseWord, senseWords } from '../signals/signal.ts';
import { SMALLEST_COUNT } from '../stats/small-count-suppression.ts';
import type { Zone } from '../time/zone.ts';

/** People who chose a word in a quarter hour. */
export interface SlotSenses {
  pocket_id: string;
  slot: number;
  word: SenseWord;
  people: number;
  /** Null for words on time. Words recorded late are batched with those that became countable at the same slot. */
  countable_from: number | null;
}

/** Five or more people who chose a word, counted as of a slot. */
export type SenseRelease = Omit<SlotSenses, 'countable_from'>;

const DAY_BEGINS = 5;

/** The start of the day, 05:00 local time, in which a slot's words are batched: few people speak around that hour. */
export function senseDayStart(slot: number, zone: Zone): number {
  const today = zone.atHour(slot, DAY_BEGINS);
  return slot >= today ? today : zone.atHour(slot, DAY_BEGINS, -1);
}

/**
 * Releases the words of whole days. The rows of a pocket are in the order of their slots.
 *
 * Quarter hours in a row form a batch, which ends with the quarter hour that brings it to five people. At its end every
 * word that five or more chose since its last release is released; the others wait for the end of a later batch of the
 * day. A release so tells that somebody of a batch of five or more chose the word, never who of a smaller group did.
 */
export function releaseSenses(rows: readonly SlotSenses[], zone: Zone): SenseRelease[] {
  // The day is computed once for each slot: local time takes far longer than the rest.
  const days = new Map<number, number>();
  const dayStart = (slot: number): number => {
    const day = days.get(slot) ?? senseDayStart(slot, zone);
    days.set(slot, day);
    return day;
  };
  const batches = Map.groupBy(
    rows,
    ({ pocket_id, slot, countable_from }) => `${pocket_id} ${dayStart(slot)} ${countable_from}`,
  );
  return [...batches.values()].flatMap(composeReleases);
}

/** `rows` are of one pocket and day, in the order of their slots. */
function composeReleases(rows: readonly SlotSenses[]): SenseRelease[] {
  const waiting = new Map<SenseWord, number>();
  const releases: SenseRelease[] = [];
  let inBatch = 0;
  for (const [n, { pocket_id, slot, word, people }] of rows.entries()) {
    waiting.set(word, (waiting.get(word) ?? 0) + people);
    inBatch += people;
    const isLastOfSlot = rows[n + 1]?.slot !== slot;
    if (!isLastOfSlot || inBatch < SMALLEST_COUNT) continue;
    inBatch = 0;
    for (const released of senseWords) {
      const chose = waiting.get(released) ?? 0;
      if (chose < SMALLEST_COUNT) continue;
      waiting.delete(released);
      releases.push({ pocket_id, slot, word: released, people: chose });
    }
  }
  return releases;
}
