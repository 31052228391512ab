// The patterns of an outlet over REST, each with its evidence; the tool get_observed_outlet gives their text only.
import Type from 'typebox';
import { patternKinds } from '../../domain/merchant/patterns/pattern.ts';
import { printable, quote } from '../../domain/text/printable.ts';
import { clockTime, countField } from '../core/answer-fields.ts';
import { defineOperation, NotFound } from '../core/define.ts';
import { confidence, openingWeekday, outlet } from './merchant-fields.ts';
import { outletId } from './outlet.ts';
import { outletProfile, PROFILE_ROWS } from './outlet-profile.ts';

/** The evidence of a quiet window as data. */
const quietWindow = Type.Object(
  {
    weekday: openingWeekday,
    from: clockTime,
    to: clockTime,
    weeks_quiet: countField('weeks in which it was quiet'),
    weeks_seen: countField('weeks in which it was counted'),
    under_other_days: Type.Number({ description: 'how far under the same hours of other days: 0.6 is 60 %' }),
    under_own_mean: Type.Number({ description: 'how far under its own mean while open' }),
    n: countField('quarter hours counted'),
    since: Type.String({ format: 'date', description: 'the first day counted' }),
  },
  { description: 'only for a quiet window: its evidence as data' },
);

const pattern = Type.Object({
  kind: Type.Enum([...patternKinds]),
  text: Type.String({ description: 'with its sample count n' }),
  confidence,
  basis: Type.String({ description: 'the evidence in words' }),
  window: Type.Optional(quietWindow),
});

export const getObservedPatterns = defineOperation({
  name: 'get_observed_patterns',
  title: 'Observed patterns of one outlet',
  description:
    'Lists what recurs in the history of one active outlet over the last 28 days. Use it to weigh a claim about a place: each pattern says what it rests on. Returns {outlet_id, patterns, outlet, decision_support}; each pattern is {kind (quiet_window, rain_sensitivity, dna_descriptor or hours_overlap), text with its sample count n, confidence (low, medium or high, from the number and the spread of days), basis, window (only for a quiet window: its evidence as data)}. An outlet without enough history has an empty list.',
  input: { outlet_id: outletId },
  output: Type.Object({
    outlet_id: Type.String(),
    patterns: Type.Array(pattern),
    outlet,
    decision_support: Type.Array(Type.String(), { description: 'lines about the pocket as a whole' }),
  }),
  rows: () => PROFILE_ROWS,
  load: async ({ outlet_id }, context) => {
    const profile = await outletProfile(context, outlet_id);
    if (!profile) throw new NotFound(`unknown outlet: ${printable(outlet_id)}`);
    return profile;
  },
  shape: ({ outlet, patterns, decision_support }) => ({
    outlet_id: outlet.id,
    patterns,
    outlet,
    decision_support,
  }),
  speak: ({ outlet, patterns }) =>
    [
      `${quote(outlet.name)}: ${patterns.length ? 'what recurs' : 'too little is known for a pattern'}.`,
      ...patterns.map(({ text, confidence, basis }) => `${text} confidence ${confidence}: ${basis}.`),
    ].join('\n'),
  rest: { path: '/api/observed-patterns', names: { outlet_id: 'id' } },
});
