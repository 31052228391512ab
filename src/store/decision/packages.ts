// Packages: what was said. A package is live until it expires, at most the longest half-life after its slot; that bound
// lets the queries for live packages read only a few slots.
import type { SaidLine } from '../../domain/decision/attention.ts';
import { LONGEST_HALF_LIFE } from '../../domain/decision/moment.ts';
import type { Package } from '../../domain/narration/package.ts';
import { DAY, MINUTE } from '../../domain/time/slot.ts';
import { allOfPockets } from '../engine/in-clause-chunks.ts';
import type { Reader } from '../engine/store.ts';
import { windowAndDays, withinDays } from '../rows/day-index.ts';

interface PackageRow extends Omit<Package, 'json_ld' | 'attribution_meta'> {
  json_ld: string;
  attribution_meta: string;
}

/** The newest packages of a pocket up to `until`, at most one for each slot. None supersedes another: nothing is said while a line is live. */
export async function recentPackages(
  store: Reader,
  pocket: string,
  until: number,
  limit: number,
): Promise<Package[]> {
  const rows = await store.all<PackageRow>(
    'select * from packages where pocket_id = ? and slot <= ? order by slot desc limit ?',
    pocket,
    until,
    limit,
  );
  return rows.map((row) => ({
    ...row,
    json_ld: JSON.parse(row.json_ld),
    attribution_meta: JSON.parse(row.attribution_meta),
  }));
}

/** The lines of a pocket since a time, oldest first, with when each expires. */
export const linesSince = (
  store: Reader,
  pocket: string,
  since: number,
  now: number,
): Promise<(SaidLine & PackageTimes)[]> =>
  store.all(
    `select slot, tier, source_kind, composed_text, expires_at from packages
     where pocket_id = ? and slot > ? and slot <= ? order by slot`,
    pocket,
    since,
    now,
  );

export type PackageTimes = Pick<Package, 'slot' | 'expires_at'>;

/** When packages of a pocket were published in the last day, and when each expires; oldest first. */
export const packagesOfLastDay = (store: Reader, pocket: string, now: number): Promise<PackageTimes[]> =>
  store.all<PackageTimes>(
    'select slot, expires_at from packages where pocket_id = ? and slot > ? and slot <= ? order by slot',
    pocket,
    now - DAY,
    now,
  );

/** The slots of (after, until] at which lines of a pocket began, and the first slot at which it was decided on. */
export async function lineStarts(
  store: Reader,
  pocket: string,
  after: number,
  until: number,
): Promise<{ began: number[]; since: number | null }> {
  const [began, first] = await Promise.all([
    store.all<{ slot: number }>(
      'select slot from packages where pocket_id = ? and slot > ? and slot <= ? order by slot',
      pocket,
      after,
      until,
    ),
    store.get<{ slot: number | null }>(
      `select min(slot) as slot from moments where pocket_id = ? and ${withinDays('slot')}`,
      pocket,
      ...windowAndDays({ after, until }),
    ),
  ]);
  return { began: began.map(({ slot }) => slot), since: first?.slot ?? null };
}

/** The pockets that have a package which has not expired. */
export async function pocketsWithLivePackage(store: Reader, now: number): Promise<Set<string>> {
  const rows = await store.all<{ pocket_id: string }>(
    'select distinct pocket_id from packages where slot > ? and slot <= ? and expires_at > ?',
    now - LONGEST_HALF_LIFE * MINUTE,
    now,
    now,
  );
  return new Set(rows.map(({ pocket_id }) => pocket_id));
}

export type LivePackageLine = Pick<Package, 'pocket_id' | 'slot' | 'composed_text' | 'expires_at'>;

/** The line of the newest live package of each of some pockets: rows are in slot order, so the last one of a pocket replaces the others. */
export async function livePackageLines(
  store: Reader,
  now: number,
  pockets: readonly string[],
): Promise<Map<string, LivePackageLine>> {
  const rows = await allOfPockets<LivePackageLine>(
    store,
    pockets,
    `select p.pocket_id, p.slot, p.composed_text, p.expires_at from asked a cross join packages p
     where p.pocket_id = a.pocket_id and p.slot > ? and p.slot <= ? and p.expires_at > ? order by p.slot`,
    now - LONGEST_HALF_LIFE * MINUTE,
    now,
    now,
  );
  return new Map(rows.map((row) => [row.pocket_id, row]));
}
