// What is usual at an hour of the week, as stored norms.
import { emptyHourNorm, updateHourNorm } from '../../../src/domain/atmosphere/anomaly.ts';
import { singapore } from '../../../src/domain/time/zones.fixture.ts';
import type { Store } from '../../../src/store/engine/store.ts';
import { writeNorms } from '../../../src/store/observation/norms.ts';

const calmState = (calm: number) => (calm >= 0.55 ? 'calm-social' : 'busy-productive');

/** Eight readings of this calm level: enough to be usual. */
const usually = (calm: number) =>
  Array.from({ length: 8 }).reduce<typeof emptyHourNorm>(
    (norm) => updateHourNorm(norm, { stress: 1 - calm, calm, primary_state: calmState(calm) }, null),
    emptyHourNorm,
  );

/** Writes the usual calm of pockets at the hour of the week of a time. */
export const writeUsual = (store: Store, at: number, levels: Record<string, number>) =>
  store.transaction((tx) =>
    writeNorms(
      tx,
      singapore.hourOfWeek(at),
      new Map(Object.entries(levels).map(([pocket, calm]) => [pocket, usually(calm)])),
    ),
  );
