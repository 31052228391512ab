import { DAY } from '../time/sgt.ts';

/** `upheld`: it was right to withhold it. `overturned`: it should have been said. */
export const reviewVerdicts = ['upheld', 'overturned'] as const;
export type ReviewVerdict = (typeof reviewVerdicts)[number];

/** `answer`: a line of an answer broke the voice. `voice_gate`: a draft did. `near_miss`: one gate closed by a hair. */
export type ReviewOrigin = 'answer' | 'voice_gate' | 'near_miss';

export interface Review {
  id: string;
  origin: ReviewOrigin;
  /** When it was withheld. */
  since: number;
  /** When it no longer waits; null: a person has to look at it, however late. */
  lapses_at: number | null;
  /** The operation or the pocket. */
  subject: string;
  /** What withheld it. */
  reasons: string[];
  line: string;
}

/** A close call is worth a person's judgement while its moment can be remembered. */
export const NEAR_MISS_REVIEW_TIME = 2 * DAY;

export const LONGEST_NOTE = 280;
export const LONGEST_LINE = 500;
