export interface Position {
  lat: number;
  lng: number;
}

/** Of latitude. */
export const METRES_A_DEGREE = 111_195;

/** Metres between two points, on a plane: good to a few metres over the distances of a city, also across 180°. */
export function metresBetween(a: Position, b: Position): number {
  const wide = Math.abs(a.lng - b.lng);
  const east = Math.min(wide, 360 - wide) * Math.cos((((a.lat + b.lat) / 2) * Math.PI) / 180);
  return Math.hypot(a.lat - b.lat, east) * METRES_A_DEGREE;
}
