import type { Character, Pocket } from '../../domain/city/city.ts';
import { hashText } from './random/random.ts';

/** A pocket with the constants that the model needs, computed once. */
export interface Site {
  id: string;
  /** Depends on the pocket's id alone: adding a pocket to a registry changes no other. */
  seed: number;
  /** Kilometres east and north. */
  x: number;
  y: number;
  /** Which railway line serves it: a region shares one. */
  line: number;
  character: Character;
}

export const LINES = 3;
const KM_PER_DEGREE = 111.2;

export function createSites(pockets: readonly Pocket[], seed: string): Site[] {
  const meanLat = pockets.reduce((sum, { lat }) => sum + lat, 0) / Math.max(1, pockets.length);
  // A whole degree, so that one more pocket in the city does not move the others.
  const squeeze = Math.cos((Math.round(meanLat) * Math.PI) / 180);
  return pockets.map(({ id, lat, lng, region, character }) => ({
    id,
    seed: hashText(`${seed}/pocket/${id}`),
    x: lng * KM_PER_DEGREE * squeeze,
    y: lat * KM_PER_DEGREE,
    line: (hashText(`line/${region}`) >>> 0) % LINES,
    character,
  }));
}
