import type { Call } from './references.ts';

/** Running sums of how a method did. */
export interface Tally {
  rows: number;
  right: number;
  calmRight: number;
  squared: number;
  calm: Bins;
  class: Bins | null;
}

/** For each tenth of probability: what was said and what came true, summed. */
interface Bins {
  said: Float64Array;
  cameTrue: Float64Array;
}

export interface Score {
  rows: number;
  accuracy: number;
  calm_accuracy: number;
  calm_brier: number;
  /** Expected calibration error over ten equal bins: of the calm probability, and of the likeliest class. */
  calm_calibration: number;
  class_calibration: number | null;
}

const BINS = 10;
const newBins = (): Bins => ({ said: new Float64Array(BINS), cameTrue: new Float64Array(BINS) });

export const newTally = (): Tally => ({
  rows: 0,
  right: 0,
  calmRight: 0,
  squared: 0,
  calm: newBins(),
  class: null,
});

export function tally(sums: Tally, call: Call, outcome: number, calm: boolean): void {
  sums.rows += 1;
  if (call.class === outcome) sums.right += 1;
  if (call.calm >= 0.5 === calm) sums.calmRight += 1;
  sums.squared += (call.calm - (calm ? 1 : 0)) ** 2;
  bin(sums.calm, call.calm, calm);
  if (call.confidence === null) return;
  sums.class ??= newBins();
  bin(sums.class, call.confidence, call.class === outcome);
}

function bin({ said, cameTrue }: Bins, chance: number, happened: boolean): void {
  const at = Math.min(BINS - 1, Math.floor(chance * BINS));
  said[at] = (said[at] as number) + chance;
  if (happened) cameTrue[at] = (cameTrue[at] as number) + 1;
}

const calibrationError = ({ said, cameTrue }: Bins, rows: number): number =>
  said.reduce((sum, chance, at) => sum + Math.abs(chance - (cameTrue[at] as number)), 0) / rows;

/** Null when there was no row. */
export function scoreOf(sums: Tally): Score | null {
  const { rows } = sums;
  if (rows === 0) return null;
  return {
    rows,
    accuracy: sums.right / rows,
    calm_accuracy: sums.calmRight / rows,
    calm_brier: sums.squared / rows,
    calm_calibration: calibrationError(sums.calm, rows),
    class_calibration: sums.class && calibrationError(sums.class, rows),
  };
}
