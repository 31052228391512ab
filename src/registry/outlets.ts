// Rules for outlets, and operators' changes applied to those of the registry's files.
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import type { Outlet, Registry } from '../domain/city/city.ts';
import { columnList, listColumns, plainEntry } from '../domain/city/lists/columns.ts';
import { deepFreeze } from '../domain/city/lists/deep-freeze.ts';
import { findOutlet, findPocket } from '../domain/city/lists/find-entries.ts';
import { keptFields } from '../domain/city/lists/share-registry.ts';
import { toColumns } from '../domain/city/lists/write-columns.ts';
import type { OutletChange } from '../domain/city/outlet-change.ts';
import { check } from './check.ts';
import { outletSchema } from './schema.ts';

const schema: TSchema = outletSchema;
const compiled = Compile(schema);

/** Rules that the schema of a single outlet cannot express; each returns a problem or false. */
export const outletRules = (isKnown: (pocket: string) => boolean): ((outlet: Outlet) => string | false)[] => [
  ({ pocket_id }) => !isKnown(pocket_id) && `pocket_id ${pocket_id} is not in pockets.json`,
  ({ opens_at, closes_at }) => opens_at === closes_at && 'closes_at must differ from opens_at',
];

/** Everything that makes an outlet invalid, whether it comes from a file or an operator. */
export function outletFaults(registry: Registry, outlet: Partial<Outlet>): string[] {
  const faults = check(compiled, schema, outlet);
  if (faults.length) return faults;
  const isKnown = (pocket: string) => findPocket(registry, pocket) !== undefined;
  return outletRules(isKnown).flatMap((rule) => rule(outlet as Outlet) || []);
}

export interface AppliedChanges {
  registry: Registry;
  /** Changes that are not valid in this city: made to another one, or to files that have changed since. */
  skipped: { outlet_id: string; faults: string[] }[];
}

/** The registry with the operators' changes applied in their order. */
export function applyOutletChanges(registry: Registry, changes: readonly OutletChange[]): AppliedChanges {
  const changed = new Map<string, Outlet>();
  const skipped: AppliedChanges['skipped'] = [];
  for (const { outlet_id, fields } of changes) {
    const before = changed.get(outlet_id) ?? findOutlet(registry, outlet_id);
    const outlet = { ...(before && plainEntry(before)), ...fields, id: outlet_id };
    const faults = outletFaults(registry, outlet);
    if (faults.length) skipped.push({ outlet_id, faults });
    else changed.set(outlet_id, outlet as Outlet);
  }
  const isNew = ({ id }: Outlet) => findOutlet(registry, id) === undefined;
  const outlets = [
    ...registry.outlets.map((outlet) => changed.get(outlet.id) ?? outlet),
    ...[...changed.values()].filter(isNew),
  ];
  // As columns they stay so: with the entries of two forms, both would be in memory.
  const list = listColumns(registry.outlets)
    ? columnList<Outlet>(toColumns(outlets, keptFields.outlets))
    : outlets;
  return { registry: deepFreeze({ ...registry, outlets: list }), skipped };
}
