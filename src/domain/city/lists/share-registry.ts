// A registry for another thread, which reads the same columns of pockets and outlets.
import type { Outlet, Pocket, Registry } from '../city.ts';
import { type Columns, columnList } from './columns.ts';
import { toColumns } from './write-columns.ts';

/** What nearly every question looks up. */
export const keptFields = { pockets: ['id'], outlets: [] } as const;

export interface SharedRegistry extends Omit<Registry, 'pockets' | 'outlets'> {
  pockets: Columns;
  outlets: Columns;
}

export const shareRegistry = ({ pockets, outlets, ...rest }: Registry): SharedRegistry => ({
  ...rest,
  pockets: toColumns(pockets, keptFields.pockets),
  outlets: toColumns(outlets, keptFields.outlets),
});

export const fromShared = ({ pockets, outlets, ...rest }: SharedRegistry): Registry => ({
  ...rest,
  pockets: columnList<Pocket>(pockets),
  outlets: columnList<Outlet>(outlets),
});
