import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Outlet } from '../city/city.ts';
import type { MqsBand } from '../decision/moment-quality.ts';
import { voiceFaults } from '../text/voice.ts';
import { timeUntilClose } from '../time/opening-hours.ts';
import { HOUR, MINUTE, SLOT } from '../time/slot.ts';
import { singapore } from '../time/zones.fixture.ts';
import {
  type BriefMoment,
  draftBriefs,
  isWorthABrief,
  LEAST_IDLE,
  LEAST_SPARE_CAPACITY,
  MOST_AT_ONCE,
  type ReadyOutlet,
  windowFor,
} from './brief.ts';
import { readinessStates } from './readiness.ts';

const bands: MqsBand[] = ['silent', 'weak', 'forming', 'high_resonance', 'peak', 'decaying'];
const three = Date.parse('2026-11-11T15:00:00+08:00');

const then = (more: Partial<BriefMoment> = {}): BriefMoment => ({
  moment: {
    pocket_id: 'tiongbahru',
    primary_state: 'calm-productive',
    half_life_minutes: 67,
    should_stay_silent: false,
  },
  band: 'high_resonance',
  legitimacy_score: 78.7,
  calm: 0.8,
  rain: 0,
  ...more,
});

const ready = (n: number, more: Partial<ReadyOutlet> = {}, outlet: Partial<Outlet> = {}): ReadyOutlet => ({
  outlet: {
    id: `00000000-0000-4000-8000-00000000000${n}`,
    name: `Place ${n}`,
    pocket_id: 'tiongbahru',
    unit: '#01-01',
    opens_at: '08:00',
    closes_at: '19:00',
    category: 'bakery',
    active: true,
    seats: 18,
    typical_spend: 11,
    margin: 0.62,
    ...outlet,
  },
  readiness: { state: 'READY_FOR_TAKEAWAY', idle_pressure: 0.3 },
  spare_capacity: 0.6,
  offered: [],
  engaged: false,
  ...more,
});

test('the worked example of docs/formulas.md', () => {
  const [brief, ...more] = draftBriefs(three, then(), [ready(1)], singapore);
  assert.deepEqual(more, []);
  const { value_stack, ...rest } = brief ?? assert.fail();
  assert.deepEqual(rest, {
    id: 'tiongbahru-20261111T0700Z.brief1',
    slot: three,
    pocket_id: 'tiongbahru',
    outlet_id: '00000000-0000-4000-8000-000000000001',
    state: 'READY_FOR_TAKEAWAY',
    line: 'calm-productive outside and room inside, 15:15 to 16:30 SGT.',
    window_start: three + 15 * MINUTE,
    window_end: three + 90 * MINUTE,
    expires_at: three + 45 * MINUTE,
  });
  assert.equal(value_stack.freshness.present, true);
});

test('a moment is worth a brief without silence reasons, in an open band and at least borderline legitimate', () => {
  const silent = { ...then().moment, should_stay_silent: true };
  const table: [more: Partial<BriefMoment>, invited: boolean][] = [
    [{}, true],
    [{ moment: silent }, false],
    [{ legitimacy_score: 40 }, true],
    [{ legitimacy_score: 39.9 }, false],
    ...bands.map((band): [Partial<BriefMoment>, boolean] => [
      { band },
      ['forming', 'high_resonance', 'peak'].includes(band),
    ]),
  ];
  for (const [more, invited] of table) {
    assert.equal(isWorthABrief(then(more)), invited, JSON.stringify(more));
    assert.equal(draftBriefs(three, then(more), [ready(1)], singapore).length, invited ? 1 : 0);
  }
});

