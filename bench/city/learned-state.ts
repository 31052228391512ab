import {
  addCalmReading,
  type CalmOutcomes,
  noCalmOutcomes,
} from '../../src/domain/atmosphere/calm-probability.ts';
import {
  learnSpell,
  type PocketHistory,
  type SpellCounts,
} from '../../src/domain/atmosphere/pocket-history.ts';
import { primaryStates } from '../../src/domain/atmosphere/primary-state.ts';
import type { Registry } from '../../src/domain/city/city.ts';
import { gates } from '../../src/domain/decision/gates.ts';
import type { Conditions, OutcomeSums } from '../../src/domain/prediction/generator.ts';
import { sideGenerators } from '../../src/domain/prediction/generators/all.ts';
import { conditionKey, learnOutcome, type SideRule } from '../../src/domain/prediction/generators/side.ts';
import { HOUR, SLOT } from '../../src/domain/time/slot.ts';
import { timeZone } from '../../src/domain/time/zone.ts';
import { learnedKey } from '../../src/pipeline/jobs/prediction/seal-forecasts.ts';
import type { Store } from '../../src/store/engine/store.ts';
import { writeEntries } from '../../src/store/runtime/pipeline-state.ts';

const POCKETS_PER_TRANSACTION = 500;
const utc = timeZone('UTC');
const hours = Array.from({ length: 24 }, (_, hour) => hour * HOUR);

/**
 * Writes the pipeline state that pockets have learned after months, when spells of every state and every condition have
 * occurred: the state never grows larger than this. The forecaster's own state has its full size from the first slot.
 */
export async function writeLearnedState(store: Store, { pockets }: Registry): Promise<void> {
  const spells = everySpell();
  const calm = everyCalmOutcome();
  const sides = sideGenerators.map((side) => ({ name: side.name, sums: everyOutcomeSum(side) }));
  for (let at = 0; at < pockets.length; at += POCKETS_PER_TRANSACTION) {
    const entries = pockets
      .slice(at, at + POCKETS_PER_TRANSACTION)
      .flatMap(({ id }): [string, unknown][] => [
        [`spells ${id}`, spells],
        [`calm ${id}`, calm],
        ...sides.map(({ name, sums }): [string, unknown] => [learnedKey(name, id), sums]),
      ]);
    await store.transaction((tx) => writeEntries(tx, entries));
  }
}

function everySpell(): SpellCounts {
  let spells: SpellCounts = '';
  const longest = 5 * HOUR;
  for (const state of primaryStates) {
    for (const since of hours) {
      const end = since + longest;
      const empty = { spoken: [], live_until: null, lines: [], qualities: [] };
      const before: PocketHistory = {
        ...empty,
        recent: [{ slot: end - SLOT, calm: 0.5 }],
        spell: { state, since },
      };
      const after: PocketHistory = { ...empty, recent: [], spell: { state, since: end } };
      spells = learnSpell(spells, before, after, utc) ?? spells;
    }
  }
  return spells;
}

function everyCalmOutcome(): CalmOutcomes {
  const levels = Array.from({ length: 41 }, (_, n) => n / 40);
  const conditions = (['calm', 'rain', 'other'] as const).flatMap((state) =>
    [-0.1, 0, 0.1].flatMap((change) => levels.map((calm) => ({ calm, change, state }))),
  );
  return conditions.reduce<CalmOutcomes>(
    (outcomes, condition, n) => addCalmReading(outcomes, { ...condition, slot: n * SLOT }),
    noCalmOutcomes,
  );
}

function everyOutcomeSum(side: SideRule): OutcomeSums {
  const usual: Conditions = {
    hour: 0,
    calm: 0.5,
    primary_state: 'mixed-transitional',
    rain_mm: 0,
    friction: 0.2,
    spare_capacity: 0.5,
    gate: null,
  };
  const shares = Array.from({ length: 41 }, (_, n) => n / 40);
  const others: Partial<Conditions>[] = [
    ...shares.flatMap((share) => [{ calm: share }, { friction: share }, { spare_capacity: share }]),
    ...[0, 0.5, 5].map((rain_mm) => ({ rain_mm })),
    ...[...gates, 'voice'].map((gate) => ({ gate })),
  ];
  let sums: OutcomeSums = '';
  for (const slot of hours) {
    for (const other of others) {
      const key = conditionKey(side, { ...usual, ...other, hour: utc.hourOfDay(slot) });
      if (key !== null) sums = learnOutcome(sums, key, 0.375);
    }
  }
  return sums;
}
