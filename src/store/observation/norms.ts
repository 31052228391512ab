// What is usual for each pocket, by hour of the week: running means and variances, one row a pocket and hour.
import type { HourNorm } from '../../domain/atmosphere/anomaly.ts';
import { WHOLE_CITY } from '../../domain/city/districts.ts';
import type { Norm } from '../../domain/stats/norm.ts';
import { allOfPockets } from '../engine/in-clause-chunks.ts';
import type { Reader, Transaction } from '../engine/store.ts';
import { keyedInDistrict } from '../rows/district-rows.ts';

interface NormRow {
  pocket_id: string;
  crowd_samples: number;
  crowd_mean: number;
  crowd_variance: number;
  stress_samples: number;
  stress_mean: number;
  stress_variance: number;
  calm_samples: number;
  calm_mean: number;
  calm_variance: number;
  calm_share: number;
}

/** The norms of every pocket of a district for one hour of the week. */
export async function readNorms(
  store: Reader,
  hourOfWeek: number,
  district = WHOLE_CITY,
): Promise<Map<string, HourNorm>> {
  const { where, params } = keyedInDistrict('hour_of_week', hourOfWeek, district);
  const rows = await store.all<NormRow>(`select * from norms where ${where}`, ...params);
  return new Map(
    rows.map((row) => [
      row.pocket_id,
      {
        crowd: { samples: row.crowd_samples, mean: row.crowd_mean, variance: row.crowd_variance },
        stress: { samples: row.stress_samples, mean: row.stress_mean, variance: row.stress_variance },
        calm: { samples: row.calm_samples, mean: row.calm_mean, variance: row.calm_variance },
        calm_share: row.calm_share,
      },
    ]),
  );
}

const upsert = `on conflict (pocket_id, hour_of_week) do update set
  crowd_samples = excluded.crowd_samples,
  crowd_mean = excluded.crowd_mean,
  crowd_variance = excluded.crowd_variance,
  stress_samples = excluded.stress_samples,
  stress_mean = excluded.stress_mean,
  stress_variance = excluded.stress_variance,
  calm_samples = excluded.calm_samples,
  calm_mean = excluded.calm_mean,
  calm_variance = excluded.calm_variance,
  calm_share = excluded.calm_share`;

export function writeNorms(tx: Transaction, hourOfWeek: number, norms: Map<string, HourNorm>): Promise<void> {
  const rows = [...norms].map(([pocket_id, { crowd, stress, calm, calm_share }]) => ({
    pocket_id,
    hour_of_week: hourOfWeek,
    crowd_samples: crowd.samples,
    crowd_mean: crowd.mean,
    crowd_variance: crowd.variance,
    stress_samples: stress.samples,
    stress_mean: stress.mean,
    stress_variance: stress.variance,
    calm_samples: calm.samples,
    calm_mean: calm.mean,
    calm_variance: calm.variance,
    calm_share,
  }));
  return tx.insert('norms', rows, upsert);
}

/** The norm of calm of one pocket in one hour of its week. */
export interface CalmNorm extends Norm {
  pocket_id: string;
  hour_of_week: number;
  /** The share of readings in a calm state. */
  calm_share: number;
}

const calmColumns = `n.pocket_id, n.hour_of_week, n.calm_samples as samples, n.calm_mean as mean,
  n.calm_variance as variance, n.calm_share`;

/** The norms of calm in these hours of the week, of some pockets or of all. */
export async function readCalmNorms(
  store: Reader,
  hoursOfWeek: readonly number[],
  pockets?: readonly string[],
): Promise<CalmNorm[]> {
  const placeholders = (list: readonly unknown[]) => list.map(() => '?').join(', ');
  if (!hoursOfWeek.length) return [];
  const hours = `n.hour_of_week in (${placeholders(hoursOfWeek)})`;
  return pockets
    ? allOfPockets<CalmNorm>(
        store,
        pockets,
        `select ${calmColumns} from asked a cross join norms n where n.pocket_id = a.pocket_id and ${hours}`,
        ...hoursOfWeek,
      )
    : store.all<CalmNorm>(`select ${calmColumns} from norms n where ${hours}`, ...hoursOfWeek);
}

/** Of a district, hour by hour: PostgreSQL expects no rows of an hour of the week that it does not know yet. */
export const calmNormsInDistrict = async (
  store: Reader,
  hoursOfWeek: readonly number[],
  district: string,
): Promise<CalmNorm[]> => {
  const ofHour = (hour: number) => {
    const { where, params } = keyedInDistrict('n.hour_of_week', hour, district, 'n.pocket_id');
    return store.all<CalmNorm>(`select ${calmColumns} from norms n where ${where}`, ...params);
  };
  return (await Promise.all(hoursOfWeek.map(ofHour))).flat();
};
