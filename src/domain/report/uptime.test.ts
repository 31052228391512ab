import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY, HOUR, MINUTE, SLOT } from '../time/slot.ts';
import { timeZone } from '../time/zone.ts';
import { singapore } from '../time/zones.fixture.ts';
import { computeUptime, UPTIME_DAYS, type UptimeInput } from './uptime.ts';

const NOON = Date.parse('2026-11-11T04:00:00Z');
const MIDNIGHT = Date.parse('2026-11-10T16:00:00Z');

/** Ten days of runs up to now, none missing. */
const input = (given: Partial<UptimeInput> = {}): UptimeInput => ({
  ...{ now: NOON + 11 * MINUTE, gaps: [], first: MIDNIGHT - 9 * DAY, last: NOON, history: null },
  ...given,
});
const states = (given: Partial<UptimeInput>, count: number) =>
  computeUptime(input(given), singapore)
    .days.slice(-count)
    .map(({ state }) => state);

describe('the days', () => {
  test('ninety, the last of them today, with the slots that were due and ran', () => {
    const { days, since, incidents } = computeUptime(input(), singapore);
    assert.equal(days.length, UPTIME_DAYS);
    assert.deepEqual(days.at(-1), { date: '2026-11-11', state: 'green', slots_due: 49, slots_run: 49 });
    assert.deepEqual(days.at(-2), { date: '2026-11-10', state: 'green', slots_due: 96, slots_run: 96 });
    assert.equal(days.at(-10)?.state, 'green');
    assert.deepEqual(days.at(-11), { date: '2026-11-01', state: 'before', slots_due: 0, slots_run: 0 });
    assert.deepEqual([since, incidents], [MIDNIGHT - 9 * DAY, []]);
  });

  test('a day on which clocks change has the slots that it has', () => {
    const berlin = timeZone('Europe/Berlin');
    const now = Date.parse('2026-10-26T11:11:00Z');
    const { days } = computeUptime(input({ now, first: now - 30 * DAY, last: now - 11 * MINUTE }), berlin);
    assert.deepEqual(days.at(-2), { date: '2026-10-25', state: 'green', slots_due: 100, slots_run: 100 });
  });

  test('are amber with a missing slot and red with an hour of them in one piece', () => {
    const yesterday = MIDNIGHT - DAY;
    const gap = (from: number, slots: number) => ({ after: from - SLOT, before: from + slots * SLOT });
    assert.deepEqual(states({ gaps: [gap(yesterday + HOUR, 1)] }, 2), ['amber', 'green']);
    const apart = [gap(yesterday + HOUR, 3), gap(yesterday + 3 * HOUR, 3)];
    assert.deepEqual(states({ gaps: apart }, 2), ['amber', 'green']);
    assert.deepEqual(states({ gaps: [gap(yesterday + HOUR, 4)] }, 2), ['red', 'green']);
    assert.deepEqual(states({ gaps: [gap(MIDNIGHT - SLOT, 4)] }, 2), ['red', 'red'], 'over midnight');
  });

  test('of the first history are told apart, and judged from the first slot after it', () => {
    const history = { until_slot: MIDNIGHT + 6 * HOUR, finished: true };
    assert.deepEqual(states({ history }, 2), ['backfilled', 'green']);
    const { since, days } = computeUptime(input({ history }), singapore);
    assert.equal(since, MIDNIGHT + 6 * HOUR + SLOT);
    assert.equal(days.at(-1)?.slots_due, 24);
    const fresh = { history: { until_slot: NOON, finished: true } };
    assert.deepEqual(states(fresh, 2), ['backfilled', 'backfilled']);
    assert.equal(computeUptime(input(fresh), singapore).since, null);
  });

  test('before the first slot of a day is due it is neither good nor bad', () => {
    assert.deepEqual(states({ now: MIDNIGHT + MINUTE, last: MIDNIGHT - SLOT }, 2), ['green', 'not_due']);
    assert.deepEqual(states({ now: NOON + MINUTE, first: NOON }, 2), ['before', 'not_due']);
  });
});

describe('incidents', () => {
  test('newest first, each with the slots that are missing', () => {
    const gaps = [
      { after: MIDNIGHT - 5 * HOUR, before: MIDNIGHT - 2 * HOUR },
      { after: MIDNIGHT, before: MIDNIGHT + 2 * SLOT },
    ];
    assert.deepEqual(computeUptime(input({ gaps }), singapore).incidents, [
      { from: MIDNIGHT + SLOT, until: MIDNIGHT + 2 * SLOT, missed_slots: 1, state: 'amber' },
      { from: MIDNIGHT - 5 * HOUR + SLOT, until: MIDNIGHT - 2 * HOUR, missed_slots: 11, state: 'red' },
    ]);
  });

  test('one lasts while nothing runs, and a slot is missing ten minutes after it began', () => {
    const late = (now: number) => computeUptime(input({ now }), singapore).incidents;
    assert.deepEqual(late(NOON + SLOT + 10 * MINUTE - 1), []);
    const [incident] = late(NOON + 5 * HOUR);
    assert.deepEqual(incident, { from: NOON + SLOT, until: null, missed_slots: 19, state: 'red' });
    assert.deepEqual(states({ now: NOON + 5 * HOUR }, 1), ['red']);
  });

  test('one that began before the first day shown keeps its beginning', () => {
    const gap = { after: NOON - 100 * DAY, before: MIDNIGHT - 88 * DAY };
    const { incidents, days } = computeUptime(input({ gaps: [gap], first: NOON - 200 * DAY }), singapore);
    assert.equal(incidents[0]?.from, NOON - 100 * DAY + SLOT);
    assert.deepEqual([days[0]?.slots_run, days[0]?.state, days[1]?.slots_run], [0, 'red', 96]);
  });

  test('begin after the first history, and there are none while it is written', () => {
    const history = { until_slot: NOON, finished: true };
    const [incident] = computeUptime(input({ now: NOON + 2 * HOUR, history }), singapore).incidents;
    assert.equal(incident?.from, NOON + SLOT);
    const writing = { now: NOON + 2 * DAY, history: { until_slot: NOON, finished: false } };
    assert.deepEqual(computeUptime(input(writing), singapore).incidents, []);
    assert.deepEqual(states(writing, 3), ['backfilled', 'backfilled', 'backfilled']);
  });

  test('a service that never ran has none', () => {
    const { since, incidents, days } = computeUptime(input({ first: null, last: null }), singapore);
    assert.deepEqual([since, incidents], [null, []]);
    assert.ok(days.every(({ state }) => state === 'before'));
  });
});
