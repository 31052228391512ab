import Type from 'typebox';
import {
  type Distribution,
  senseAgreement,
  shownPeople,
  wordDistribution,
} from '../../domain/perception/perception.ts';
import { senseWords } from '../../domain/signals/signal.ts';
import { countText } from '../../domain/text/count-text.ts';
import { percentText } from '../../domain/text/figures.ts';
import { printable } from '../../domain/text/printable.ts';
import { lastHours } from '../../domain/time/window.ts';
import { perceptionWithin } from '../../store/observation/perception.ts';
import { count, countField, nullable, unit } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { pocketId } from '../core/fields.ts';

const TOO_FEW =
  'no word is counted yet: five or more people must have chosen it; the total counts all who answered';
const SOME = 'a word is counted in steps of five or more people, so that no answer is about fewer';

export const getPocketPerception = defineOperation({
  name: 'get_pocket_perception',
  title: 'How a pocket felt to people',
  description:
    "Tells how people on the spot described a pocket. Use it to check the service's reading against people. Not for the reading itself (get_pocket_atmosphere). Returns total, distribution over calm, busy, social, focused and transitional, withheld and agreement (0..1). Counts move in steps of five or more; under five only a total is given.",
  toolsets: ['reader'],
  input: {
    pocket_id: pocketId,
    hours: Type.Number({ minimum: 0.25, maximum: 24, default: 4, description: 'hours to look back' }),
  },
  output: Type.Object({
    pocket_id: Type.String(),
    window_hours: Type.Number({ minimum: 0.25, maximum: 24 }),
    total: countField('people in the words that are counted; all who answered where none is'),
    distribution: nullable(
      Type.Record(Type.Enum([...senseWords]), nullable(Type.Object({ count, share: unit }))),
    ),
    withheld: nullable(Type.String({ description: 'why counts are withheld' })),
    agreement: Type.Union([unit, Type.Null()], { description: 'how far people agree with the readings' }),
  }),
  load: ({ pocket_id, hours }, { store, now, zone }) =>
    perceptionWithin(store, lastHours(hours, now), zone, { pocket: pocket_id }),
  shape: ({ releases, answered }, { pocket_id, hours }) => {
    const distribution = wordDistribution(releases);
    // Beside a word that is counted, the exact total would tell how many chose another.
    const total = distribution ? shownPeople(releases) : answered;
    return {
      pocket_id,
      window_hours: hours,
      total,
      distribution,
      withheld: distribution ? (senseWords.some((word) => !distribution[word]) ? SOME : null) : TOO_FEW,
      agreement: senseAgreement(releases),
    };
  },
  speak: ({ total, distribution, agreement }, { pocket_id, hours }) => {
    const name = printable(pocket_id);
    if (!distribution && total === 0) return `nobody said how ${name} felt over the last ${hours}h.`;
    if (!distribution)
      return `${countText(total, 'person', 'people')} said how ${name} felt over the last ${hours}h, too few of them with the same word: a word counts once five people have chosen it.`;
    const agreed =
      agreement === null
        ? 'too little was read in that time to compare.'
        : `what was read agrees with them by ${percentText(agreement)}.`;
    return `${total} people said how ${name} felt over the last ${hours}h: ${distributionText(distribution)}. ${agreed}`;
  },
  rest: { path: '/api/perception', names: { pocket_id: 'pocket' } },
});

const distributionText = (distribution: Distribution): string =>
  senseWords
    .flatMap((word) => {
      const part = distribution[word];
      return part ? [`${word} ${part.count} (${percentText(part.share)})`] : [];
    })
    .join(', ');
