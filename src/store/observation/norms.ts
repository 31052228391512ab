// What is usual for each pocket, by hour of the week: running means and variances, one row a pocket and hour.
import type { HourNorm } from '../../domain/atmosphere/anomaly.ts';
import type { Reader, Transaction } from '../engine/store.ts';

interface NormRow {
  pocket_id: string;
  footfall_samples: number;
  footfall_mean: number;
  footfall_variance: number;
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
        footfall: { samples: row.footfall_samples, mean: row.footfall_mean, variance: row.footfall_variance },
        stress: { samples: row.stress_samples, mean: row.stress_mean, variance: row.stress_variance },
      },
    ]),
  );
}

const upsert = `on conflict (pocket_id, hour_of_week) do update set
  footfall_samples = excluded.footfall_samples,
  footfall_mean = excluded.footfall_mean,
  footfall_variance = excluded.footfall_variance,
  stress_samples = excluded.stress_samples,
  stress_mean = excluded.stress_mean,
  stress_variance = excluded.stress_variance`;

export function writeNorms(tx: Transaction, hourOfWeek: number, norms: Map<string, HourNorm>): Promise<void> {
  const rows = [...norms].map(([pocket_id, { footfall, stress }]) => ({
    pocket_id,
    hour_of_week: hourOfWeek,
    footfall_samples: footfall.samples,
    footfall_mean: footfall.mean,
    footfall_variance: footfall.variance,
    stress_samples: stress.samples,
    stress_mean: stress.mean,
    stress_variance: stress.variance,
  }));
  return tx.insert('norms', rows, upsert);
}
