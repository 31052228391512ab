// Places that visitors name and that are not pockets: stations, streets, landmarks. The data is in `cities/*/places.json`.

export const placeKinds = ['station', 'street', 'landmark'] as const;
export type PlaceKind = (typeof placeKinds)[number];

export interface Place {
  id: string;
  name: string;
  kind: PlaceKind;
  lat: number;
  lng: number;
  /** Other names, in any language. */
  aliases: string[];
}

/** Who publishes the positions, and under which licence. `attribution` is shown under the map as it stands here. */
export interface PlacesCredit {
  source: { name: string; attribution: string; url: string };
  licence: { name: string; url: string };
}

/** How far from its nearest pocket a place may be: beyond it lies another city, or a mistake. */
export const PLACE_REACH_M = 60_000;

/** More would be a gazetteer: a place is listed because visitors of these pockets name it. */
export const MAX_PLACES = 500;
