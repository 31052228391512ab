// Citizen senses: the words that people on the spot chose, counted by slot.
import type { SenseWord } from '../../../src/domain/signals/signal.ts';
import type { Store } from '../../../src/store/engine/store.ts';
import { senseWordNumbers, toSenseSource } from '../../../src/store/rows/sense-words.ts';
import { claim } from '../../../src/store/runtime/job-runs.ts';

export const writeSenses = (
  store: Store,
  senses: readonly { pocket?: string; slot: number; word: SenseWord; people: number }[],
): Promise<void> =>
  store.transaction(async (tx) => {
    // Words are counted once their slot is observed.
    for (const { slot } of senses) await claim(tx, 'atmosphere', slot, 'test', slot);
    await tx.insert(
      'citizen_senses',
      senses.map(({ pocket = 'tiongbahru', slot, word, people }) => ({
        slot,
        pocket_id: pocket,
        word: senseWordNumbers[word],
        people,
        source: toSenseSource('test'),
      })),
    );
  });
