import type { Outlet } from './city.ts';

export type OutletAction = 'add' | 'update' | 'deactivate' | 'takedown';

/** What an operator changed of an outlet: the fields that are given replace those that stood. */
export interface OutletChange {
  seq: number;
  outlet_id: string;
  fields: Partial<Outlet>;
}

/** Closing before opening is either a place that is open past midnight or a slip, so it has to be said which. */
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
