import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { categories } from '../city/city.ts';
import { HOUR, MINUTE } from '../time/slot.ts';
import {
  attentionEvent,
  commitmentEvents,
  commitmentOutcome,
  type Outcome,
  type QuarterUse,
  type SettledCommitment,
} from './sustainability.ts';

const four = Date.parse('2026-11-11T16:00:00+08:00');
const hour = { window_start: four, window_end: four + HOUR };
const quarter = (activity: number, ...before: number[]): QuarterUse => ({ activity, before });

const bakery: SettledCommitment['outlet'] = {
  id: 'b',
  pocket_id: 'tiongbahru',
  category: 'bakery',
  typical_spend: 11,
  margin: 0.6,
};
const outcome: Outcome = {
  activity: 0.5,
  usual: 0.4,
  quarters: 4,
  idle_hours: 12,
  reclaimed_hours: 2,
  lost_hours: 0,
};
const settled: SettledCommitment = {
  slot: four + HOUR,
  brief_id: 'x.brief1',
  outlet: bakery,
  outcome,
  closes_in: 2 * HOUR,
};
const events = (more: Partial<SettledCommitment> = {}) =>
  commitmentEvents({ ...settled, ...more }).map(({ kind, magnitude, value_cents }) => [
    kind,
    magnitude,
    value_cents,
  ]);

test('the worked example of docs/formulas.md', () => {
  const quarters = [
    quarter(0.5, 0.4, 0.4),
    quarter(0.55, 0.45, 0.35),
    quarter(0.5, 0.4),
    quarter(0.45, 0.4, 0.4),
  ];
  assert.deepEqual(commitmentOutcome({ seats: 20 }, hour, quarters), {
    activity: 0.5,
    usual: 0.4,
    quarters: 3,
    idle_hours: 9,
    reclaimed_hours: 1.5,
    lost_hours: 0,
  });
  assert.deepEqual(events({ outcome: { ...outcome, reclaimed_hours: 1.5 } }), [
    ['idle_reclaimed', 1.5, 3960],
    ['purposeful_trip', 6, 900],
    ['waste_avoided', 4, 880],
  ]);
  const day = { pocket_id: 'tiongbahru', date: '2026-11-11', judged: 52, vindicated: 46, minutes: 45.5 };
  const attention = attentionEvent(four, day);
  assert.deepEqual([attention?.magnitude, attention?.value_cents], [46, 182]);
});

test('quarters without two comparable weeks are left out; with less than half of the window there is no outcome', () => {
  const known = quarter(0.5, 0.4, 0.4);
  const thin = quarter(0.5, 0.4);
  const table: [quarters: QuarterUse[], counted: number | null][] = [
    [[], null],
    [[thin, thin, thin, thin], null],
    [[known, thin, thin, thin], null],
    [[known, known, thin, thin], 2],
    [[known, known], 2],
    [[known, known, known, known], 4],
  ];
  for (const [quarters, counted] of table)
    assert.equal(commitmentOutcome({ seats: 10 }, hour, quarters)?.quarters ?? null, counted);
});

test('a rise reclaims hours and a fall loses them; under 0.03 either is chance', () => {
  for (const [activity, reclaimed, lost] of [
    [0, 0, 8],
    [0.2, 0, 4],
    [0.36, 0, 0.8],
    [0.38, 0, 0],
    [0.4, 0, 0],
    [0.42, 0, 0],
    [0.44, 0.8, 0],
    [1, 12, 0],
  ] as const) {
    const quarters = Array(4).fill(quarter(activity, 0.4, 0.4));
    const found = commitmentOutcome({ seats: 20 }, hour, quarters);
    assert.deepEqual([found?.reclaimed_hours, found?.lost_hours], [reclaimed, lost], `${activity}`);
  }
});

