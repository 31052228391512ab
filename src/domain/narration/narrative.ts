import { type CandidateInput, candidateLine, composeBeats } from '../candidate/candidate.ts';
import { lineInVoice } from '../text/voice.ts';

export const narrativeFormats = ['narration', 'push', 'microblog', 'messaging', 'email_para'] as const;
export type NarrativeFormat = (typeof narrativeFormats)[number];

/** The three beats of a moment (observation, math, window) in one format; null where the voice rules withhold the line. */
export function narrate(format: NarrativeFormat, input: CandidateInput): string | null {
  return lineInVoice(formats[format](input), format === 'push' ? 'emit' : 'plain');
}

const formats: Record<NarrativeFormat, (input: CandidateInput) => string> = {
  narration: (input) => {
    const { observation, math, window } = composeBeats(input);
    return `${observation}. ${math}. ${window}.`;
  },
  push: candidateLine,
  microblog: (input) => {
    const { observation, math, window } = composeBeats(input);
    return `${input.zone.clockWithZone(input.now)}, ${observation} — ${math}. ${window}.`;
  },
  messaging: (input) => {
    const { observation, math, window } = composeBeats(input);
    return `${observation}\n${math}\n${window}`;
  },
  email_para: (input) => {
    const { observation, math, window } = composeBeats(input);
    return `as of ${input.zone.clockWithZone(input.now)}, ${observation}. it is ${math}. that may last ${window}.`;
  },
};
