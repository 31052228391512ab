/** A probability of calm in words: likely from one half on, so that a low one never reads as a promise of calm. */
export const calmOdds = (probability: number): string =>
  `${probability >= 0.5 ? 'likely' : 'unlikely'} at ${probability.toFixed(2)}`;
