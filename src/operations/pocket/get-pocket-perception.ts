import Type from 'typebox';
import {
  agreementOf,
  type Distribution,
  distributionOf,
  totalOf,
} from '../../domain/atmosphere/perception.ts';
import { senseWords } from '../../domain/atmosphere/signal.ts';
import { SMALLEST_COUNT } from '../../domain/stats/small-count-suppression.ts';
import { printable } from '../../domain/text/printable.ts';
import { lastHours } from '../../domain/time/window.ts';
import { citizenSensesWithin } from '../../store/observation/perception.ts';
import { count, nullable, unit } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { pocketId } from '../core/fields.ts';

const TOO_FEW = 'fewer than five people said how it felt: only their total is told';
const SOME = 'no count under five is shown, nor one from which it would follow';

export const getPocketPerception = defineOperation({
  name: 'get_pocket_perception',
  title: 'How people felt a pocket',
  description:
    "Tells in which words people on the spot described a pocket, and how far they agree with the service's reading. Use it to check a reading against people. Returns total, distribution over calm, busy, social, focused and transitional, withheld and agreement (0..1). Under five people the distribution is withheld and only the total given.",
  input: {
    pocket_id: pocketId,
    hours: Type.Number({ minimum: 0.25, maximum: 24, default: 4, description: 'hours to look back' }),
  },
  output: Type.Object({
    pocket_id: Type.String(),
    window_hours: Type.Number({ minimum: 0.25, maximum: 24 }),
    total: Type.Integer({ minimum: 0, description: 'people who said how it felt' }),
    distribution: nullable(
      Type.Record(Type.Enum([...senseWords]), nullable(Type.Object({ count, share: unit }))),
    ),
    withheld: nullable(Type.String({ description: 'why counts are withheld' })),
    agreement: Type.Union([unit, Type.Null()], { description: 'how far people agree with the readings' }),
  }),
  effect: 'read',
  load: ({ pocket_id, hours }, { store, now }) =>
    citizenSensesWithin(store, pocket_id, lastHours(hours, now)),
  shape: (sensed, { pocket_id, hours }) => {
    const total = totalOf(sensed);
    const distribution = distributionOf(sensed);
    return {
      pocket_id,
      window_hours: hours,
      total,
      distribution,
      withheld: distribution ? (shownOf(distribution) < total ? SOME : null) : TOO_FEW,
      agreement: agreementOf(sensed),
    };
  },
  speak: ({ total, distribution, agreement }, { pocket_id, hours }) => {
    const name = printable(pocket_id);
    if (!distribution) {
      const people = total === 0 ? 'nobody' : total === 1 ? '1 person' : `${total} people`;
      return `${people} said how ${name} felt over the last ${hours}h: below ${SMALLEST_COUNT} no words are told.`;
    }
    const agreed =
      agreement === null
        ? 'too little was read meanwhile to compare.'
        : `what was read agrees with them by ${agreement}.`;
    return `${total} people said how ${name} felt over the last ${hours}h: ${distributionText(distribution, total)}. ${agreed}`;
  },
  rest: { path: '/api/perception', names: { pocket_id: 'pocket' } },
});

const shownOf = (distribution: Distribution): number =>
  senseWords.reduce((sum, word) => sum + (distribution[word]?.count ?? 0), 0);

function distributionText(distribution: Distribution, total: number): string {
  const shown = senseWords.flatMap((word) => {
    const part = distribution[word];
    return part ? [`${word} ${part.count} (${part.share})`] : [];
  });
  const rest = total - shownOf(distribution);
  if (shown.length === 0) return 'no word is told, so that no count under five shows';
  return `${shown.join(', ')}${rest > 0 ? `, and ${rest} in words that are withheld` : ''}`;
}
