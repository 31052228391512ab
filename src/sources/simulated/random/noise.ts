// Value noise: hashed normals on a lattice, interpolated smoothly. Mean 0, standard deviation 1 everywhere.
import { mix, normal } from './random.ts';

const ease = (t: number): number => t * t * (3 - 2 * t);

/** Variance of the interpolation; dividing by its root keeps the deviation at 1 between lattice points. */
const interpolationVariance = (w: number): number => w * w + (1 - w) * (1 - w);

export function smooth(seed: number, x: number): number {
  const i = Math.floor(x);
  const w = ease(x - i);
  return (
    (normal(mix(seed, i)) * (1 - w) + normal(mix(seed, i + 1)) * w) / Math.sqrt(interpolationVariance(w))
  );
}

/** Smooth over a plane and over time: places and times close to each other have similar values. */
export function field(seed: number, x: number, y: number, t: number): number {
  const i = Math.floor(x);
  const j = Math.floor(y);
  const k = Math.floor(t);
  const wx = ease(x - i);
  const wy = ease(y - j);
  const wt = ease(t - k);
  const row = (hash: number): number => normal(mix(hash, i)) * (1 - wx) + normal(mix(hash, i + 1)) * wx;
  const sheet = (hash: number): number => row(mix(hash, j)) * (1 - wy) + row(mix(hash, j + 1)) * wy;
  const value = sheet(mix(seed, k)) * (1 - wt) + sheet(mix(seed, k + 1)) * wt;
  return value / Math.sqrt(interpolationVariance(wx) * interpolationVariance(wy) * interpolationVariance(wt));
}
