/** Random numbers as a pure function: a 32-bit hash of the key, so any slot can be drawn on its own, in any order. */

export function mix(hash: number, key: number): number {
  let x = (hash + Math.imul(key, 0x9e3779b1)) | 0;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return x ^ (x >>> 16);
}

export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return mix(hash, text.length);
}

/** 0 <= x < 1. */
export const uniform = (hash: number): number => (hash >>> 0) / 0x100000000;

/** Close to a standard normal, within ±3.5: the sum of the four bytes costs neither a logarithm nor a second hash. */
export const normal = (hash: number): number =>
  ((hash & 255) + ((hash >>> 8) & 255) + ((hash >>> 16) & 255) + (hash >>> 24) - 510) / 147.8;

/** Uniform draws one after another, for a thing that needs several. */
export function draws(seed: number): () => number {
  let n = 0;
  return () => uniform(mix(seed, ++n));
}

/** A Poisson draw from the mean and one uniform number, at most `most`. */
export function poisson(mean: number, u: number, most: number): number {
  let term = Math.exp(-mean);
  let sum = term;
  let n = 0;
  while (u > sum && n < most) {
    n++;
    term *= mean / n;
    sum += term;
  }
  return n;
}
