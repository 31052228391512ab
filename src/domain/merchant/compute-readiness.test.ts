import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { at, moment, reading, values } from '../../../test/support/rows/example-moment.ts';
import { primaryStates } from '../atmosphere/primary-state.ts';
import { categories, type Outlet } from '../city/city.ts';
import { isSleepHour } from '../decision/moment.ts';
import { HOUR, MINUTE } from '../time/slot.ts';
import { singapore } from '../time/zones.fixture.ts';
import { computeReadiness, type ReadinessInput, type ReadinessPocket } from './compute-readiness.ts';
import { readinessFrom } from './readiness.ts';

const outlet = { id: 'o', pocket_id: 'tiongbahru', category: 'cafe' } as Outlet;
const pocket: ReadinessPocket = { reading, moment, rain_mm: values.rain_mm };
const example: ReadinessInput = {
  outlet,
  pocket_id: 'tiongbahru',
  slot: at,
  hour: singapore.hourOfDay(at),
  rest: false,
  open_for: 3 * HOUR,
  activity: 0.3,
  usual: { samples: 24, mean: 0.5, variance: 0.01 },
  pocket,
  around: { outlets: 6, use: 3, usual_use: 3, crowd: 0.6 },
};

test('the worked example of docs/formulas.md', () => {
  assert.deepEqual(computeReadiness(example), {
    slot: at,
    outlet_id: 'o',
    pocket_id: 'tiongbahru',
    cause: 'focus',
    confidence: 0.9,
    idle_pressure: 0.4,
  });
});

type Change = Partial<Omit<ReadinessInput, 'pocket' | 'outlet'>> & {
  category?: Outlet['category'];
  reading?: Partial<ReadinessPocket['reading']>;
  moment?: Partial<NonNullable<ReadinessPocket['moment']>> | null;
  rain_mm?: number | null;
  unread?: true;
};

const changed = ({
  category = 'cafe',
  reading: felt,
  moment: now,
  rain_mm = 0,
  unread,
  ...rest
}: Change) => ({
  ...example,
  ...rest,
  outlet: { ...outlet, category },
  pocket: unread
    ? null
    : { reading: { ...reading, ...felt }, moment: now === null ? null : { ...moment, ...now }, rain_mm },
});

test('the order of the causes', () => {
  const lively = { primary_state: 'lively-social', calm: 0.3, social_energy: 0.7, productive: 0.1 } as const;
  const idle = { activity: 0.3, usual: { samples: 24, mean: 0.5, variance: 0 } };
  const full = { outlets: 5, use: 2.3, usual_use: 2, crowd: null };
  const table: [change: Change, cause: string][] = [
    [{ open_for: 0 }, 'closed'],
    [{ open_for: 0, activity: null, unread: true }, 'closed'],
    [{ open_for: 30 * MINUTE }, 'closing'],
    [{ open_for: 31 * MINUTE }, 'focus'],
    [{ activity: null }, 'unobserved'],
    [{ unread: true }, 'unobserved'],
    [{ moment: null }, 'unobserved'],
    [{ activity: 0 }, 'shut'],
    [{ activity: 0.8 }, 'full'],
    [{ activity: 0.8, reading: { primary_state: 'tense-crowded' } }, 'full'],
    [{ reading: { primary_state: 'tense-crowded' } }, 'tense'],
    [{ hour: 22.75, category: 'bar', reading: lively }, 'social'],
    [{ hour: 23, category: 'bar', reading: lively }, 'night'],
    [{ hour: 6.75, category: 'hawker' }, 'night'],
    [{ moment: { fragility: 0.7 } }, 'focus'],
    [{ moment: { fragility: 0.71 } }, 'fragile'],
    [{ moment: { signal_saturation: 0.81 } }, 'heard'],
    [{ around: full }, 'overflow'],
    [{ around: { ...full, use: 2.29 } }, 'focus'],
    [{ around: { ...full, outlets: 4 } }, 'focus'],
    [{ around: { ...full, outlets: 4, crowd: 1.1 } }, 'crowd'],
    [{ around: { ...full, crowd: 1.1 } }, 'overflow'],
    [{ around: full, activity: 0.66 }, 'settled'],
    [{ around: full, activity: 0.65 }, 'overflow'],
    [{ activity: 0.44 }, 'focus'],
    [{ activity: 0.46 }, 'settled'],
    [{ activity: 0.46, reading: { primary_state: 'busy-productive' } }, 'usual'],
    // Without a norm to compare with, it may be idle.
    [{ activity: 0.46, usual: { samples: 7, mean: 0.5, variance: 0 } }, 'focus'],
    [{ ...idle, rain_mm: 6 }, 'rain'],
    [{ ...idle, category: 'wellness' }, 'ease'],
    [{ ...idle, category: 'restaurant', reading: lively }, 'social'],
    [{ ...idle, category: 'dessert', rest: true }, 'families'],
    [{ ...idle, category: 'restaurant', hour: 17, reading: { calm: 0.3 } }, 'families'],
    [{ ...idle, category: 'bakery', hour: 8.25, reading: { productive: 0.3 } }, 'takeaway'],
    [{ ...idle, category: 'bakery', hour: 10.5, reading: { productive: 0.3 } }, 'unsuited'],
    [{ ...idle, category: 'bar', reading: { productive: 0.1, social_energy: 0.1 } }, 'unsuited'],
  ];
  for (const [change, cause] of table)
    assert.equal(computeReadiness(changed(change)).cause, cause, JSON.stringify(change));
});

