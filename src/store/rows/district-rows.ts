import { WHOLE_CITY } from '../../domain/city/districts.ts';
import type { Span } from '../../domain/time/window.ts';
import type { Reader, Value } from '../engine/store.ts';
import { hours, utcDay, windowAndDays, withinDays } from './day-index.ts';

/**
 * A further condition on rows by the column of their pocket: those of a district. None for the whole city, whose pockets
 * need not be looked up.
 */
export const ofDistrict = (column: string, district: string): { and: string; params: Value[] } =>
  district === WHOLE_CITY
    ? { and: '', params: [] }
    : {
        and: `and ${column} in (select pocket_id from pocket_districts where district = ?)`,
        params: [district],
      };

/**
 * The condition on rows of a span: of the whole city by their slots, of a district by its pockets and the days of the span,
 * which an index has. For spans that have passed, such as a week: the statistics know them.
 */
export const spanInDistrict = (
  x: string,
  { from, to }: Span,
  district: string,
): { where: string; params: Value[] } => {
  if (district === WHOLE_CITY) return { where: `${x}slot >= ? and ${x}slot < ?`, params: [from, to] };
  const { and, params } = ofDistrict(`${x}pocket_id`, district);
  return {
    where: `${withinDays(`${x}slot`)} ${and}`,
    params: [...windowAndDays({ after: from - 1, until: to - 1 }), ...params],
  };
};

/** More than a district has: a list with a limit is read first, and each of its entries then looked up by the key. */
const MOST = 1_000_000;

/**
 * The condition on rows whose key begins with a column and goes on with the pocket: those with this value (a slot, an hour
 * of the week) of a district. Of a slot that is newer than its statistics PostgreSQL expects almost no rows, and would read
 * those of the whole city and filter.
 */
export const keyedInDistrict = (
  column: string,
  value: number,
  district: string,
  pocket = 'pocket_id',
): { where: string; params: Value[] } =>
  district === WHOLE_CITY
    ? { where: `${column} = ?`, params: [value] }
    : {
        where: `(${column}, ${pocket}) in (select cast(? as bigint), pocket_id from pocket_districts
          where district = ? limit ${MOST})`,
        params: [value, district],
      };

/** The same of a list of numbers in place of the pockets of a district. */
export const keyedInList = (
  column: string,
  value: number,
  number: string,
  list: readonly number[],
): { where: string; params: Value[] } => ({
  where: `(${column}, ${number}) in (select cast(? as bigint), column1 from (
    values ${list.map(() => '(cast(? as integer))').join(', ')}) as given limit ${MOST})`,
  params: [value, ...list],
});

/** Some columns of the rows of a district at one slot, by pocket. Of a table whose key is the slot and the pocket. */
export async function rowsAt<Row>(
  store: Reader,
  table: string,
  columns: string,
  slot: number,
  district: string,
): Promise<Map<string, Row>> {
  const { where, params } = keyedInDistrict('slot', slot, district);
  const rows = await store.all<Row & { pocket_id: string }>(
    `select pocket_id, ${columns} from ${table} where ${where}`,
    ...params,
  );
  return new Map(rows.map((row) => [row.pocket_id, row]));
}

/** The condition on forecasts `p` that were sealed at some slots: those of a district, by the index of numbers of pockets. */
export const sealedInDistrict = (
  slots: readonly number[],
  district: string,
): { where: string; params: Value[] } =>
  district === WHOLE_CITY
    ? { where: `p.slot in (${slots.map(() => '?').join(', ')})`, params: [...slots] }
    : {
        where: `(p.pocket, p.slot, ${utcDay('p.slot', hours)}) in (
          select (select k.number from forecast_pockets k where k.pocket_id = d.pocket_id), s.slot, ${utcDay('s.slot', hours)}
          from pocket_districts d
          cross join (select column1 as slot
            from (values ${slots.map(() => '(cast(? as bigint))').join(', ')}) as given) s
          where d.district = ? limit ${MOST})`,
        params: [...slots, district],
      };
