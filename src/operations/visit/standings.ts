// How calm every pocket is now, in few columns, and how many are spoken of: what a list is ordered and counted by before
// the pockets that it shows are read in full.
import { findPockets } from '../../domain/city/lists/find-entries.ts';
import { iso } from '../../domain/time/slot.ts';
import { type NewestMoment, newestMoments } from '../../store/decision/calm-pockets.ts';
import { livePackageLines, pocketsWithLivePackage } from '../../store/decision/packages.ts';
import type { OperationContext } from '../core/define.ts';
import { byName } from '../pocket/get-network-now.ts';
import { readLearning } from '../pocket/learning.ts';
import { loadNetworkRows, type NetworkRow } from '../pocket/network-rows.ts';

const columns = ['calm_probability', 'half_life_minutes'] as const;

export type Standing = NewestMoment<(typeof columns)[number]>;

/** Of the whole city, unless some pockets are named, a hundred at most. */
export async function loadStandings(context: OperationContext, only?: readonly string[]) {
  const { store, registry, now } = context;
  const pockets = only ? findPockets(registry, only) : registry.pockets;
  const [moments, speaking] = await Promise.all([
    newestMoments(store, now, pockets, columns, only),
    only ? livePackageLines(store, now, only) : pocketsWithLivePackage(store, now),
  ]);
  const standings = new Map(moments.map((one) => [one.pocket_id, one]));
  const speaking_count = pockets.filter(({ id }) => speaking.has(id)).length;
  const unread_count = pockets.filter(({ id }) => !speaking.has(id) && !standings.has(id)).length;
  return {
    pockets,
    standings,
    captured_at: moments.length ? iso(moments.reduce((last, { slot }) => Math.max(last, slot), 0)) : null,
    speaking_count,
    unread_count,
    silent_count: pockets.length - speaking_count - unread_count,
    learning: await readLearning(context),
  };
}

/** The most likely calm first, as find_calm_pocket_now orders them; those of which nothing is known come last. */
export const likeliestFirst = (
  ids: readonly string[],
  standings: ReadonlyMap<string, Standing>,
  chanceOf: (id: string) => number | undefined,
): string[] =>
  ids
    .map((id) => ({ id, chance: chanceOf(id) ?? -1, lasts: standings.get(id)?.half_life_minutes ?? 0 }))
    .sort((a, b) => b.chance - a.chance || b.lasts - a.lasts || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id);

/** The ids of pockets by name. */
export const namedInOrder = (pockets: readonly { id: string; name: string }[]): string[] =>
  pockets.toSorted((a, b) => byName.compare(a.name, b.name)).map(({ id }) => id);

/** What the network tells of these pockets, a hundred at most, in their order. */
export async function loadRows(context: OperationContext, ids: readonly string[]): Promise<NetworkRow[]> {
  const { rows } = await loadNetworkRows(context, ids);
  const byId = new Map(rows.map((row) => [row.pocket_id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
