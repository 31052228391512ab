// Arguments that identify an outlet, and their look-up in the registry.

import Type, { type Static } from 'typebox';
import type { Outlet, Registry } from '../../domain/city/city.ts';
import { findOutlet } from '../../domain/city/lists/find-entries.ts';
import { printable } from '../../domain/text/printable.ts';
import { NotFound } from '../core/define.ts';
import { shortText } from '../core/fields.ts';
import type { outlet } from './merchant-fields.ts';

export const outletId = shortText(64, 'UUID of an active outlet, as find_outlet and /api/outlets give it');

export function activeOutlet(registry: Registry, outlet_id: string): Outlet | undefined {
  const outlet = findOutlet(registry, outlet_id);
  return outlet?.active ? outlet : undefined;
}

/** What stands on an outlet's own page. The operator chose the words: they are shown without characters that hide or reorder text. */
export const publicOutlet = (one: Outlet): Static<typeof outlet> => ({
  id: one.id,
  name: printable(one.name),
  pocket_id: one.pocket_id,
  unit: printable(one.unit),
  opens_at: one.opens_at,
  closes_at: one.closes_at,
  category: one.category,
});

/** An argument that narrows a question about a pocket to one outlet in it. */
export const outletIdInPocket = Type.String({
  maxLength: 64,
  description: 'UUID of an active outlet in the pocket',
});

/** The active outlet of that pocket; undefined if no outlet was asked for. Throws if there is no such outlet. */
export function outletInPocket(
  registry: Registry,
  pocket_id: string,
  outlet_id: string | undefined,
): Outlet | undefined {
  if (outlet_id === undefined) return undefined;
  const outlet = activeOutlet(registry, outlet_id);
  if (outlet?.pocket_id !== pocket_id) throw new NotFound(`unknown outlet: ${printable(outlet_id)}`);
  return outlet;
}
