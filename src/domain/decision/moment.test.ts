import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { at, momentInput, reading, values } from '../../../test/support/rows/example-moment.ts';
import { noCalmOutcomes } from '../atmosphere/calm-probability.ts';
import type { Reading } from '../atmosphere/reading.ts';
import { computePressures } from '../signals/pressures.ts';
import { fixedScales } from '../signals/scales.ts';
import type { Snapshot } from '../signals/snapshot.ts';
import { HOUR, MINUTE } from '../time/slot.ts';
import { singapore } from '../time/zones.fixture.ts';
import {
  computeMoment,
  MIN_MOMENT_COMPLETENESS,
  type Moment,
  type MomentInput,
  signalSaturation,
  withSaturation,
} from './moment.ts';

interface Changes extends Partial<Omit<MomentInput, 'reading'>> {
  reading?: Partial<Reading>;
}
const read = ({ reading: changed, ...more }: Changes = {}): Moment => {
  const moment = computeMoment({ ...momentInput, reading: { ...reading, ...changed }, ...more });
  assert.ok(moment);
  return moment;
};
const ago = (minutes: number) => at - minutes * MINUTE;
const calmly = (...calm: number[]) =>
  calm.map((value, i) => ({ slot: ago((calm.length - 1 - i) * 15), calm: value }));

test('the worked example of docs/formulas.md', () => {
  assert.deepEqual(computeMoment(momentInput), {
    pocket_id: 'tiongbahru',
    primary_state: 'calm-productive',
    calm_probability: 0.786,
    calm_level: 0.8,
    calm_change: 0.2,
    signal_saturation: 0.15,
    movement_friction: 0.23,
    fragility: 0.306,
    half_life_minutes: 36,
    expires_at: Date.parse('2026-11-11T15:36:00+08:00'),
    window_ends_at: Date.parse('2026-11-11T16:30:00+08:00'),
    window_held_share: 0.867,
    window_expected_calm: 0.763,
    should_stay_silent: false,
    silence_reasons: [],
  });
});

test('a thin substrate gives no moment', () => {
  const at = (completeness: number) =>
    computeMoment({ ...momentInput, reading: { ...reading, completeness } });
  assert.equal(at(MIN_MOMENT_COMPLETENESS - 0.001), null);
  assert.ok(at(MIN_MOMENT_COMPLETENESS));
});

describe('calm', () => {
  test('the level is that of the reading, the change that of the last half hour', () => {
    const { calm_level, calm_change } = read({ reading: { calm: 0.8 }, recent: calmly(0.6, 0.7, 0.8) });
    assert.deepEqual([calm_level, calm_change], [0.8, 0.2]);
    assert.equal(read({ recent: calmly(0.8) }).calm_change, 0);
  });

  test('the probability falls with the level and with the direction', () => {
    const likely = (...calm: number[]) => {
      const last = calm.at(-1) ?? 0;
      const primary_state = last >= 0.55 ? 'calm-restful' : 'mixed-transitional';
      const changed = { calm: last, primary_state, completeness: 1 } as const;
      return read({ reading: changed, recent: calmly(...calm), calm_outcomes: noCalmOutcomes })
        .calm_probability;
    };
    assert.ok(likely(0.9, 0.9, 0.9) > 0.9);
    assert.ok(likely(0.9, 0.75, 0.6) < 0.5 && likely(0.5, 0.55, 0.6) > 0.5);
    assert.ok(likely(0.3, 0.3, 0.3) < 0.1);
  });
});

