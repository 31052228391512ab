// The public directory of outlets: what stands on their own pages. How an outlet is doing is never part of it.

import Type from 'typebox';
import type { Outlet } from '../../domain/city/city.ts';
import { outletsAt } from '../../domain/city/lists/find-entries.ts';
import { oncePerList } from '../../domain/city/lists/once-per-list.ts';
import { searchByName } from '../../domain/city/outlet-search.ts';
import { printable, quote } from '../../domain/text/printable.ts';
import { count, nullable } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { pocketId, shortText, wholeNumber } from '../core/fields.ts';
import { rowsOfAllOutlets } from '../core/rows-of-all.ts';
import { category, outlet } from './merchant-fields.ts';
import { publicOutlet } from './outlet.ts';

const listed = Type.Object({
  ...outlet.properties,
  url: Type.String({ format: 'uri', description: "the outlet's own page" }),
});

export const listOutlets = defineOperation({
  name: 'list_outlets',
  title: 'Directory of outlets',
  description:
    'Lists the active outlets with what their own pages show. Use it to find the outlet_id that get_observed_outlet and other questions about one outlet ask for. Returns {count (all that match), name_match, outlets}; each is {id, name, pocket_id, unit, opens_at, closes_at, category, url}, by pocket and name, or the most alike first where no name contains q. It says nothing about how an outlet is doing.',
  input: {
    pocket_id: Type.Optional(pocketId),
    category: Type.Optional(Type.Enum([...category.enum], { description: 'only outlets of this category' })),
    q: Type.Optional(
      shortText(80, 'part of the name, whatever its case and accents; a misspelt name is found too'),
    ),
    limit: wholeNumber(1, 500, 100, 'maximum outlets to list'),
    offset: wholeNumber(0, 1_000_000, 0, 'outlets to leave out before the first one listed'),
  },
  output: Type.Object({
    count,
    name_match: nullable(
      Type.Enum(['part', 'similar'], {
        description: 'how the names match q: they contain it, or none does and these are like it',
      }),
    ),
    outlets: Type.Array(listed),
  }),
  list: 'outlets',
  rows: rowsOfAllOutlets,
  load: ({ pocket_id }, { registry, baseUrl }) => ({
    outlets:
      pocket_id === undefined ? listedOutlets(registry.outlets) : listOrder(outletsAt(registry, pocket_id)),
    baseUrl,
  }),
  shape: ({ outlets, baseUrl }, { category, q, limit, offset }) => {
    const selected = outlets.filter(
      (one) => one.active && (category === undefined || one.category === category),
    );
    const search = q === undefined ? null : searchByName(selected, q);
    const found = search?.found ?? selected;
    return {
      count: found.length,
      name_match: search?.match ?? null,
      outlets: found
        .slice(offset, offset + limit)
        .map((one) => ({ ...publicOutlet(one), url: `${baseUrl}/outlet/${one.id}` })),
    };
  },
  speak: ({ count, name_match, outlets }, { pocket_id }, zone) => {
    const alike = name_match === 'similar' && count ? ' by a similar name' : '';
    const place = pocket_id === undefined ? '' : ` in ${printable(pocket_id)}`;
    const lines = outlets.map(
      ({ id, name, category, pocket_id, opens_at, closes_at }) =>
        `${quote(name)}, ${category} in ${pocket_id}, open ${opens_at} to ${closes_at} ${zone.generalName}: ${id}.`,
    );
    return [`active outlets that match${alike}${place}: ${count}.`, ...lines].join('\n');
  },
  rest: { path: '/api/outlets', names: { pocket_id: 'pocket' } },
});

const inOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const listOrder = (outlets: readonly Outlet[]): Outlet[] =>
  outlets.toSorted(
    (a, b) => inOrder(a.pocket_id, b.pocket_id) || inOrder(a.name, b.name) || inOrder(a.id, b.id),
  );
const listedOutlets = oncePerList(listOrder);