test('an outlet gets a brief when it is ready, has spare capacity, is idle, and had few briefs today', () => {
  const hours = (...ago: number[]) => ago.map((hour) => three - hour * HOUR);
  const table: [more: Partial<ReadyOutlet>, asked: boolean][] = [
    [{ engaged: true }, false],
    [{ offered: hours(4) }, true],
    [{ offered: hours(3.5) }, false],
    [{ offered: hours(4, 8) }, true],
    [{ offered: hours(4, 8, 12) }, false],
    [{ spare_capacity: LEAST_SPARE_CAPACITY }, true],
    [{ spare_capacity: LEAST_SPARE_CAPACITY - 0.01 }, false],
    [{ spare_capacity: null }, false],
    [{ readiness: { state: 'READY_FOR_FOCUS', idle_pressure: LEAST_IDLE } }, true],
    [{ readiness: { state: 'READY_FOR_FOCUS', idle_pressure: LEAST_IDLE - 0.01 } }, false],
    [{ readiness: { state: 'READY_FOR_FOCUS', idle_pressure: null } }, false],
    ...readinessStates.map((state): [Partial<ReadyOutlet>, boolean] => [
      { readiness: { state, idle_pressure: 0.3 } },
      state.startsWith('READY_'),
    ]),
  ];
  for (const [more, asked] of table)
    assert.equal(
      draftBriefs(three, then(), [ready(1, more)], singapore).length,
      asked ? 1 : 0,
      JSON.stringify(more),
    );
  assert.deepEqual(draftBriefs(three, then(), [ready(1, {}, { active: false })], singapore), []);
});

test('the most idle outlets get a brief, at most two at once', () => {
  const idle = (n: number, idle_pressure: number) =>
    ready(n, { readiness: { state: 'READY_FOR_FOCUS', idle_pressure } });
  const asked = draftBriefs(
    three,
    then(),
    [idle(1, 0.2), idle(2, 0.5), idle(3, 0.4), idle(4, 0.5)],
    singapore,
  );
  assert.deepEqual(
    asked.map(({ outlet_id, id }) => [outlet_id.at(-1), id.split('.')[1]]),
    [
      ['2', 'brief1'],
      ['4', 'brief2'],
    ],
  );
});

test('windows', () => {
  const table: [half_life: number, closes_at: string, minutes: number | null][] = [
    [10, '19:00', 60],
    [61, '19:00', 75],
    [119, '19:00', 120],
    [240, '19:00', 120],
    [240, '16:45', 90],
    [240, '16:15', 60],
    [240, '16:14', null],
    [240, '15:00', null],
    [240, '00:30', 120],
  ];
  for (const [half_life, closes_at, minutes] of table) {
    const window = windowFor({ opens_at: '08:00', closes_at }, three, half_life, singapore);
    assert.equal(
      window && (window.window_end - window.window_start) / MINUTE,
      minutes,
      `${half_life} ${closes_at}`,
    );
  }
});

const clock = fc
  .integer({ min: 0, max: 95 })
  .map((n) => `${String(n >> 2).padStart(2, '0')}:${String(15 * (n % 4)).padStart(2, '0')}`);

test('a window lies within the opening hours, and a brief expires before its window ends', () => {
  fc.assert(
    fc.property(
      clock,
      clock,
      fc.integer({ min: 0, max: 7 * 96 }),
      fc.integer({ min: 10, max: 240 }),
      (opens_at, closes_at, n, half_life_minutes) => {
        const slot = three + n * SLOT;
        const moment = { ...then().moment, half_life_minutes };
        const outlets = [1, 2, 3].map((id) => ready(id, {}, { opens_at, closes_at }));
        const briefs = draftBriefs(slot, then({ moment }), outlets, singapore);
        assert.ok(briefs.length <= MOST_AT_ONCE);
        assert.equal(
          briefs.length === 0,
          timeUntilClose({ opens_at, closes_at }, slot, singapore) < 75 * MINUTE,
        );
        for (const { window_start, window_end, expires_at, line } of briefs) {
          assert.ok(
            window_start > slot &&
              window_end <= slot + timeUntilClose({ opens_at, closes_at }, slot, singapore),
          );
          assert.ok(window_end - window_start >= HOUR && window_end - window_start <= 2 * HOUR);
          assert.ok(expires_at > window_start && expires_at < window_end);
          assert.deepEqual(voiceFaults(line, 'emit'), []);
        }
      },
    ),
  );
});
