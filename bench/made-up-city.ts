import type { Character, Pocket, Registry } from '../src/domain/city/city.ts';
import { dayParts } from '../src/domain/city/city.ts';
import { loadRegistry, singaporeDir } from '../src/registry/load.ts';
import { draws, hashText } from '../src/sources/simulated/random.ts';

/** About a kilometre of latitude, and on the equator of longitude. */
const KILOMETRE = 1 / 111.2;
const REGION_KM = 10;

/**
 * A city of any size: pockets a kilometre apart on a plane, each like one of Singapore's and yet itself, with as many
 * outlets in proportion. The same for the same size.
 */
export function madeUpCity(size: number): Registry {
  const model = loadRegistry(singaporeDir);
  const side = Math.ceil(Math.sqrt(size));
  const outletsOf = Map.groupBy(model.outlets, ({ pocket_id }) => pocket_id);
  const pockets: Pocket[] = [];
  const outlets: Registry['outlets'] = [];
  for (let n = 0; n < size; n += 1) {
    const like = model.pockets[n % model.pockets.length] as Pocket;
    const draw = draws(hashText(`pocket ${n}`));
    const id = `pocket-${String(n).padStart(5, '0')}`;
    const [column, row] = [n % side, Math.floor(n / side)];
    pockets.push({
      ...like,
      id,
      name: `Pocket ${n}`,
      region: `Region ${Math.floor(column / REGION_KM)}-${Math.floor(row / REGION_KM)}`,
      lat: 1.2 + (row + draw()) * KILOMETRE,
      lng: 103.5 + (column + draw()) * KILOMETRE,
      aliases: [],
      character: varied(like.character, draw),
    });
    for (const outlet of outletsOf.get(like.id) ?? []) {
      const serial = outlets.length.toString(16).padStart(12, '0');
      outlets.push({ ...outlet, id: `00000000-0000-4000-8000-${serial}`, pocket_id: id });
    }
  }
  return { ...model, pockets, outlets };
}

/** A fifth more or less of everything, shares within 0..1. */
function varied(character: Character, draw: () => number): Character {
  const about = (value: number, most = Number.POSITIVE_INFINITY) =>
    Math.min(most, value * (0.8 + 0.4 * draw()));
  return {
    ...character,
    footfall_peak: Math.round(about(character.footfall_peak)),
    rhythm: Object.fromEntries(
      dayParts.map((part) => [part, about(character.rhythm[part], 1)]),
    ) as Character['rhythm'],
    weekend: about(character.weekend, 2),
    office: about(character.office, 1),
    transit: about(character.transit, 1),
    traffic: about(character.traffic, 1),
    shelter: about(character.shelter, 1),
    green: about(character.green, 1),
    carpark_lots: Math.round(about(character.carpark_lots)),
  };
}
