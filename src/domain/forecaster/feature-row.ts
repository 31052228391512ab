import { candidates, signs } from './calm-model.ts';
import { classCandidates } from './class-model.ts';
import type { Extent } from './design.ts';
import { featureCount } from './features.ts';

/**
 * All that one forecast was made from, as one row of numbers with named parts. It is kept until its outcome
 * is known, so that learning sees exactly what was known at the time and nothing later.
 */
export interface FeatureRow {
  row: Float64Array;
  features: Float64Array;
  /** The features and the signs of calm after them. */
  all: Float64Array;
  /** 1 and the three expected surprises. */
  parts: Float64Array;
  /** 1 and the calm candidates, as logits. */
  opinions: Float64Array;
  /** For each class candidate, a number for each class. */
  classOpinions: Float64Array;
  /** See `mark`. */
  marks: Float64Array;
}

/** Indices into `Record.marks`. The verdict is the logit of the stack, before calibration. */
export const mark = { surprise: 0, hour: 1, tableRow: 2, verdict: 3, size: 4 } as const;

export function newFeatureRow(extent: Extent): FeatureRow {
  const count = featureCount(extent);
  const lengths = [
    count + signs.length,
    4,
    1 + candidates.length,
    classCandidates.length * extent.classes,
    mark.size,
  ];
  const row = new Float64Array(lengths.reduce((sum, n) => sum + n, 0));
  let at = 0;
  const [all, parts, opinions, classOpinions, marks] = lengths.map((length) => {
    at += length;
    return row.subarray(at - length, at);
  }) as [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];
  return { row, features: all.subarray(0, count), all, parts, opinions, classOpinions, marks };
}

/** Picks the numbers at `indices` of `from` into `to`. */
export function gather(from: Float64Array, indices: Int32Array, to: Float64Array): Float64Array {
  for (let i = 0; i < indices.length; i++) to[i] = from[indices[i] as number] as number;
  return to;
}
