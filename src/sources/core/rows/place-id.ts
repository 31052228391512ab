// Which ids of places can be stored, shown, and named in `places` of `sources.json`.

/**
 * Longer ones are sentences. Control, invisible and direction-changing characters would hide or reorder the text around
 * an id where it is shown, half characters cannot be stored.
 */
export const PLACE_ID = '^[^\\p{C}\\p{Zl}\\p{Zp}]{1,128}$';
export const PLACE_ID_RULE = '1-128 visible characters';

const shape = new RegExp(PLACE_ID, 'u');
export const isPlaceId = (id: string): boolean => shape.test(id);

/**
 * Text, or the whole number that some feeds send for it. One that JSON cannot hold exactly may be that of two places.
 * Undefined: the row names no place.
 */
export function parsePlaceId(raw: unknown): string | undefined {
  const id = typeof raw === 'string' ? raw.trim() : Number.isSafeInteger(raw) ? String(raw) : '';
  return isPlaceId(id) ? id : undefined;
}
