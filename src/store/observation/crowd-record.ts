// When the crowd of a pocket was known: what an answer says where there is no moment.

import type { MeasuredCrowd, MissingInput } from '../../domain/atmosphere/no-moment.ts';
import { CURRENT_FOR } from '../../domain/atmosphere/reading.ts';
import type { CrowdGap } from '../../domain/signals/snapshot.ts';
import { DAY } from '../../domain/time/slot.ts';
import { allOfPockets } from '../engine/in-clause-chunks.ts';
import type { Reader } from '../engine/store.ts';
import { rowsKeptFrom } from '../ledger/archived.ts';
import { byDay, endAndDay, untilDay, windowAndDays, withinDays } from '../rows/day-index.ts';
import { signalsKeptFrom } from './signal-retention.ts';

export type CrowdRecord = Omit<MissingInput, 'expects'>;

/** A crowd that has been missing for longer is not looked for: the answer is then without a time. */
const LOOK_BACK = 30 * DAY;

/** One look-up in the index for each pocket: grouping would read all its snapshots. */
const query = `select f.pocket_id, f.last_measured, f.last_crowd, f.first_measured, e.crowd_gap
   from (select a.pocket_id,
     (select e.slot from snapshots e where e.pocket_id = a.pocket_id and ${untilDay('e.slot')}
       order by ${byDay('desc', 'e.')} limit 1) as last_measured,
     (select e.slot from snapshots e where e.pocket_id = a.pocket_id and ${withinDays('e.slot')}
       and e.crowd is not null order by ${byDay('desc', 'e.')} limit 1) as last_crowd,
     (select e.slot from snapshots e where e.pocket_id = a.pocket_id order by ${byDay('asc', 'e.')} limit 1) as first_measured
     from asked a) as f
   left join snapshots e on e.pocket_id = f.pocket_id and e.slot = f.last_measured`;

interface Row {
  pocket_id: string;
  last_measured: number | null;
  last_crowd: number | null;
  first_measured: number | null;
  crowd_gap: CrowdGap | null;
}

/** By pocket; of each that was asked for. */
export async function crowdRecords(
  store: Reader,
  pockets: readonly string[],
  now: number,
): Promise<Map<string, CrowdRecord>> {
  const records = new Map<string, CrowdRecord>();
  const params = [...endAndDay(now), ...windowAndDays({ after: now - LOOK_BACK, until: now })];
  const rows = await allOfPockets<Row>(store, pockets, query, ...params);
  for (const { pocket_id, crowd_gap, ...times } of rows) {
    const isCurrent = times.last_measured !== null && times.last_measured > now - CURRENT_FOR;
    records.set(pocket_id, { ...times, measured: isCurrent ? { crowd_gap } : null });
  }
  return records;
}

/** Why the crowd of a pocket was not known, for each slot of (after, until] of which no decision is there. */
export async function crowdGapsBetween(
  store: Reader,
  pocket: string,
  after: number,
  until: number,
): Promise<(slot: number) => MeasuredCrowd> {
  const rows = await store.all<{ slot: number; crowd_gap: CrowdGap | null }>(
    `select slot, crowd_gap from snapshots where pocket_id = ? and ${withinDays('slot')}`,
    pocket,
    ...windowAndDays({ after, until }),
  );
  const keptFrom = (await signalsKeptFrom(store)) ?? 0;
  const rowsFrom = await rowsKeptFrom(store);
  const measured = new Map(rows.map(({ slot, crowd_gap }) => [slot, { crowd_gap }]));
  return (slot) =>
    slot < rowsFrom ? 'archived' : (measured.get(slot) ?? (slot < keptFrom ? 'not_kept' : null));
}

/** The first slot of any pocket that was measured. */
export const firstMeasuredSlot = async (store: Reader): Promise<number | null> =>
  (await store.get<{ slot: number | null }>('select min(slot) as slot from snapshots'))?.slot ?? null;
