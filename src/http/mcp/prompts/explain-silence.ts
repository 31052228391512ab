import { findPocket } from './named.ts';
import { type Prompt, quote } from './prompt.ts';

export const explainSilence: Prompt = {
  name: 'explain_silence',
  title: 'Explain a silence',
  description: 'Why the service said nothing about a pocket, now or at a time, and whether that was right.',
  arguments: [
    { name: 'pocket', description: 'the pocket, by its id or name', required: true, kind: 'pocket' },
    {
      name: 'time',
      description: 'a past time, such as yesterday 19:00 or 2026-11-11T19:00:00+08:00; now if left out',
      required: false,
      kind: 'time',
    },
  ],
  compose: ({ pocket = '', time }, context) => {
    const { id, steps } = findPocket(pocket, context);
    const when = time === undefined ? 'now' : `at ${quote(time)}`;
    return {
      task: `Explain why nothing is said about the pocket ${quote(pocket)} ${when}.`,
      steps: [
        ...steps,
        time === undefined
          ? {
              tool: 'get_pocket_silence',
              given: { pocket_id: id },
              note: 'It gives the one reason for the silence, and when that could change.',
            }
          : {
              tool: 'explain_time',
              given: { pocket_id: id, at: time },
              note: 'It gives what was decided and drafted at that time, and the one reason for a silence.',
              otherwise: {
                tool: 'get_pocket_counterfactuals',
                given: { pocket_id: id, hours: 720, limit: 50 },
              },
            },
        {
          tool: 'get_pocket_counterfactuals',
          given: { pocket_id: id, hours: 24, limit: 5 },
          note: 'What was drafted and not said in the last day, and which gate closed.',
        },
        {
          tool: 'get_pocket_moment_quality',
          given: { pocket_id: id },
          note: 'Which factor is the weakest at present.',
        },
      ],
      answer:
        'Answer with the one reason in plain words, the figure that decided it with its threshold, and when the service might speak again.',
    };
  },
};
