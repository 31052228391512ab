import type { Character, Outlet, Pocket, Registry } from '../../src/domain/city/city.ts';
import { dayParts } from '../../src/domain/city/city.ts';
import { cityDir } from '../../src/registry/city-dir.ts';
import { loadRegistry } from '../../src/registry/load.ts';
import { draws, hashText } from '../../src/sources/simulated/random/random.ts';

/** About a kilometre of latitude, and on the equator of longitude. */
const KILOMETRE = 1 / 111.2;
const REGION_KM = 10;

/**
 * A city of any size: pockets on a grid, about a kilometre apart, each a variation of one of Singapore's, with as many
 * outlets in proportion. Deterministic: the same size gives the same city.
 */
export function syntheticCity(size: number): Registry {
  const model = loadRegistry(cityDir('singapore'));
  const side = Math.ceil(Math.sqrt(size));
  const outletsOf = Map.groupBy(model.outlets, ({ pocket_id }) => pocket_id);
  const pockets: Pocket[] = [];
  const outlets: Outlet[] = [];
  for (let n = 0; n < size; n += 1) {
    const template = model.pockets[n % model.pockets.length] as Pocket;
    const draw = draws(hashText(`pocket ${n}`));
    const id = `pocket-${String(n).padStart(5, '0')}`;
    const [column, row] = [n % side, Math.floor(n / side)];
    const character = varyCharacter(template.character, draw);
    pockets.push({
      ...template,
      id,
      name: `Pocket ${n}`,
      region: `Region ${Math.floor(column / REGION_KM)}-${Math.floor(row / REGION_KM)}`,
      lat: 1.2 + (row + draw()) * KILOMETRE,
      lng: 103.5 + (column + draw()) * KILOMETRE,
      aliases: [],
      character,
      ...(character.shelter !== undefined && { covered: character.shelter }),
    });
    for (const outlet of outletsOf.get(template.id) ?? []) {
      const serial = outlets.length.toString(16).padStart(12, '0');
      outlets.push({ ...outlet, id: `00000000-0000-4000-8000-${serial}`, pocket_id: id });
    }
  }
  // The coast and the listed places of the model belong to its own pockets.
  const { outline: _, placesCredit: __, ...rest } = model;
  return { ...rest, pockets, outlets, places: [] };
}

/** Every figure up to a fifth higher or lower; shares stay within 0..1. */
function varyCharacter(character: Character, draw: () => number): Character {
  const vary = (value: number, max = Number.POSITIVE_INFINITY) => Math.min(max, value * (0.8 + 0.4 * draw()));
  return {
    ...character,
    footfall_peak: Math.round(vary(character.footfall_peak)),
    rhythm: Object.fromEntries(
      dayParts.map((part) => [part, vary(character.rhythm[part], 1)]),
    ) as Character['rhythm'],
    weekend: vary(character.weekend, 2),
    office: vary(character.office, 1),
    transit: vary(character.transit, 1),
    traffic: vary(character.traffic, 1),
    shelter: vary(character.shelter, 1),
    green: vary(character.green, 1),
    carpark_lots: Math.round(vary(character.carpark_lots)),
  };
}
