// The upgrade of what is now packed by slot (src/store/rows/slot-packs.ts): packs the rows of older versions, the oldest
// slots first. Readers look into both tables until it is finished.
import type { ReadinessRecord } from '../../domain/merchant/readiness.ts';
import { fromOlder, type OlderStory, writeStories } from '../decision/live-stories.ts';
import type { Reader, Transaction } from '../engine/store.ts';
import { writeReadiness } from '../merchant/readiness.ts';
import type { BatchedChange } from './batched-change.ts';

/** In a transaction that holds the lock of the embedded store for some hundredths of a second. */
const SLOTS_OF_BATCH = 48;

const packOlder = <Row>(
  key: string,
  table: string,
  write: (tx: Transaction, rows: readonly Row[]) => Promise<void>,
): BatchedChange => ({
  key,
  count: async (reader: Reader) =>
    (await reader.get<{ n: number }>(`select count(*) as n from ${table}`))?.n ?? 0,
  changeBatch: async (tx, position) => {
    const after = Number(position || -1);
    const slots = await tx.all<{ slot: number }>(
      `select distinct slot from ${table} where slot > ? order by slot limit ${SLOTS_OF_BATCH}`,
      after,
    );
    const until = slots.at(-1)?.slot ?? after;
    const rows = await tx.all<Row>(`select * from ${table} where slot > ? and slot <= ?`, after, until);
    await write(tx, rows);
    await tx.run(`delete from ${table} where slot > ? and slot <= ?`, after, until);
    return { position: String(until), changed: rows.length, finished: slots.length < SLOTS_OF_BATCH };
  },
});

export const packOlderReadiness = packOlder<ReadinessRecord>(
  'packed_readiness',
  'readiness_of_1_0',
  writeReadiness,
);

export const packOlderStories = packOlder<OlderStory>('packed_stories', 'stories_of_1_0', (tx, rows) =>
  writeStories(tx, rows.map(fromOlder)),
);
