// Words of citizen sense that an operator recorded, beside those that come from sources (snapshots.ts writes them).
import type { SlotSenseCount } from '../../domain/atmosphere/sense-report.ts';
import type { Reader, Transaction } from '../engine/store.ts';

const SOURCE = 'operator';

/** Of these slots, pockets and words, those that an operator has recorded already, with the people recorded so far. */
export async function alreadyRecordedSenses(
  store: Reader,
  senses: readonly SlotSenseCount[],
): Promise<SlotSenseCount[]> {
  const [first, last] = [senses[0]?.slot, senses.at(-1)?.slot];
  if (first === undefined || last === undefined) return [];
  const rows = await store.all<SlotSenseCount>(
    `select slot, pocket_id, word, sum(people) as people from citizen_senses
     where slot >= ? and slot <= ? and source = ? group by slot, pocket_id, word`,
    first,
    last,
    SOURCE,
  );
  const known = new Map(rows.map((row) => [keyOf(row), row]));
  return senses.flatMap((sense) => known.get(keyOf(sense)) ?? []);
}

const keyOf = ({ slot, pocket_id, word }: SlotSenseCount): string => `${slot} ${pocket_id} ${word}`;

/** The caller holds the operator lock. */
export const writeOperatorSenses = (tx: Transaction, senses: readonly SlotSenseCount[]): Promise<void> =>
  tx.insert(
    'citizen_senses',
    senses.map(({ slot, pocket_id, word, people }) => ({ slot, pocket_id, word, people, source: SOURCE })),
  );
