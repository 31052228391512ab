import { findPocket, outletNamed, outletPocket } from './named.ts';
import { type Prompt, quote, type Step } from './prompt.ts';

export const briefMerchant: Prompt = {
  name: 'brief_merchant',
  title: 'Brief a merchant',
  description:
    'What a merchant should know today: how the pocket is, what recurs at the outlet, and whether speaking would be justified.',
  arguments: [
    { name: 'outlet', description: 'the outlet, by its name or UUID', required: false, kind: 'outlet' },
    { name: 'pocket', description: 'the pocket, by its id or name', required: false, kind: 'pocket' },
  ],
  oneOf: ['outlet', 'pocket'],
  compose: ({ outlet, pocket }, context) => {
    const about = [
      ...(outlet === undefined ? [] : [`the outlet ${quote(outlet)}`]),
      ...(pocket === undefined ? [] : [`the pocket ${quote(pocket)}`]),
    ];
    const known = outlet === undefined ? undefined : outletNamed(outlet, context);
    const search: Step[] =
      outlet === undefined || known !== undefined
        ? []
        : [
            {
              tool: 'find_outlet',
              given: { name: outlet },
              note: 'Take the one that is meant; if several fit, ask the person which.',
              otherwise: 'ask the person for the address of its page, which ends with its id.',
            },
          ];
    const profile: Step[] =
      outlet === undefined
        ? []
        : [
            {
              tool: 'get_observed_outlet',
              given: { outlet_id: known ?? '<outlet_id of the outlet that is meant>' },
              note: 'What recurred there in four weeks; it also names its pocket_id.',
            },
          ];
    const { id, steps } =
      pocket === undefined
        ? { id: outletPocket(known, context) ?? '<pocket_id of the outlet>', steps: [] }
        : findPocket(pocket, context);
    return {
      task: `Write a short brief for a merchant about ${about.join(' in ')}.`,
      steps: [
        ...search,
        ...profile,
        ...steps,
        {
          tool: 'get_merchant_readiness',
          given: { pocket_id: id, limit: 10 },
          note: 'The outlets of the pocket are not named: describe them as a group.',
        },
        {
          tool: 'what_changed',
          given: { pocket_id: id },
          note: 'What is different from yesterday.',
          otherwise: { tool: 'get_pocket_atmosphere', given: { pocket_id: id, hours: 24 } },
        },
        { tool: 'get_pocket_futures', given: { pocket_id: id }, note: 'The next three hours.' },
      ],
      answer:
        'Answer in five sentences or fewer: how it is, what recurs, what is likely in the next hours, what to prepare, and how sure that is. Counts below five are not published: do not guess them.',
    };
  },
};
