import type { Dimensions } from './design.ts';
import { featureCount } from './features.ts';
import { calmExpertNames, calmFeatures } from './models/calm-model.ts';
import { classExpertNames } from './models/class-model.ts';

/**
 * Everything that one forecast was computed from, as one row of numbers with named sections. A copy is stored until
 * the outcome is known, so that learning uses exactly what was known when the forecast was made and nothing later.
 */
export interface FeatureRow {
  /** The whole row; the fields below are views of it. */
  values: Float64Array;
  /** The features, then the calm features. */
  inputs: Float64Array;
  /** The features alone. */
  features: Float64Array;
  /** 1 and the deviations that the three level experts expect. */
  levelExperts: Float64Array;
  /** 1 and the logits of the calm experts. */
  calmExperts: Float64Array;
  /** For each class expert, a number for each class. */
  classExperts: Float64Array;
  /** See `resultIndex`. */
  results: Float64Array;
}

/** Indices into `FeatureRow.results`; `stackLogit` is the calm logit before calibration. */
export const resultIndex = { deviation: 0, hour: 1, tableRow: 2, stackLogit: 3, size: 4 } as const;

export function newFeatureRow(dimensions: Dimensions): FeatureRow {
  const count = featureCount(dimensions);
  const lengths = [
    count + calmFeatures.length,
    4,
    1 + calmExpertNames.length,
    classExpertNames.length * dimensions.classes,
    resultIndex.size,
  ];
  const values = new Float64Array(lengths.reduce((sum, n) => sum + n, 0));
  let at = 0;
  const [inputs, levelExperts, calmExperts, classExperts, results] = lengths.map((length) => {
    at += length;
    return values.subarray(at - length, at);
  }) as [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];
  const features = inputs.subarray(0, count);
  return { values, inputs, features, levelExperts, calmExperts, classExperts, results };
}

/** Copies the numbers at `indices` of `from` into `to`. */
export function gather(from: Float64Array, indices: Int32Array, to: Float64Array): Float64Array {
  for (let i = 0; i < indices.length; i++) to[i] = from[indices[i] as number] as number;
  return to;
}
