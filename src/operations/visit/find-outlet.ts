// For assistants: outlets by name, kind, pocket and opening hours, those in the calmest pockets first.

import Type, { type Static } from 'typebox';
import { chanceText, usualChanceText } from '../../domain/atmosphere/calm-band.ts';
import type { Outlet } from '../../domain/city/city.ts';
import { outletsAt } from '../../domain/city/lists/find-entries.ts';
import { searchByName } from '../../domain/city/outlet-search.ts';
import { quote } from '../../domain/text/printable.ts';
import { namedTime, TIME_FORMS } from '../../domain/time/named-time.ts';
import { isOpen } from '../../domain/time/opening-hours.ts';
import { iso } from '../../domain/time/slot.ts';
import { USUAL_REACH } from '../../domain/window/usual-chance.ts';
import { countField, nullable, timeField, unit } from '../core/answer-fields.ts';
import { defineOperation, type OperationContext, Refused } from '../core/define.ts';
import { pocketId, shortText, wholeNumber } from '../core/fields.ts';
import { rowsOfAllOutlets } from '../core/rows-of-all.ts';
import { restAddress } from '../core/text-list.ts';
import { category, outlet } from '../merchant/merchant-fields.ts';
import { publicOutlet } from '../merchant/outlet.ts';
import { loadExpected } from './load-outlooks.ts';

const MOST_OUTLETS = 20;

const found = Type.Object({
  ...outlet.properties,
  open_then: Type.Boolean({ description: 'open at that time by its published hours' }),
  pocket_calm: Type.Union(
    [
      Type.Object({
        basis: Type.Enum(['forecast', 'usual'], { description: 'usual: no forecast reaches that time' }),
        calm_probability: unit,
        n: nullable(Type.Integer({ minimum: 1, description: 'readings that the usual is the share of' })),
      }),
      Type.Null(),
    ],
    { description: 'how likely its pocket is calm then; null where nothing is known' },
  ),
  url: Type.String({ format: 'uri', description: "the outlet's own page" }),
});
type Found = Static<typeof found>;

export const findOutlet = defineOperation({
  name: 'find_outlet',
  title: 'Find an outlet',
  description:
    'Finds outlets by name, kind, pocket and opening hours, those in the calmest pockets first. Use it for "which bakeries are open and quiet?", or for an outlet_id. Not for how full one is (get_observed_outlet) or for places in general (plan_visit). Returns count, at and outlets [{id, name, pocket_id, category, opens_at, closes_at, open_then, pocket_calm, url}].',
  toolsets: ['visitor', 'merchant'],
  tool: 'on_request',
  input: {
    name: Type.Optional(shortText(80, 'its name or a part of it; a misspelt one is found too')),
    kind: Type.Optional(Type.Enum([...category.enum], { description: 'only outlets of this kind' })),
    pocket_id: Type.Optional(pocketId),
    open_at: Type.Optional(
      shortText(40, `only those that are open then: now, or ${TIME_FORMS}; {city} time`),
    ),
    limit: wholeNumber(1, MOST_OUTLETS, 8, 'maximum outlets to list'),
  },
  output: Type.Object({
    at: timeField('the time that is answered for'),
    count: countField('outlets that match'),
    name_match: nullable(
      Type.Enum(['part', 'similar'], {
        description: 'how the names match: they contain it, or none does and these are like it',
      }),
    ),
    outlets: Type.Array(found),
    more: Type.String({ format: 'uri', description: 'the directory of outlets' }),
  }),
  rows: rowsOfAllOutlets,
  load: async ({ name, kind, pocket_id, open_at }, context) => {
    const { registry, zone, baseUrl } = context;
    const at = timeMeant(open_at, context);
    const selected = (pocket_id === undefined ? registry.outlets : outletsAt(registry, pocket_id)).filter(
      (one) =>
        one.active &&
        (kind === undefined || one.category === kind) &&
        (open_at === undefined || isOpen(one, at, zone)),
    );
    const search = name === undefined ? null : searchByName(selected, name);
    const outlets = search?.found ?? selected;
    return { at, outlets, match: search?.match ?? null, baseUrl, calm: await calmThen(outlets, at, context) };
  },
  shape: ({ at, outlets, match, baseUrl, calm }, { name, kind, pocket_id, limit }, zone) => {
    const rows = outlets.map((one): Found => {
      const expected = calm.get(one.pocket_id);
      return {
        ...publicOutlet(one),
        open_then: isOpen(one, at, zone),
        pocket_calm: expected
          ? { basis: expected.basis, calm_probability: expected.calm_probability, n: expected.n }
          : null,
        url: `${baseUrl}/outlet/${one.id}`,
      };
    });
    // The best match of a name stays first.
    if (name === undefined) rows.sort(calmestFirst);
    const more = restAddress('/api/outlets', { q: name, category: kind, pocket: pocket_id });
    return {
      ...{ at: iso(at), count: rows.length, name_match: match },
      ...{ outlets: rows.slice(0, limit), more: `${baseUrl}${more}` },
    };
  },
  speak: ({ at, count, name_match, outlets, more }, { name, kind, open_at }, zone) => {
    const time = `${zone.localDate(Date.parse(at))} ${zone.clockWithZone(Date.parse(at))}`;
    const asked = `${kind ?? 'outlet'}${name === undefined ? '' : ` by the name ${quote(name)}`}${open_at === undefined ? '' : ` open at ${time}`}`;
    if (!outlets.length)
      return `no ${asked} is listed${open_at === undefined ? '' : '; without open_at those that are closed then are listed too'}.`;
    return [
      `${count} listed: ${asked}${name_match === 'similar' ? ', by a similar name' : ''}; ${count > outlets.length ? `the first ${outlets.length}, ` : ''}${name === undefined ? 'calmest pocket' : 'best match'} first, with how calm its pocket is at ${time}:`,
      ...outlets.map(outletLine),
      `all of them: ${more}`,
    ].join('\n');
  },
});

const outletLine = ({
  id,
  name,
  category,
  pocket_id,
  opens_at,
  closes_at,
  open_then,
  pocket_calm: calm,
}: Found): string => {
  const chance =
    calm === null
      ? 'its pocket: not known'
      : `its pocket: ${calm.n === null ? chanceText(calm.calm_probability) : usualChanceText(calm.calm_probability, calm.n)}`;
  return `${quote(name)}, ${category} in ${pocket_id}, ${opens_at} to ${closes_at}, ${open_then ? 'open' : 'closed'} then; ${chance}; outlet_id ${id}`;
};

const calmestFirst = (a: Found, b: Found): number =>
  Number(b.open_then) - Number(a.open_then) ||
  (b.pocket_calm?.calm_probability ?? -1) - (a.pocket_calm?.calm_probability ?? -1) ||
  (a.name < b.name ? -1 : 1);

function timeMeant(text: string | undefined, { now, zone }: OperationContext): number {
  const at = namedTime(text ?? 'now', now, zone, 'future');
  if (at === null) throw new Refused(`open_at must be now, or ${TIME_FORMS}`);
  if (at < now - 1 || at > now + USUAL_REACH) throw new Refused('open_at must be within the next seven days');
  return at;
}

const calmThen = (outlets: readonly Outlet[], at: number, context: OperationContext) =>
  loadExpected(context, at, [...new Set(outlets.map(({ pocket_id }) => pocket_id))]);
