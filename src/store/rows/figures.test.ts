// Rows hold figures as whole numbers and words as numbers: what is read is what was written, whatever it was.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openMigratedStore } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { primaryStates } from '../../domain/atmosphere/primary-state.ts';
import { dimensions, directions } from '../../domain/decision/equilibrium.ts';
import { momentReasonText } from '../../domain/decision/moment.ts';
import { mqsBands, mqsReasons } from '../../domain/decision/moment-quality.ts';
import { resonanceLayers } from '../../domain/decision/resonance.ts';
import { pocketSignalKinds, substrates } from '../../domain/signals/signal.ts';
import { crowdGaps } from '../../domain/signals/snapshot.ts';
import { DAY, MINUTE, SLOT } from '../../domain/time/slot.ts';
import { equilibriaWithin, writeEquilibria } from '../decision/equilibrium.ts';
import { currentMoment, type DecidedMoment, writeMoments } from '../decision/moments.ts';
import { outletActivityAt, writeOutletActivity } from '../observation/outlet-activity.ts';
import { readingsBetween, writeReadings } from '../observation/readings.ts';
import { writeSnapshots } from '../observation/snapshots.ts';

const figure = fc.integer({ min: -1_000, max: 1_000 }).map((n) => n / 1_000);
const finer = fc.integer({ min: 0, max: 10_000 }).map((n) => n / 10_000);
const whole = fc.double({ min: 0, max: 1, noNaN: true }).map((x) => x + 0);
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: null });
const record = <Name extends string, T>(names: readonly Name[], one: fc.Arbitrary<T>) =>
  fc
    .tuple(...names.map(() => one))
    .map((values) => Object.fromEntries(names.map((name, n) => [name, values[n]])) as Record<Name, T>);
const known = Object.values(momentReasonText);
const reasons = fc.oneof(
  fc.subarray(known),
  fc.shuffledSubarray([...known, 'it is late', 'a "quoted" word']),
);

const slotOf = (n: number) => 1_800_000_000_000 + n * SLOT;
const decided = fc.record({
  moment: fc.record({
    primary_state: fc.constantFrom(...primaryStates),
    calm_probability: figure,
    calm_level: figure,
    calm_change: figure,
    signal_saturation: figure,
    movement_friction: maybe(figure),
    fragility: figure,
    half_life_minutes: fc.integer({ min: 1, max: 240 }),
    /** Usually after the half-life. */
    other_end: maybe(fc.integer({ min: 0, max: 1_000 })),
    window_minutes: maybe(fc.integer({ min: 1, max: 180 })),
    window_held_share: maybe(figure),
    window_expected_calm: figure,
    silence_reasons: reasons,
  }),
  surroundings: fc.record({
    usual_stress: maybe(whole),
    usual_calm: maybe(figure),
    network_calm: maybe(whole),
    spare_capacity: maybe(whole),
    fatigue: figure,
  }),
  band: fc.constantFrom(...mqsBands),
  mqs: finer,
  previous_mqs: maybe(finer),
  resonance: finer,
  factors: fc.record({
    ...{ usefulness: figure, urgency: figure, calmness: figure, merchant_fit: maybe(figure) },
    user_need: figure,
  }),
  layers: record(resonanceLayers, figure),
  physical: maybe(figure),
  merchant_state: maybe(figure),
});

type Given = typeof decided extends fc.Arbitrary<infer T> ? T : never;

const toDecided = (given: Given, slot: number): DecidedMoment => {
  const { other_end, window_minutes, half_life_minutes, silence_reasons, ...moment } = given.moment;
  const { band, mqs, previous_mqs, resonance } = given;
  const factors = { ...given.factors };
  return {
    slot,
    moment: {
      ...moment,
      pocket_id: 'p',
      half_life_minutes,
      expires_at: slot + (other_end ?? half_life_minutes) * MINUTE,
      window_ends_at: window_minutes === null ? null : slot + window_minutes * MINUTE,
      silence_reasons,
      should_stay_silent: silence_reasons.length > 0,
    },
    surroundings: { ...given.surroundings },
    decision: {
      quality: { band, mqs, previous_mqs, factors, reasons: mqsReasons(factors, silence_reasons) },
      layers: { ...given.layers, physical: given.physical, merchant_state: given.merchant_state },
      resonance,
    },
    pause: null,
  };
};

