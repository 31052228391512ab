import Type from 'typebox';
import { printable } from '../../domain/text/printable.ts';
import { unit } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { shortText } from '../core/fields.ts';
import { coordinates } from './pocket-fields.ts';

export const lookupPocketByName = defineOperation({
  name: 'lookup_pocket_by_name',
  title: 'Find a pocket by name',
  description:
    'Finds the pocket_id that a place name means, typos and local names included. Use it when a person names a neighbourhood in their own words. Not for all pockets (list_pockets). Returns query and up to 3 matches [{pocket_id, display_name, lat, lng, region, confidence}], best first; a place that is not observed has none, or one of low confidence.',
  toolsets: ['reader', 'merchant', 'record'],
  input: {
    query: shortText(80, 'place name as a person would write it, in any script'),
  },
  output: Type.Object({
    query: Type.String(),
    matches: Type.Array(
      Type.Object({
        pocket_id: Type.String(),
        display_name: Type.String(),
        ...coordinates,
        region: Type.String(),
        confidence: unit,
      }),
      { maxItems: 3 },
    ),
    suggestions: Type.Optional(
      Type.Array(Type.String(), {
        description: 'similar names of pockets where nothing matched; may be empty',
      }),
    ),
  }),
  // Its text tells nothing that was read.
  seen: () => null,
  load: ({ query }, { lookup }) => ({ matches: lookup.find(query), suggestions: lookup.suggest(query) }),
  shape: ({ matches, suggestions }, { query }) =>
    matches.length ? { query, matches } : { query, matches, suggestions },
  speak: ({ matches, suggestions }, { query }) => {
    const asked = `'${printable(query).replaceAll("'", '’')}'`;
    if (suggestions) {
      const similar = suggestions.join(', ').toLowerCase();
      return `no pocket matched ${asked}. ${similar ? `similar names: ${similar}.` : 'list_pockets names those that are observed.'}`;
    }
    return [
      `${asked} matched:`,
      ...matches.map(
        ({ pocket_id, display_name, region, confidence }) =>
          `${display_name.toLowerCase()} (${pocket_id}), ${region.toLowerCase()}, confidence ${confidence}`,
      ),
    ].join('\n');
  },
  rest: { path: '/api/lookup' },
});
