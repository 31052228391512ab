import type { Package } from '../../domain/narration/package.ts';
import type { Reader } from '../engine/store.ts';

interface PackageRow extends Omit<Package, 'json_ld' | 'attribution_meta'> {
  json_ld: string;
  attribution_meta: string;
}

/** The newest packages of a pocket up to `now` that no later one has superseded. */
export async function recentPackages(
  store: Reader,
  pocket: string,
  now: number,
  limit: number,
): Promise<Package[]> {
  const rows = await store.all<PackageRow>(
    `select p.* from packages p
     left join package_supersessions s on s.package_id = p.id and s.slot <= ?
     where p.pocket_id = ? and p.slot <= ? and s.package_id is null
     order by p.slot desc limit ?`,
    now,
    pocket,
    now,
    limit,
  );
  return rows.map((row) => ({
    ...row,
    json_ld: JSON.parse(row.json_ld),
    attribution_meta: JSON.parse(row.attribution_meta),
  }));
}