describeStores('stored figures', (makePlace) => {
  test('a moment', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    let n = 0;
    await fc.assert(
      fc.asyncProperty(decided, async (given) => {
        n += 4;
        const written = toDecided(given, slotOf(n));
        await store.transaction((tx) => writeMoments(tx, [written]));
        const { decision, pause: _, ...rest } = written;
        assert.deepEqual(await currentMoment(store, 'p', slotOf(n)), { ...rest, ...decision });
      }),
      { numRuns: 60 },
    );
  });

  test('a moment with every set of reasons', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const [given] = fc.sample(decided, 1);
    assert.ok(given);
    for (let bits = 0; bits < 2 ** known.length; bits++) {
      const silence_reasons = known.filter((_, n) => bits & (1 << n));
      const written = toDecided({ ...given, moment: { ...given.moment, silence_reasons } }, slotOf(4 * bits));
      await store.transaction((tx) => writeMoments(tx, [written]));
      const read = await currentMoment(store, 'p', written.slot);
      assert.deepEqual(read?.moment.silence_reasons, silence_reasons);
    }
    const other = await store.all('select slot from moment_figures where other_reasons is not null');
    assert.deepEqual(other, []);
  });

  test('a reading', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    let n = 0;
    const scores = ['stress', 'calm', 'social_energy', 'productive', 'completeness'] as const;
    const words = fc.record({ primary_state: fc.constantFrom(...primaryStates), anomaly_flag: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(record(scores, figure), words, async (figures, other) => {
        n += 1;
        const written = { slot: slotOf(n), pocket_id: 'p', ...figures, ...other };
        await store.transaction((tx) => writeReadings(tx, [written]));
        assert.deepEqual(await readingsBetween(store, 'p', slotOf(n) - 1, slotOf(n)), [written]);
      }),
      { numRuns: 60 },
    );
  });

  test('an equilibrium', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    let n = 0;
    const given = fc.record({
      dimensions: record(dimensions, maybe(figure)),
      composite: maybe(figure),
      direction: fc.constantFrom(...directions),
    });
    await fc.assert(
      fc.asyncProperty(given, async (equilibrium) => {
        n += 1;
        const written = { slot: slotOf(n), pocket_id: 'p', ...equilibrium };
        await store.transaction((tx) => writeEquilibria(tx, [written]));
        const window = { after: slotOf(n) - 1, until: slotOf(n) };
        assert.deepEqual(await equilibriaWithin(store, 'p', window), [written]);
      }),
      { numRuns: 60 },
    );
  });

  test('a snapshot, and what an outlet counted, with as many decimals as they were measured with', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    let n = 0;
    const measured = fc.oneof(
      figure,
      fc.integer({ min: 0, max: 3_000_000 }),
      whole,
      fc.constantFrom(34.1, 99.9, 1e7 / 3),
    );
    const given = fc.record({
      values: record(pocketSignalKinds, maybe(measured)),
      crowd: maybe(whole),
      completeness: fc.integer({ min: 0, max: 1_000 }).map((thousandths) => thousandths / 1_000),
      substrate: fc.constantFrom(...substrates),
      crowd_gap: fc.constantFrom(null, ...crowdGaps),
      activity: measured,
    });
    await fc.assert(
      fc.asyncProperty(given, async ({ values, substrate, activity, ...rest }) => {
        n += 1;
        const at = { slot: slotOf(n), pocket_id: 'p' };
        await store.transaction(async (tx) => {
          await writeSnapshots(tx, [{ ...at, values, ...rest, provenance: [] }], substrate);
          await writeOutletActivity(tx, [{ slot: at.slot, outlet_id: 'o', activity }]);
        });
        const row = await store.get<object>('select * from snapshots where slot = ?', at.slot);
        const day = store.engine === 'sqlite' ? at.slot : Math.floor(at.slot / DAY);
        assert.deepEqual({ ...row }, { ...at, ...values, ...rest, substrate, provenance: 'p', day });
        const counted = await outletActivityAt(store, at.slot);
        assert.deepEqual(
          counted.map((one) => ({ ...one })),
          [{ outlet_id: 'o', activity }],
        );
      }),
      { numRuns: 100 },
    );
  });

  test('a figure with more decimals than are stored is refused', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const reading = {
      ...({ slot: 1, pocket_id: 'p', primary_state: 'calm-social', anomaly_flag: false } as const),
      ...{ stress: 0.5, calm: 0.1 + 0.2, social_energy: 0.5, productive: 0.5, completeness: 1 },
    };
    await assert.rejects(
      store.transaction(async (tx) => writeReadings(tx, [reading])),
      /calm has more decimals than are stored: 0.30000000000000004/,
    );
  });
});
