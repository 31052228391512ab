// What each active outlet is ready for, packed by slot: the outlets of a pocket are asked about while they are new.
import { CURRENT_FOR } from '../../domain/atmosphere/reading.ts';
import { WHOLE_CITY } from '../../domain/city/districts.ts';
import {
  type Cause,
  type Readiness,
  type ReadinessRecord,
  readinessFrom,
} from '../../domain/merchant/readiness.ts';
import type { Reader, Transaction } from '../engine/store.ts';
import { namesOfOutlets, numberOutlets } from '../rows/outlet-numbers.ts';
import { newestPacked, packedAt, writePacks } from '../rows/slot-packs.ts';

/** An outlet of a pocket, by its number. */
type PackedOutlet = [
  number: number,
  cause: Cause,
  confidence: ReadinessRecord['confidence'],
  idle_pressure: ReadinessRecord['idle_pressure'],
];

export async function writeReadiness(
  tx: Transaction,
  records: readonly ReadinessRecord[],
  district = WHOLE_CITY,
): Promise<void> {
  const numbers = await numberOutlets(
    tx,
    records.map(({ outlet_id }) => outlet_id),
  );
  for (const [slot, own] of Map.groupBy(records, (record) => record.slot)) {
    const byPocket = Map.groupBy(own, ({ pocket_id }) => pocket_id);
    const packed = [...byPocket].map(([pocket, outlets]) => [pocket, pack(outlets, numbers)] as const);
    await writePacks(tx, 'readiness_packs', { slot, district }, new Map(packed));
  }
}

const pack = (records: readonly ReadinessRecord[], numbers: ReadonlyMap<string, number>): PackedOutlet[] =>
  records.map(({ outlet_id, cause, confidence, idle_pressure }) => [
    numbers.get(outlet_id) ?? 0,
    cause,
    confidence,
    idle_pressure,
  ]);

/** Of some pockets at a slot, by pocket and outlet. */
async function unpack(
  store: Reader,
  slot: number,
  packed: ReadonlyMap<string, readonly PackedOutlet[]>,
): Promise<ReadinessRecord[]> {
  const names = await namesOfOutlets(
    store,
    [...packed.values()].flatMap((outlets) => outlets.map(([number]) => number)),
  );
  return [...packed].flatMap(([pocket_id, outlets]) =>
    outlets
      .map(([number, cause, confidence, idle_pressure]) => ({
        ...{ slot, pocket_id, outlet_id: names.get(number) ?? '', cause, confidence, idle_pressure },
      }))
      .sort((one, other) => (one.outlet_id < other.outlet_id ? -1 : 1)),
  );
}

/** As versions up to 1.0 stored it, until it is packed (src/store/schema/pack-older-rows.ts). */
const columns = 'slot, pocket_id, outlet_id, cause, confidence, idle_pressure';

/** Of every outlet at a slot, by pocket and outlet: of some pockets, or all. */
export async function readinessRecordsAt(
  store: Reader,
  slot: number,
  only?: ReadonlySet<string>,
): Promise<ReadinessRecord[]> {
  const packed = await packedAt<PackedOutlet[]>(store, 'readiness_packs', slot, only);
  if (packed.size > 0) return unpack(store, slot, packed);
  return store.all(
    `select ${columns} from readiness_of_1_0 where slot = ? order by pocket_id, outlet_id`,
    slot,
  );
}

/** The readiness of a pocket's outlets at the newest slot; none when that is older than `CURRENT_FOR`. */
export async function latestReadiness(store: Reader, pocket: string, now: number): Promise<Readiness[]> {
  const newest = await store.get<{ packed: number | null; older: number | null }>(
    `select (select max(slot) from readiness_packs where slot > ? and slot <= ?) as packed,
       (select max(slot) from readiness_of_1_0 where slot > ? and slot <= ?) as older`,
    ...[now - CURRENT_FOR, now, now - CURRENT_FOR, now],
  );
  const slot = Math.max(newest?.packed ?? 0, newest?.older ?? 0);
  const found = await newestPacked<PackedOutlet[]>(store, 'readiness_packs', pocket, {
    after: slot - 1,
    until: slot,
  });
  const records = found
    ? await unpack(store, slot, new Map([[pocket, found.entry]]))
    : await store.all<ReadinessRecord>(
        `select ${columns} from readiness_of_1_0 where slot = ? and pocket_id = ? order by outlet_id`,
        slot,
        pocket,
      );
  return records.map(readinessFrom);
}
