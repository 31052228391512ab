// Fixture events of the sustainability ledger.
import type { SustainabilityEvent } from '../../../src/domain/merchant/sustainability.ts';
import type { Store } from '../../../src/store/engine/store.ts';
import { writeSustainabilityEvents } from '../../../src/store/merchant/sustainability.ts';

type EventFixture = Partial<SustainabilityEvent> & { slot: number };

export const writeEventFixtures = (store: Store, all: readonly EventFixture[]): Promise<void> =>
  store.transaction((tx) =>
    writeSustainabilityEvents(
      tx,
      all.map((event, n) => ({
        id: `made-${n}`,
        pocket_id: 'tiongbahru',
        outlet_id: null,
        kind: 'attention_saved',
        magnitude: 80,
        value_cents: 1680,
        evidence: {},
        ...event,
      })),
    ),
  );
