import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { buildCheckHistories, type CheckHistoryInput } from './check-history.ts';
import { type CheckName, checkNames } from './heartbeat.ts';
import type { UptimeDay } from './uptime.ts';

const whole = (date: string): UptimeDay => ({ date, state: 'green', slots_due: 96, slots_run: 96 });
const unknown = (date: string): UptimeDay => ({ date, state: 'before', slots_due: 0, slots_run: 0 });
const days = [unknown('2026-11-08'), whole('2026-11-09'), whole('2026-11-10'), whole('2026-11-11')];
const input = (given: Partial<CheckHistoryInput> = {}): CheckHistoryInput => ({
  ...{ days, recorded: new Map(), decisions: new Map() },
  ...given,
});
const ofCheck = (name: CheckName, given: Partial<CheckHistoryInput>) =>
  buildCheckHistories(input(given)).find((history) => history.name === name) ?? assert.fail(name);
const states = (name: CheckName, given: Partial<CheckHistoryInput>) =>
  ofCheck(name, given).days.map(({ state }) => state);

test('every check of the heartbeat has its history, and an empty record claims nothing', () => {
  const empty = buildCheckHistories(input({ days: days.map(({ date }) => unknown(date)) }));
  assert.deepEqual(
    empty.map(({ name }) => name),
    [...checkNames],
  );
  for (const { share, recorded_since, days: own } of empty) {
    assert.deepEqual([share, recorded_since], [null, null]);
    assert.ok(own.length === 4 && own.every(({ state }) => state === 'no_record'));
  }
});

describe('recorded results', () => {
  const recordedAs = (name: CheckName, green: number, amber: number, red: number) => ({
    recorded: new Map([[name, new Map([['2026-11-10', { green, amber, red }]])]]),
  });

  for (const [green, amber, red, state, share] of [
    [96, 0, 0, 'green', 1],
    [95, 1, 0, 'amber', 1],
    [93, 0, 3, 'amber', 0.9687],
    [92, 0, 4, 'red', 0.9583],
    [0, 96, 0, 'amber', 1],
    [0, 0, 0, 'no_record', null],
  ] as const)
    test(`green ${green}, amber ${amber}, red ${red}: ${state}`, () => {
      const found = ofCheck('inbound MX', recordedAs('inbound MX', green, amber, red));
      assert.equal(found.days[2]?.state, state);
      assert.deepEqual([found.unit, found.share], ['quarter_hours', share]);
    });

  test('days before the first result and after the last are not known', () => {
    const given = recordedAs('takedown SLA', 96, 0, 0);
    assert.deepEqual(states('takedown SLA', given), ['no_record', 'no_record', 'green', 'no_record']);
    assert.equal(ofCheck('takedown SLA', given).recorded_since, '2026-11-10');
  });

  test('quarter hours that nobody observed fail the checks of the pipeline, recorded or not', () => {
    const gap = {
      days: [whole('2026-11-10'), { ...whole('2026-11-11'), state: 'red', slots_run: 90 }],
    } as const;
    for (const name of ['agent worker', 'stale crons'] as const) {
      assert.deepEqual(ofCheck(name, gap).days[1], {
        ...{ date: '2026-11-11', state: 'red' },
        ...{ green: 0, amber: 0, red: 6 },
      });
      const seen = {
        ...gap,
        recorded: new Map([[name, new Map([['2026-11-11', { green: 90, amber: 2, red: 4 }]])]]),
      };
      assert.deepEqual(ofCheck(name, seen).days[1]?.red, 4, 'not counted twice');
    }
    assert.equal(ofCheck('inbound MX', gap).days[1]?.state, 'no_record');
  });
});

test('the newest observation follows from the quarter hours that were observed', () => {
  const gap = { ...whole('2026-11-10'), state: 'amber', slots_run: 95 } as const;
  const found = ofCheck('env_snapshots freshness', {
    days: [unknown('2026-11-09'), gap, whole('2026-11-11')],
  });
  assert.deepEqual(
    found.days.map(({ state, green, red }) => [state, green, red]),
    [
      ['no_record', 0, 0],
      ['amber', 95, 1],
      ['green', 96, 0],
    ],
  );
  assert.deepEqual([found.share, found.recorded_since], [0.9947, '2026-11-10']);
});

test('the pass rate follows from the decisions of each day, and today may have none yet', () => {
  const decisions = new Map([
    ['2026-11-08', { spoken: 10, withheld: 90 }],
    ['2026-11-09', { spoken: 1, withheld: 99 }],
    ['2026-11-10', { spoken: 0, withheld: 0 }],
  ]);
  const found = ofCheck('gate pass rate', { decisions });
  assert.deepEqual(
    found.days.map(({ state }) => state),
    ['green', 'amber', 'red', 'no_record'],
  );
  assert.deepEqual([found.unit, found.share], ['days', 0.6666]);
  const later = new Map([['2026-11-10', { spoken: 10, withheld: 90 }]]);
  assert.deepEqual(states('gate pass rate', { decisions: later }), [
    'no_record',
    'no_record',
    'green',
    'no_record',
  ]);
});
