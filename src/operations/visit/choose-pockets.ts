// Which pockets a visitor asked for, and in which order.

import type { Intent, Pocket, Registry } from '../../domain/city/city.ts';
import { findPocket } from '../../domain/city/lists/find-entries.ts';
import { indexNames } from '../../domain/city/lists/name-text.ts';
import { oncePerList } from '../../domain/city/lists/once-per-list.ts';
import { type Lookup, normalise } from '../../domain/city/lookup.ts';
import type { Place } from '../../domain/city/place.ts';
import { openKindsByPocket } from '../../domain/city/pocket-outlets.ts';
import { buildPlaceIndex, nearestPockets, type PlaceIndex, whereIs } from '../../domain/city/where-is.ts';
import { intentAlignment } from '../../domain/intent/intent-fit.ts';
import { knownRainPressure } from '../../domain/signals/scales.ts';
import { round } from '../../domain/stats/unit-scale.ts';
import { printable } from '../../domain/text/printable.ts';
import type { ExpectedCalm } from '../../domain/window/pocket-outlook.ts';
import type { CurrentConditions } from '../../store/observation/current-conditions.ts';
import { NotFound, type OperationContext, Refused } from '../core/define.ts';

export function intentNamed(slug: string | undefined, intents: readonly Intent[]): Intent | undefined {
  const intent = intents.find((one) => one.slug === slug);
  if (slug !== undefined && !intent)
    throw new Refused(`unknown intent slug: ${printable(slug)}; ${intentList(intents)}`);
  return intent;
}

/** For messages about an intent that does not exist. */
export const intentList = (intents: readonly Intent[]): string =>
  `there are ${intents.map(({ slug }) => slug).join(', ')}`;

/** Which pockets were asked for, and the listed place that they are near to. */
export interface Chosen {
  /** Best match or nearest first; undefined where all are wanted. */
  named: string[] | undefined;
  place: NamedPlace | null;
}

/** A listed place, or a pocket that others are near to. */
export type NamedPlace = Pick<Place, 'name' | 'lat' | 'lng'> & { kind: Place['kind'] | 'pocket' };

/** By id, by name, or near a place: that of `near`, or the one that `q` names where it is not watched. */
export function choosePockets(
  { pockets, q, near }: { pockets?: readonly string[]; q: string; near?: string },
  registry: Registry,
  lookup: Lookup,
): Chosen {
  const named = pocketsNamed({ ...(pockets && { pockets }), q }, registry, lookup);
  if (near !== undefined) {
    const place = placeNamed(near, registry, lookup);
    const wanted = new Set(named);
    const nearest = nearestPockets(place, registry.pockets, registry.pockets.length).map(
      (one) => one.pocket_id,
    );
    return { named: named ? nearest.filter((id) => wanted.has(id)) : nearest, place };
  }
  if (pockets || !q.trim()) return { named, place: null };
  const found = whereIs(q, { lookup, places: placeIndexFor(registry), pockets: registry.pockets });
  return found.kind === 'place'
    ? { named: found.nearest.map(({ pocket_id }) => pocket_id), place: found.place }
    : { named, place: null };
}

const indexes = new WeakMap<Registry, PlaceIndex>();

/** Built once for each registry. */
function placeIndexFor(registry: Registry): PlaceIndex {
  const known = indexes.get(registry) ?? buildPlaceIndex(registry.places);
  indexes.set(registry, known);
  return known;
}

function placeNamed(near: string, registry: Registry, lookup: Lookup): NamedPlace {
  const [listed] = placeIndexFor(registry).findPlace(near);
  const [pocket] = lookup.find(near);
  if (pocket && pocket.confidence >= Math.max(SURE, listed?.confidence ?? 0))
    return { name: pocket.display_name, kind: 'pocket', lat: pocket.lat, lng: pocket.lng };
  if (!listed || listed.confidence < SURE) {
    const similar = [...(listed ? [listed.place.name] : []), ...lookup.suggest(near)].slice(0, 3);
    throw new NotFound(
      `unknown place: ${printable(near)}${similar.length ? `; similar: ${similar.join(', ')}` : ''}`,
    );
  }
  return listed.place;
}
const SURE = 0.5;

function pocketsNamed(
  { pockets, q }: { pockets?: readonly string[]; q: string },
  registry: Pick<Registry, 'pockets'>,
  lookup: Lookup,
): string[] | undefined {
  if (pockets) {
    const unknown = pockets.find((id) => !findPocket(registry, id));
    if (unknown !== undefined) throw new NotFound(`unknown pocket: ${printable(unknown)}`);
    return [...new Set(pockets)];
  }
  if (!q.trim()) return undefined;
  const similar = lookup.find(q).map(({ pocket_id }) => pocket_id);
  const having = partsOfNames(registry.pockets)(normalise(q)).flatMap((at) => registry.pockets[at]?.id ?? []);
  return [...new Set([...similar, ...having])];
}

const partsOfNames = oncePerList((pockets: readonly Pocket[]) =>
  indexNames(pockets, ({ name, region, aliases }) => [name, region, ...aliases]),
);

/** A pocket with a moment: how calm it is, and the reading behind it. */
export interface Present extends CurrentConditions {
  calm_probability: number;
}

/**
 * How far each pocket suits an intent now, as get_intent computes it; at another time by the calm that is expected then,
 * the opening hours of then and the rest of the present, without its rain.
 */
export function computeAlignments(
  intent: Intent,
  pockets: readonly Present[],
  { registry, now, zone }: Pick<OperationContext, 'registry' | 'now' | 'zone'>,
  at: number | null,
  expected: ReadonlyMap<string, ExpectedCalm>,
): Map<string, number> {
  const open = openKindsByPocket(registry.outlets, at ?? now, zone);
  const covered = new Map(registry.pockets.map((pocket) => [pocket.id, pocket.covered ?? null]));
  return new Map(
    pockets.map((present) => {
      const { pocket_id } = present;
      const then = expected.get(pocket_id);
      const alignment = intentAlignment(intent, {
        atmosphere: then ? { ...present, calm: then.calm_level } : present,
        calm_probability: at === null ? present.calm_probability : (then?.calm_probability ?? null),
        rain: at === null ? knownRainPressure(present.rain_mm) : null,
        hour: zone.hourOfDay(at ?? present.slot),
        covered: covered.get(pocket_id) ?? null,
        open_kinds: open.get(pocket_id) ?? null,
      });
      return [pocket_id, round(alignment)];
    }),
  );
}
