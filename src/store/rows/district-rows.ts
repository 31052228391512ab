import { WHOLE_CITY } from '../../domain/city/districts.ts';
import type { Value } from '../engine/store.ts';

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

/** The same by the number that forecasts have for their pocket: their index has it, not the id. */
export const numberedInDistrict = (column: string, district: string): { and: string; params: Value[] } =>
  district === WHOLE_CITY
    ? { and: '', params: [] }
    : {
        and: `and ${column} in (select k.number from pocket_districts d
          join forecast_pockets k on k.pocket_id = d.pocket_id where d.district = ?)`,
        params: [district],
      };
