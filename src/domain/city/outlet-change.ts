import type { Outlet } from './city.ts';

export type OutletAction = 'add' | 'update' | 'deactivate' | 'takedown';

/** A change of an outlet by an operator: the given fields replace those of the outlet. */
export interface OutletChange {
  seq: number;
  outlet_id: string;
  fields: Partial<Outlet>;
}

/**
 * An outlet that closes before it opens is either open past midnight or a typing error, so --overnight must confirm
 * it.
 */
export function hoursFault(
  { opens_at, closes_at }: Pick<Outlet, 'opens_at' | 'closes_at'>,
  overnight: boolean,
): string | undefined {
  if (closes_at === opens_at) return `it closes at ${closes_at}, when it opens: the two must differ`;
  if (closes_at < opens_at && !overnight)
    return `it closes at ${closes_at}, before it opens at ${opens_at}: add --overnight if that is past midnight`;
  if (closes_at > opens_at && overnight)
    return `it closes at ${closes_at}, after it opens at ${opens_at}: --overnight is for a place that closes past midnight`;
  return undefined;
}
