import type { MethodForecast } from './references.ts';

/** Running sums of a method's scores. */
export interface ScoreSums {
  rows: number;
  right: number;
  calmRight: number;
  squaredError: number;
  calm: Bins;
  class: Bins | null;
}

/** For each tenth of probability: the sum of the predicted probabilities, and the number that came true. */
interface Bins {
  predicted: Float64Array;
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
const newBins = (): Bins => ({ predicted: new Float64Array(BINS), cameTrue: new Float64Array(BINS) });

export const newScoreSums = (): ScoreSums => ({
  rows: 0,
  right: 0,
  calmRight: 0,
  squaredError: 0,
  calm: newBins(),
  class: null,
});

export function addForecast(sums: ScoreSums, forecast: MethodForecast, outcome: number, calm: boolean): void {
  sums.rows += 1;
  if (forecast.class === outcome) sums.right += 1;
  if (forecast.calm >= 0.5 === calm) sums.calmRight += 1;
  sums.squaredError += (forecast.calm - (calm ? 1 : 0)) ** 2;
  bin(sums.calm, forecast.calm, calm);
  if (forecast.confidence === null) return;
  sums.class ??= newBins();
  bin(sums.class, forecast.confidence, forecast.class === outcome);
}

function bin({ predicted, cameTrue }: Bins, probability: number, happened: boolean): void {
  const at = Math.min(BINS - 1, Math.floor(probability * BINS));
  predicted[at] = (predicted[at] as number) + probability;
  if (happened) cameTrue[at] = (cameTrue[at] as number) + 1;
}

const calibrationError = ({ predicted, cameTrue }: Bins, rows: number): number =>
  predicted.reduce((sum, probability, at) => sum + Math.abs(probability - (cameTrue[at] as number)), 0) /
  rows;

/** Null when there is no row. */
export function scoreFromSums(sums: ScoreSums): Score | null {
  const { rows } = sums;
  if (rows === 0) return null;
  return {
    rows,
    accuracy: sums.right / rows,
    calm_accuracy: sums.calmRight / rows,
    calm_brier: sums.squaredError / rows,
    calm_calibration: calibrationError(sums.calm, rows),
    class_calibration: sums.class && calibrationError(sums.class, rows),
  };
}