test('idle pressure is the shortfall from the usual activity', () => {
  const table: [change: Change, idle: number | null][] = [
    [{ activity: 0.5 }, 0],
    [{ activity: 0.75 }, 0],
    [{ activity: 0.01 }, 0.98],
    [{ activity: null }, null],
    [{ activity: 0 }, 1],
    [{ activity: 0, usual: { samples: 8, mean: 0, variance: 0 } }, 0],
    [{ activity: 0.3, open_for: 0 }, null],
    [{ open_for: 0 }, null],
    [{ usual: { samples: 7, mean: 0.5, variance: 0 } }, null],
    [{ unread: true }, 0.4],
  ];
  for (const [change, idle] of table)
    assert.equal(computeReadiness(changed(change)).idle_pressure, idle, JSON.stringify(change));
});

test('missing inputs lower the confidence, except of a closed outlet', () => {
  const young = { samples: 4, mean: 0.5, variance: 0 };
  const table: [change: Change, confidence: number][] = [
    [{ reading: { completeness: 1 } }, 1],
    [{ activity: null, reading: { completeness: 1 } }, 0.6],
    [{ unread: true }, 0.6],
    [{ activity: null, unread: true }, 0.2],
    [{ usual: young, reading: { completeness: 1 } }, 0.9],
    [{ activity: null, unread: true, usual: { samples: 0, mean: 0, variance: 0 } }, 0],
    [{ open_for: 0, activity: null, unread: true }, 1],
  ];
  for (const [change, confidence] of table)
    assert.equal(computeReadiness(changed(change)).confidence, confidence, JSON.stringify(change));
});

const share = fc.double({ min: 0, max: 1, noNaN: true });
const anyInput: fc.Arbitrary<ReadinessInput> = fc.record({
  outlet: fc.constantFrom(...categories).map((category) => ({ ...outlet, category })),
  pocket_id: fc.constant('tiongbahru'),
  slot: fc.constant(at),
  hour: fc.nat({ max: 95 }).map((n) => n / 4),
  rest: fc.boolean(),
  open_for: fc.constantFrom(0, 15 * MINUTE, 2 * HOUR),
  activity: fc.option(share),
  usual: fc.record({
    samples: fc.nat({ max: 32 }),
    mean: fc.double({ min: 0.01, max: 1, noNaN: true }),
    variance: share,
  }),
  pocket: fc.option(
    fc.record({
      reading: fc.record({
        calm: share,
        social_energy: share,
        productive: share,
        completeness: share,
        primary_state: fc.constantFrom(...primaryStates),
      }),
      rain_mm: fc.option(fc.double({ min: 0, max: 40, noNaN: true })),
      moment: fc.option(fc.record({ fragility: share, signal_saturation: share })),
    }),
  ),
  around: fc.record({
    outlets: fc.nat({ max: 8 }),
    use: fc.double({ min: 0, max: 8, noNaN: true }),
    usual_use: fc.double({ min: 0, max: 8, noNaN: true }),
    crowd: fc.option(fc.double({ min: 0, max: 3, noNaN: true })),
  }),
});

test('for any input, figures are within their range and no excluded outlet is ready', () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      const record = computeReadiness(input);
      const { state, idle_pressure, confidence } = readinessFrom(record);
      assert.ok(confidence >= 0 && confidence <= 1);
      assert.ok(idle_pressure === null || (idle_pressure >= 0 && idle_pressure <= 1));
      if (input.open_for === 0) assert.deepEqual([state, idle_pressure], ['DO_NOT_PUSH', null]);
      if (!state.startsWith('READY')) return;
      assert.ok(input.pocket?.moment && input.activity && input.activity < 0.8);
      assert.ok(!isSleepHour(input.hour));
      assert.ok(input.pocket.moment.fragility <= 0.7 && input.pocket.moment.signal_saturation <= 0.8);
      assert.notEqual(input.pocket.reading.primary_state, 'tense-crowded');
    }),
    { numRuns: 1000 },
  );
});

test('fewer than five neighbouring outlets do not change the cause', () => {
  fc.assert(
    fc.property(anyInput, fc.nat({ max: 4 }), (input, outlets) => {
      const { crowd } = input.around;
      const result = computeReadiness({ ...input, around: { ...input.around, outlets } });
      assert.deepEqual(
        result,
        computeReadiness({ ...input, around: { outlets: 0, use: 0, usual_use: 0, crowd } }),
      );
    }),
  );
});
