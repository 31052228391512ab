/** The queue for human review: lines and silences that were withheld. */

import { DAY } from '../time/slot.ts';

/** `upheld`: it was right to withhold it. `overturned`: it should have been said. */
export const reviewVerdicts = ['upheld', 'overturned'] as const;
export type ReviewVerdict = (typeof reviewVerdicts)[number];

/** `answer`: a line of an answer broke the voice. `voice_gate`: a draft did. `near_miss`: see near-miss.ts. */
export type ReviewOrigin = 'answer' | 'voice_gate' | 'near_miss';

export interface Review {
  id: string;
  origin: ReviewOrigin;
  /** When it was withheld. */
  since: number;
  /** When it leaves the queue by itself; null: it stays until a person has judged it. */
  lapses_at: number | null;
  /** The operation or the pocket. */
  subject: string;
  /** What withheld it. */
  reasons: string[];
  line: string;
  /** Quality that the line would have had as a package, 0..1; null for a line of an answer. */
  pqs: number | null;
}

/** How long a near miss stays in the queue. */
export const NEAR_MISS_REVIEW_TIME = 2 * DAY;

/** In characters: a note is a remark, not a report; the lines of answers that are checked are rarely longer. */
export const LONGEST_NOTE = 280;
export const LONGEST_LINE = 500;
