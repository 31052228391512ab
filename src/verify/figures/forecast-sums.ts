// Sums of scored forecasts that shares are made of.
export interface ForecastSums {
  scored: number;
  hits: number;
  baselineHits: number;
  /** Of the forecasts that pass the declared filter: revealed, then of those that were scored. */
  eligible: number;
  eligibleScored: number;
  eligibleHits: number;
  eligibleBaselineHits: number;
}

/** From this score on a forecast counts as right. */
export const HIT = 0.5;

export const noForecasts = (): ForecastSums => ({
  scored: 0,
  hits: 0,
  baselineHits: 0,
  eligible: 0,
  eligibleScored: 0,
  eligibleHits: 0,
  eligibleBaselineHits: 0,
});

/** Adds a revealed forecast; scores are NaN where it is inconclusive. */
export function addScore(sums: ForecastSums, isEligible: boolean, score: number, naiveScore: number): void {
  if (isEligible) sums.eligible++;
  if (Number.isNaN(score)) return;
  const [hit, baselineHit] = [Number(score >= HIT), Number(naiveScore >= HIT)];
  sums.scored++;
  sums.hits += hit;
  sums.baselineHits += baselineHit;
  if (!isEligible) return;
  sums.eligibleScored++;
  sums.eligibleHits += hit;
  sums.eligibleBaselineHits += baselineHit;
}