describe('saturation', () => {
  const minutes = (...spoken: number[]) => signalSaturation(spoken.map(ago), at);
  test('each package takes a share of the attention left, which halves in 90 minutes', () => {
    assert.equal(minutes(), 0);
    assert.equal(minutes(0), 0.3);
    assert.equal(minutes(90), 0.15);
    assert.equal(minutes(180), 0.075);
    assert.equal(minutes(0, 0), 0.51);
    assert.equal(minutes(0, 90), 0.405);
  });

  test('an open commitment takes half as much as a line, and fades once its window has ended', () => {
    const window = (start: number, end: number) => ({ window_start: ago(start), window_end: ago(end) });
    const open = (...windows: ReturnType<typeof window>[]) => signalSaturation([], at, windows);
    assert.equal(open(window(0, -60)), 0.15);
    assert.equal(open(window(60, 0)), 0.15);
    assert.equal(open(window(150, 90)), 0.075);
    assert.equal(open(window(-15, -75)), 0, 'it has not begun');
    assert.equal(open(window(30, -30), window(15, -45)), 0.278);
    assert.equal(open(window(30, -30), window(15, -45), window(0, -60)), 0.386);
    assert.equal(signalSaturation([at], at, [window(30, -30)]), 0.405);
  });

  test('another package never lowers it, and waiting never raises it', () => {
    const spoken = fc.array(fc.integer({ min: 0, max: 24 * 60 }), { maxLength: 30 });
    fc.assert(
      fc.property(spoken, fc.integer({ min: 0, max: 24 * 60 }), (said, more) => {
        const before = minutes(...said);
        assert.ok(before >= 0 && before <= 1);
        assert.ok(minutes(...said, more) >= before);
        assert.ok(minutes(...said.map((at) => at + more)) <= before);
      }),
    );
  });
});

const PEAK = 1000;
const pressuresWith = (changed: Partial<Snapshot['values']>, footfall: number | null = 400) =>
  computePressures(
    { values: { ...values, ...changed }, crowd: footfall === null ? null : footfall / PEAK },
    fixedScales,
  );

describe('friction', () => {
  const friction = ({ footfall, ...changed }: Partial<Snapshot['values']>) =>
    read({ pressures: pressuresWith(changed, footfall) }).movement_friction;
  const free = { rain_mm: 0, footfall: 0, transit_crowding: 0, traffic_speed_kmh: 60 };
  test('each pressure has its weight', () => {
    assert.equal(friction(free), 0);
    assert.equal(friction({ ...free, footfall: 1000 }), 0.2);
    assert.equal(friction({ ...free, transit_crowding: 1 }), 0.2);
    assert.equal(friction({ ...free, traffic_speed_kmh: 5 }), 0.2);
  });

  test('heavy rain alone gives high friction', () => {
    assert.equal(friction({ ...free, rain_mm: 40 }), 0.8);
    assert.equal(friction({ rain_mm: 40, footfall: 1000, transit_crowding: 1, traffic_speed_kmh: 5 }), 1);
  });

  test('unknown pressures have no weight; where neither rain nor transit nor traffic is known there is none', () => {
    const unknown = { rain_mm: null, footfall: null, transit_crowding: null, traffic_speed_kmh: null };
    assert.equal(friction({ ...unknown, transit_crowding: 1 }), 1);
    assert.equal(friction(unknown), null);
    assert.equal(friction({ ...unknown, footfall: 900 }), null);
  });
});

describe('fragility', () => {
  const fragility = (anomaly_flag: boolean, ...calm: number[]) =>
    read({ recent: calmly(...calm), reading: { anomaly_flag } }).fragility;
  test('varying calm, and an anomalous reading', () => {
    assert.equal(fragility(false, 0.6, 0.6, 0.6), 0);
    assert.equal(fragility(true, 0.6), 0.3);
    assert.equal(fragility(false, 0.5, 0.7), 0.375);
    assert.equal(fragility(false, 0, 1), 0.75);
    assert.equal(fragility(true, 0, 1), 1);
  });
});

describe('half-life', () => {
  test('the moment expires after its half-life', () => {
    const { expires_at, half_life_minutes } = read();
    assert.equal(expires_at, at + half_life_minutes * MINUTE);
  });
});

