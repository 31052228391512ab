// What is usual for each pocket, by hour of the week: running means and variances, one row a pocket and hour.
import type { HourNorm } from '../../domain/atmosphere/anomaly.ts';
import type { Reader, Transaction } from '../engine/store.ts';

interface NormRow {
  pocket_id: string;
  crowd_samples: number;
  crowd_mean: number;
  crowd_variance: number;
  stress_samples: number;
  stress_mean: number;
  stress_variance: number;
}

/** The norms of every pocket for one hour of the week. */
export async function readNorms(store: Reader, hourOfWeek: number): Promise<Map<string, HourNorm>> {
  const rows = await store.all<NormRow>('select * from norms where hour_of_week = ?', hourOfWeek);
  return new Map(
    rows.map((row) => [
      row.pocket_id,
      {
        crowd: { samples: row.crowd_samples, mean: row.crowd_mean, variance: row.crowd_variance },
        stress: { samples: row.stress_samples, mean: row.stress_mean, variance: row.stress_variance },
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
  stress_variance = excluded.stress_variance`;

export function writeNorms(tx: Transaction, hourOfWeek: number, norms: Map<string, HourNorm>): Promise<void> {
  const rows = [...norms].map(([pocket_id, { crowd, stress }]) => ({
    pocket_id,
    hour_of_week: hourOfWeek,
    crowd_samples: crowd.samples,
    crowd_mean: crowd.mean,
    crowd_variance: crowd.variance,
    stress_samples: stress.samples,
    stress_mean: stress.mean,
    stress_variance: stress.variance,
  }));
  return tx.insert('norms', rows, upsert);
}
