import Type from 'typebox';
import { PATTERN_DAYS } from '../../domain/merchant/patterns/pattern.ts';
import { quote } from '../../domain/text/printable.ts';
import { countField } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { outlet } from './merchant-fields.ts';
import { outletId } from './outlet.ts';
import { outletProfile, PROFILE_ROWS } from './outlet-profile.ts';

const lines = Type.Array(Type.String());
const none = Type.Array(Type.String(), { maxItems: 0 });

const NO_QUIET_WINDOW = `no quiet window: on no weekday was it clearly emptier for two hours, week after week, in the last ${PATTERN_DAYS} days.`;

export const getObservedOutlet = defineOperation({
  name: 'get_observed_outlet',
  title: 'Profile of one outlet',
  description:
    'Describes one particular outlet by what recurred there in 28 days. Use it when a person asks about that shop, with the UUID from find_outlet or its page. Not for all outlets of a pocket (get_merchant_readiness) or offers of this hour (get_available_experiences). Returns outlet {id, name, pocket_id, unit, opens_at, closes_at, category} or null, patterns with their n, decision_support.',
  toolsets: ['merchant'],
  input: { outlet_id: outletId },
  output: Type.Union([
    Type.Object({
      outlet,
      patterns: lines,
      quiet_window_count: countField('how many of the patterns are quiet windows, which come first'),
      decision_support: lines,
    }),
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
          quiet_window_count: profile.patterns.filter(({ kind }) => kind === 'quiet_window').length,
          decision_support: profile.decision_support,
        }
      : { outlet_id, outlet: null, directory, patterns: [], decision_support: [] },
  speak: (answer, _input, zone) => {
    if (!answer.outlet) return 'outlet not found or inactive.';
    const { outlet, patterns, decision_support } = answer;
    const isQuiet = 'quiet_window_count' in answer && answer.quiet_window_count > 0;
    const { name, unit, category, pocket_id, opens_at, closes_at } = outlet;
    return [
      `${quote(name)}, ${category} in ${pocket_id}, unit ${quote(unit)}, open ${opens_at} to ${closes_at} ${zone.generalName}.`,
      ...(patterns.length
        ? [...(isQuiet ? [] : [NO_QUIET_WINDOW]), ...patterns]
        : ['too little of its history is known for a pattern, a quiet window included.']),
      ...decision_support,
    ].join('\n');
  },
});
