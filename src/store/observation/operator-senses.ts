// Words of citizen sense that an operator recorded, beside those that come from sources (snapshots.ts writes them).
import type { SlotSenseCount } from '../../domain/perception/sense-report.ts';
import { HOUR, SLOT, slotStart } from '../../domain/time/slot.ts';
import type { Reader, Transaction } from '../engine/store.ts';
import { senseWordNumbers, toSenseSource } from '../rows/sense-words.ts';
import { lastObservedSlot } from './perception.ts';

const SOURCE = 'operator';
/** Words recorded within this time are counted together with those of the sources. */
const ON_TIME = HOUR;

/** Of these slots, pockets and words, those that an operator has recorded already, with the people recorded so far. */
export async function alreadyRecordedSenses(
  store: Reader,
  senses: readonly SlotSenseCount[],
): Promise<SlotSenseCount[]> {
  const [first, last] = [senses[0]?.slot, senses.at(-1)?.slot];
  if (first === undefined || last === undefined) return [];
  const rows = await store.all<SlotSenseCount>(
    `select said_slot as slot, pocket_id, word, sum(people) as people from sensed_words
     where slot >= ? and said_slot >= ? and said_slot <= ? and source = ? group by said_slot, pocket_id, word`,
    // No row is counted before the slot in which the people spoke.
    first,
    first,
    last,
    SOURCE,
  );
  const known = new Map(rows.map((row) => [senseKey(row), row]));
  return senses.flatMap((sense) => known.get(senseKey(sense)) ?? []);
}

const senseKey = ({ slot, pocket_id, word }: SlotSenseCount): string => `${slot} ${pocket_id} ${word}`;

/**
 * The caller holds the operator lock. Nothing is added to a slot that may have been read already: the difference between
 * the answers before and after would be these few people.
 */
export async function writeOperatorSenses(
  tx: Transaction,
  senses: readonly SlotSenseCount[],
  now: number,
): Promise<void> {
  const next = Math.max(slotStart(now), (await lastObservedSlot(tx)) ?? 0) + SLOT;
  const rows = senses.map(({ slot: said_slot, pocket_id, word, people }) => {
    const late = said_slot < slotStart(now) - ON_TIME;
    return {
      slot: late ? said_slot : next,
      pocket_id,
      word: senseWordNumbers[word],
      people,
      source: toSenseSource(SOURCE),
      said_slot,
      countable_from: late ? next : null,
    };
  });
  await tx.insert('citizen_senses', rows);
}
