// Speaking compared with like moments of silence, as the answers about equilibrium and savings give it.
import Type from 'typebox';
import { COMPARED_DAYS, type Compared, comparisonText } from '../../domain/stats/comparison-words.ts';
import { type Comparison, tellable } from '../../domain/stats/matched-comparison.ts';
import { countField, nullable } from './answer-fields.ts';

export const silenceComparison = Type.Object(
  {
    window_days: Type.Integer({ minimum: 1, description: 'days compared' }),
    pairs: countField('pairs of like moments, one of each kind'),
    difference: nullable(
      Type.Number({
        description:
          'change over the next hour where it spoke, less that where it did not; null under twenty pairs',
      }),
    ),
    standard_error: nullable(Type.Number({ minimum: 0, description: 'of the difference' })),
    text: Type.String({ description: 'the comparison in words, or that it is not known' }),
  },
  {
    description:
      'moments at which it spoke, compared with moments of the same pocket, part of the week and state at which it did not',
  },
);

export function silenceComparisonFields(what: Compared, comparison: Comparison | null) {
  const told = tellable(comparison ?? { pairs: 0, difference: null, standard_error: null });
  return { window_days: COMPARED_DAYS, ...told, text: comparisonText(what, told) };
}
