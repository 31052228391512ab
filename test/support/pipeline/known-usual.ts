// What is usual, for histories of a few days: the service says nothing before it knows two weeks of an hour.

import { emptyHourNorm } from '../../../src/domain/atmosphere/anomaly.ts';
import type { Registry } from '../../../src/domain/city/city.ts';
import { MIN_SAMPLES } from '../../../src/domain/stats/norm.ts';
import type { Store } from '../../../src/store/engine/store.ts';
import { writeNorms } from '../../../src/store/observation/norms.ts';

const HOURS_OF_A_WEEK = 168;
/** Below a calm state, so that calm is news. */
const USUAL_CALM = 0.5;
/** Of readings in a calm state. */
const USUAL_SHARE = 0.4;

/** Writes the same usual calm for every pocket and hour; nothing is known of stress and crowd. */
export const knowUsual = (store: Store, { pockets }: Registry): Promise<void> =>
  store.transaction(async (tx) => {
    const calm = { samples: MIN_SAMPLES, mean: USUAL_CALM, variance: 0.01 };
    const norms = new Map(pockets.map(({ id }) => [id, { ...emptyHourNorm, calm, calm_share: USUAL_SHARE }]));
    for (let hour = 0; hour < HOURS_OF_A_WEEK; hour++) await writeNorms(tx, hour, norms);
  });