test('a loss is worth as much as a gain of its size, and counts against it', () => {
  const lost = events({ outcome: { ...outcome, reclaimed_hours: 0, lost_hours: 1.5 } });
  assert.deepEqual(lost, [
    ['idle_reclaimed', -1.5, -3960],
    ['purposeful_trip', -6, -900],
    ['waste_avoided', -4, -880],
  ]);
});

test('an outlet without seats counts as six places', () => {
  const quarters = Array(4).fill(quarter(0.9, 0.4, 0.4));
  assert.equal(commitmentOutcome({ seats: 0 }, hour, quarters)?.reclaimed_hours, 3);
});

test('no event without reclaimed hours, and none for fewer than five trips', () => {
  const restaurant = { ...bakery, category: 'restaurant' as const };
  const reclaimed = (reclaimed_hours: number) =>
    events({ outlet: restaurant, outcome: { ...outcome, reclaimed_hours }, closes_in: 4 * HOUR }).map(
      ([kind, magnitude]) => [kind, magnitude],
    );
  assert.deepEqual(reclaimed(0), []);
  assert.deepEqual(reclaimed(4.99), [['idle_reclaimed', 4.99]]);
  assert.deepEqual(reclaimed(5), [
    ['idle_reclaimed', 5],
    ['purposeful_trip', 5],
  ]);
});

test('waste is avoided near closing, with perishable goods only', () => {
  const units = (more: Partial<SettledCommitment>) =>
    commitmentEvents({ ...settled, ...more }).find(({ kind }) => kind === 'waste_avoided')?.magnitude ?? 0;
  assert.equal(units({ closes_in: 3 * HOUR }), 0);
  assert.equal(units({ closes_in: 90 * MINUTE }), 8);
  assert.equal(units({ closes_in: 0 }), 16);
  for (const category of categories) {
    const perishable = ['bakery', 'hawker', 'grocer', 'florist', 'restaurant', 'dessert', 'cafe'];
    const isPerishable = units({ outlet: { ...bakery, category }, closes_in: 0 }) > 0;
    assert.equal(isPerishable, perishable.includes(category), category);
  }
});

test('no event without a vindicated silence', () => {
  const day = { pocket_id: 'siglap', date: '2026-11-11', judged: 9, vindicated: 0, minutes: 0 };
  assert.equal(attentionEvent(four, day), null);
});

const share = fc.integer({ min: 0, max: 100 }).map((n) => n / 100);

test('for any input, outcomes and events are within their range', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ activity: share, before: fc.array(share, { maxLength: 4 }) }), { maxLength: 8 }),
      fc.integer({ min: 0, max: 300 }),
      fc.constantFrom(...categories),
      fc.integer({ min: 0, max: 5 * 60 }),
      (quarters, seats, category, minutes) => {
        const window = { window_start: four, window_end: four + 2 * HOUR };
        const found = commitmentOutcome({ seats }, window, quarters);
        if (!found) return;
        assert.ok(found.quarters >= 4 && found.quarters <= 8);
        assert.ok(found.reclaimed_hours >= 0 && found.reclaimed_hours <= found.idle_hours + 0.011);
        const events = commitmentEvents({
          ...settled,
          outlet: { ...bakery, category },
          outcome: found,
          closes_in: minutes * MINUTE,
        });
        assert.equal(events.length > 0, found.reclaimed_hours + found.lost_hours > 0);
        assert.ok(found.reclaimed_hours === 0 || found.lost_hours === 0);
        const sign = found.lost_hours > 0 ? -1 : 1;
        assert.equal(new Set(events.map(({ id }) => id)).size, events.length);
        for (const { kind, magnitude, value_cents, evidence } of events) {
          assert.ok(sign * magnitude > 0 && Math.abs(magnitude * 100 - Math.round(magnitude * 100)) < 1e-6);
          assert.ok(Number.isInteger(value_cents) && sign * value_cents >= 0);
          assert.equal(evidence.brief_id, settled.brief_id);
          if (kind === 'purposeful_trip') assert.ok(Number.isInteger(magnitude) && Math.abs(magnitude) >= 5);
        }
      },
    ),
  );
});
