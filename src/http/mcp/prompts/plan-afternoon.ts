import { pocketNamed } from './named.ts';
import { type Prompt, quote } from './prompt.ts';

export const planAfternoon: Prompt = {
  name: 'plan_afternoon',
  title: 'Plan an afternoon',
  description:
    'Where to go in an afternoon for a purpose, when it is likely to be calm, and what to do if it is not.',
  arguments: [
    {
      name: 'place',
      description: 'where to be, or near what: a pocket, station, street or landmark',
      required: true,
      kind: 'place',
    },
    {
      name: 'purpose',
      description: 'what for, as an intent slug such as work-friendly',
      required: true,
      kind: 'intent',
    },
    {
      name: 'day',
      description: 'which day, such as saturday; today if left out',
      required: false,
      kind: 'day',
    },
  ],
  compose: ({ place = '', purpose = '', day }, context) => {
    const when = day === undefined ? 'this afternoon' : `on the afternoon of ${quote(day)}`;
    const pocket = pocketNamed(place, context);
    return {
      task: `Plan an afternoon for a visitor: ${when}, at or near ${quote(place)}, for ${quote(purpose)}.`,
      steps: [
        {
          tool: 'plan_visit',
          given: {
            ...(pocket === undefined ? { near: place } : { place: pocket }),
            ...(day !== undefined && { day }),
            hour: 15,
            purpose,
          },
          note: 'It gives pockets with their chance of calm and when that ends. If the place is not known, ask the person for another.',
          otherwise:
            pocket === undefined
              ? { tool: 'find_calm_pocket_now', given: { top_n: 3 } }
              : { tool: 'get_pocket_futures', given: { pocket_id: pocket } },
        },
        {
          tool: 'get_pocket_moment',
          given: { pocket_id: pocket ?? '<pocket_id of the first choice>' },
          note: 'Only where the visit begins within the hour: whether the first choice is calm now.',
        },
        {
          tool: 'get_available_experiences',
          given: { pocket_id: pocket ?? '<pocket_id of the first choice>' },
          note: 'What merchants have confirmed for right now; an empty list is normal.',
        },
      ],
      answer:
        'Answer with one recommendation, the time to arrive and to leave, how likely calm is as the tool states it, and one alternative.',
    };
  },
};
