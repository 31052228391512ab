import Type from 'typebox';
import { quoted } from '../../domain/text/printable.ts';
import { defineOperation } from '../core/define.ts';
import { outlet } from './merchant-fields.ts';
import { outletId } from './outlet.ts';
import { outletProfile, PROFILE_ROWS } from './outlet-profile.ts';

const lines = Type.Array(Type.String());
const none = Type.Array(Type.String(), { maxItems: 0 });

export const getObservedOutlet = defineOperation({
  name: 'get_observed_outlet',
  title: 'Profile of one outlet',
  description:
    'Describes one particular outlet by what recurred there in 28 days. Use it when a person asks about that shop, with the UUID from its page or /api/outlets. Not for all outlets of a pocket (get_merchant_readiness) or offers of this hour (get_available_experiences). Returns outlet {id, name, pocket_id, unit, opens_at, closes_at, category} or null, patterns with their n, decision_support.',
  toolsets: ['merchant'],
  input: { outlet_id: outletId },
  output: Type.Union([
    Type.Object({ outlet, patterns: lines, decision_support: lines }),
    Type.Object({
      outlet_id: Type.String(),
      outlet: Type.Null(),
      directory: Type.String({
        format: 'uri',
        description: 'where every active outlet is listed with its id',
      }),
      patterns: none,
      decision_support: none,
    }),
  ]),
  effect: 'read',
  rows: () => PROFILE_ROWS,
  notFoundText: 'extended',
  load: async ({ outlet_id }, context) => ({
    profile: await outletProfile(context, outlet_id),
    directory: `${context.baseUrl}/api/outlets`,
  }),
  shape: ({ profile, directory }, { outlet_id }) =>
    profile
      ? {
          outlet: profile.outlet,
          patterns: profile.patterns.map(({ text }) => text),
          decision_support: profile.decision_support,
        }
      : { outlet_id, outlet: null, directory, patterns: [], decision_support: [] },
  speak: ({ outlet, patterns, decision_support }, _input, zone) => {
    if (!outlet) return 'outlet not found or inactive.';
    const { name, unit, category, pocket_id, opens_at, closes_at } = outlet;
    return [
      `${quoted(name)}, ${category} in ${pocket_id}, unit ${quoted(unit)}, open ${opens_at} to ${closes_at} ${zone.generalName}.`,
      ...(patterns.length ? patterns : ['too little of its history is known for a pattern.']),
      ...decision_support,
    ].join('\n');
  },
});
