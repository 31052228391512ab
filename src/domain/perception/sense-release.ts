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
  const batches = new Map<string, OpenBatch>();
  const releases: SenseRelease[][] = [];
  let last = Number.NaN;
  let day = 0;
  for (const { pocket_id, slot, word, people, countable_from } of rows) {
    // Local time takes far longer than the rest.
    if (slot !== last) day = senseDayStart(slot, zone);
    last = slot;
    const key = countable_from === null ? pocket_id : `${pocket_id} ${countable_from}`;
    let batch = batches.get(key);
    if (batch && batch.slot !== slot) endSlot(batch);
    if (batch?.day !== day) {
      batch = { pocket_id, day, slot, people: 0, waiting: new Map(), releases: [] };
      batches.set(key, batch);
      releases.push(batch.releases);
    }
    batch.slot = slot;
    batch.people += people;
    batch.waiting.set(word, (batch.waiting.get(word) ?? 0) + people);
  }
  for (const batch of batches.values()) endSlot(batch);
  return releases.flat();
}

/** The batch of a pocket that has not ended, with what the day has released. */
interface OpenBatch {
  pocket_id: string;
  day: number;
  /** The newest of its quarter hours. */
  slot: number;
  /** Since the last batch ended. */
  people: number;
  /** Who chose a word since it was last released. */
  waiting: Map<SenseWord, number>;
  releases: SenseRelease[];
}

/** Ends the batch with its newest quarter hour, if that brought it to five people. */
function endSlot(batch: OpenBatch): void {
  if (batch.people < SMALLEST_COUNT) return;
  batch.people = 0;
  const { pocket_id, slot, waiting, releases } = batch;
  for (const word of senseWords) {
    const people = waiting.get(word) ?? 0;
    if (people < SMALLEST_COUNT) continue;
    waiting.delete(word);
    releases.push({ pocket_id, slot, word, people });
  }
}
