import type { LegitimacyFactors } from '../../domain/decision/legitimacy.ts';
import type { IndexReading, MomentMeans } from '../../domain/decision/legitimacy-index.ts';
import type { Window } from '../../domain/time/window.ts';
import { allOfPockets } from '../engine/in-clause-chunks.ts';
import type { Reader, Transaction } from '../engine/store.ts';

/** The means over the moments of each pocket within a window. */
export async function momentMeans(
  store: Reader,
  { after, until }: Window,
): Promise<Map<string, MomentMeans>> {
  const rows = await store.all<MomentMeans & { pocket_id: string }>(
    `select pocket_id, avg(calm_probability) as calm_probability, avg(movement_friction) as movement_friction,
       avg(signal_saturation) as signal_saturation, avg(usefulness * user_need) as worth,
       avg(coalesce(spare_capacity, 0)) as spare_capacity, avg(fatigue) as fatigue
     from moments where slot > ? and slot <= ? group by pocket_id`,
    after,
    until,
  );
  return new Map(rows.map(({ pocket_id, ...means }) => [pocket_id, means]));
}

/** The row holds the factors too, so that its score can be recomputed from them. */
export const writeLegitimacyIndex = (
  tx: Transaction,
  slot: number,
  readings: readonly (IndexReading & { factors: LegitimacyFactors })[],
): Promise<void> =>
  tx.insert(
    'legitimacy_index',
    readings.map(({ factors, ...reading }) => ({ slot, ...reading, ...factors })),
  );

const columns = 'pocket_id, reading_date, score, band, reason';

/** The band of a pocket's index on a day; null where there is none. */
export async function readIndexBand(
  store: Reader,
  pocket: string,
  date: string,
): Promise<IndexReading['band'] | null> {
  const row = await store.get<Pick<IndexReading, 'band'>>(
    'select band from legitimacy_index where reading_date = ? and pocket_id = ?',
    date,
    pocket,
  );
  return row?.band ?? null;
}

/** The index of some pockets or of every one on a day, highest score first. */
export const legitimacyIndexOn = async (
  store: Reader,
  date: string,
  pockets?: readonly string[],
): Promise<IndexReading[]> => {
  const order = 'order by i.score desc, i.pocket_id';
  const select = `select ${columns.replaceAll(/\w+/g, 'i.$&')} from`;
  return pockets
    ? allOfPockets<IndexReading>(
        store,
        pockets,
        `${select} asked a cross join legitimacy_index i where i.pocket_id = a.pocket_id and i.reading_date = ? ${order}`,
        date,
      )
    : store.all<IndexReading>(`${select} legitimacy_index i where i.reading_date = ? ${order}`, date);
};

/** The index of every pocket from the first date to the last, both included: newest day first, then highest score. */
export const legitimacyIndexOfDays = (store: Reader, first: string, last: string): Promise<IndexReading[]> =>
  store.all<IndexReading>(
    `select ${columns} from legitimacy_index
     where reading_date >= ? and reading_date <= ? order by reading_date desc, score desc, pocket_id`,
    first,
    last,
  );

/** The newest index before a day, of a pocket or of every one; empty where there is none. */
export async function latestIndexBefore(
  store: Reader,
  date: string,
  pocket: string | undefined,
): Promise<IndexReading[]> {
  const ofPocket = pocket === undefined ? '' : 'and pocket_id = ?';
  const newest = await store.get<{ date: string | null }>(
    `select max(reading_date) as date from legitimacy_index where reading_date < ? ${ofPocket}`,
    date,
    ...(pocket === undefined ? [] : [pocket]),
  );
  if (!newest?.date) return [];
  return pocket === undefined
    ? legitimacyIndexOn(store, newest.date)
    : legitimacyIndexBetween(store, pocket, newest.date, newest.date);
}

/** The index of a pocket from the first date to the last, both included, newest first. */
export const legitimacyIndexBetween = (
  store: Reader,
  pocket: string,
  first: string,
  last: string,
): Promise<IndexReading[]> =>
  store.all<IndexReading>(
    `select ${columns} from legitimacy_index
     where pocket_id = ? and reading_date >= ? and reading_date <= ? order by reading_date desc`,
    pocket,
    first,
    last,
  );
