// Comparisons of speaking with silence: forty-five pairs in Tiong Bahru, twelve in Siglap.

import { writeComparisons } from '../../../src/store/decision/silence-comparisons.ts';
import type { Store } from '../../../src/store/engine/store.ts';

export const writeComparisonFixtures = (store: Store, slot: number): Promise<void> =>
  store.transaction((tx) =>
    writeComparisons(
      tx,
      slot,
      [
        { pocket_id: 'tiongbahru', pairs: 45, difference: 0.034 },
        { pocket_id: 'siglap', pairs: 12, difference: -0.5 },
      ].map(({ pocket_id, ...compared }) => {
        const comparison = { ...compared, standard_error: 0.01 };
        return { pocket_id, calm: comparison, use: comparison };
      }),
    ),
  );