describe('silence', () => {
  const reasons = (changes: Changes) => read(changes).silence_reasons;
  const clock = (hhmm: string): Changes => {
    const slot = Date.parse(`2026-11-11T${hhmm}:00+08:00`);
    return {
      reading: { slot },
      recent: [{ slot, calm: 0.8 }],
      spoken: [],
      half_life_minutes: 60,
    };
  };
  const swing = (low: number) => ({ recent: calmly(low, 1), reading: { anomaly_flag: true } });
  /** The line of the example would add an hour and a half to these hours. */
  const said = (hours: number) => [{ from: at - 10 * 24 * HOUR, to: at - 10 * 24 * HOUR + hours * HOUR }];
  const table: [reason: string, from: Changes, not: Changes][] = [
    ['enough was said here recently', { spoken: Array(5).fill(at) }, { spoken: Array(4).fill(at) }],
    [
      'enough was said here recently',
      { spoken: [], commitments: Array(10).fill({ window_start: at, window_end: at }) },
      { spoken: [], commitments: Array(9).fill({ window_start: at, window_end: at }) },
    ],
    ['it is an hour for sleep', clock('06:45'), clock('07:00')],
    ['it is an hour for sleep', clock('23:00'), clock('22:45')],
    ['the pocket is tense', { reading: { stress: 0.62 } }, { reading: { stress: 0.619 } }],
    ['the moment is fragile', swing(0.78), swing(0.79)],
    ['enough was said here recently', { lines: said(30.4) }, { lines: said(29.8) }],
  ];
  for (const [reason, from, not] of table) {
    test(reason, () => {
      assert.deepEqual(reasons(from), [reason]);
      assert.deepEqual(reasons(not), []);
    });
  }
});

test('with another saturation, only saturation and silence reasons change', () => {
  const spoken = [ago(90), ago(0), ago(0), ago(0), ago(0), ago(0)];
  const said = read({ spoken });
  assert.deepEqual(said.silence_reasons, ['enough was said here recently']);
  assert.deepEqual(withSaturation(read(), said.signal_saturation, reading, singapore), said);
  assert.deepEqual(withSaturation(said, 0.15, reading, singapore), read());
  const tense = { reading: { stress: 0.7 } };
  assert.deepEqual(withSaturation(read(tense), 0.15, { slot: at, stress: 0.7 }, singapore), read(tense));
});

test('for any input, every figure is within its range and silence has reasons', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const maybe = (most: number) => fc.option(fc.double({ min: 0, max: most, noNaN: true }));
  const input = fc.record({
    calm: fc.array(share, { minLength: 1, maxLength: 8 }),
    stress: share,
    completeness: fc.double({ min: MIN_MOMENT_COMPLETENESS, max: 1, noNaN: true }),
    anomaly_flag: fc.boolean(),
    spoken: fc.array(fc.integer({ min: 0, max: 1440 }), { maxLength: 40 }),
    half_life_minutes: fc.integer({ min: 10, max: 240 }),
    hours: fc.integer({ min: 0, max: 95 }),
    values: fc.record({
      rain_mm: maybe(60),
      footfall: maybe(9000),
      transit_crowding: maybe(1),
      traffic_speed_kmh: maybe(90),
    }),
  });
  fc.assert(
    fc.property(
      input,
      ({ calm, stress, completeness, anomaly_flag, spoken, half_life_minutes, hours, values }) => {
        const slot = at + hours * 15 * MINUTE;
        const moment = read({
          reading: { slot, stress, completeness, anomaly_flag },
          recent: calm.map((value, i) => ({ slot: slot - (calm.length - 1 - i) * 15 * MINUTE, calm: value })),
          spoken: spoken.map((minutes) => slot - minutes * MINUTE),
          half_life_minutes,
          pressures: pressuresWith(values, values.footfall),
        });
        for (const name of [
          'calm_probability',
          'signal_saturation',
          'movement_friction',
          'fragility',
        ] as const) {
          const value = moment[name];
          assert.ok(value === null || (value >= 0 && value <= 1), `${name} ${value}`);
        }
        assert.ok(Number.isInteger(moment.half_life_minutes));
        assert.ok(moment.expires_at > slot && moment.expires_at <= slot + 4 * HOUR);
        assert.equal(moment.should_stay_silent, moment.silence_reasons.length > 0);
      },
    ),
  );
});

test('without a norm the moment asks for silence', () => {
  const { should_stay_silent, silence_reasons } = read({ usual_until: () => null });
  assert.ok(should_stay_silent);
  assert.deepEqual(silence_reasons, ['the usual of this hour is not known yet']);
});
