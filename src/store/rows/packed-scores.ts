// The figures of a reveal as bits of two numbers, each below 2⁵³. The views of migrations/027_packed_reveals.sql read them
// from the same places.

/** What is stored for none: a score is 0 to 1000 thousandths. */
const NONE = 1023;
const UNKNOWN = 2;

const tenBits = (thousandths: number | null): number => {
  if (thousandths === null) return NONE;
  if (!(thousandths >= 0 && thousandths <= 1_000))
    throw new RangeError(`not a share in thousandths: ${thousandths}`);
  return thousandths;
};

/** In thousandths; null where there is none. */
export interface RevealScores {
  accuracy: number | null;
  baseline: number | null;
  persistence: number | null;
  last_week: number | null;
  /** 1 to 15, as the view `reveals` names it; 0: no miss. */
  error: number;
  was_calm: 0 | 1 | null;
  waking: 0 | 1;
}

export const packScores = (scores: RevealScores): number =>
  tenBits(scores.accuracy) +
  tenBits(scores.baseline) * 2 ** 10 +
  tenBits(scores.persistence) * 2 ** 20 +
  tenBits(scores.last_week) * 2 ** 30 +
  scores.error * 2 ** 40 +
  (scores.was_calm ?? UNKNOWN) * 2 ** 44 +
  scores.waking * 2 ** 46;

/** The calm that was expected, and its probability; none where the forecast was not of the state. */
export const packCalms = (expected: number | null, probability: number | null): number =>
  tenBits(expected) + tenBits(probability) * 2 ** 10;
