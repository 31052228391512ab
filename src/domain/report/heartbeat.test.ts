import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CityFeed } from '../city/city-feed.ts';
import { DAY, HOUR, MINUTE } from '../time/slot.ts';
import {
  type CheckStatus,
  type FeedHealth,
  type HeartbeatInput,
  heartbeatChecks,
  heartbeatOfDamaged,
  type ReplicaHealth,
  replicaFault,
  worstStatus,
} from './heartbeat.ts';

const now = Date.parse('2026-11-15T04:07:00Z');
const feed: CityFeed = {
  id: 'counters',
  title: 'Counters',
  publisher: 'the town',
  licence: 'CC BY 4.0',
  attribution: 'the town',
  limit: null,
  every_seconds: 300,
  fields: { people: { measures: 'crowd', fresh_minutes: 30 } },
};
const read: NonNullable<FeedHealth['state']> = {
  next_due: now + 4 * MINUTE,
  last_success: now - MINUTE,
  last_error: null,
  newest_observed: now - 5 * MINUTE,
  pockets: ['harbour', 'market'],
};
const weather: CityFeed = {
  ...feed,
  id: 'weather',
  fields: { rain: { measures: 'rain_mm', fresh_minutes: 30 } },
};
/** Three feeds of which the first has the given state. */
const feedsWith = (changed: Partial<typeof read>): FeedHealth[] => [
  { feed, state: { ...read, ...changed } },
  { feed: { ...feed, id: 'car-parks' }, state: read },
  { feed: weather, state: read },
];
const healthy: HeartbeatInput = {
  now,
  substrate: 'live',
  feeds: feedsWith({}),
  pockets: ['harbour', 'market'],
  observed: now - 7 * MINUTE,
  ran: now - 7 * MINUTE,
  ran_ahead: null,
  decisions: { spoken: 90, withheld: 1638 },
  takedowns_due: [],
  reviews_waiting: [],
  damage: null,
  full_since: null,
  key_changed: false,
  upgraded: false,
  mail: 'found',
  missing_migrations: 0,
  stale_jobs: [],
};
const replica: ReplicaHealth = { used: true, reachable: true, lagMs: 1_200, primaryAway: false };
const check = (name: string, changed: Partial<HeartbeatInput> = {}) => {
  const found = heartbeatChecks({ ...healthy, ...changed }).find((one) => one.name === name);
  assert.ok(found, name);
  return found;
};

test('nine checks, all green in a healthy service', () => {
  const checks = heartbeatChecks(healthy);
  assert.deepEqual(
    checks.map(({ name }) => name),
    [
      'env_snapshots freshness',
      'agent worker',
      'gate pass rate',
      'takedown SLA',
      'human reviews backlog',
      'inbound MX',
      'LTA signals',
      'migrations applied',
      'stale crons',
    ],
  );
  assert.equal(worstStatus(checks), 'green');
  for (const { name, status, hint } of checks) assert.deepEqual([status, hint], ['green', null], name);
});

test('what is wrong with a replica says which server answers, and how far it is behind', () => {
  assert.equal(replicaFault(undefined), undefined);
  assert.equal(replicaFault(replica), undefined);
  const fault = (changed: Partial<ReplicaHealth>) => replicaFault({ ...replica, ...changed });
  assert.equal(
    fault({ used: false, lagMs: 42_000 }),
    'the replica is 42 s behind: answers come from the primary',
  );
  assert.equal(
    fault({ used: false, reachable: false }),
    'the replica cannot be reached: answers come from the primary',
  );
  assert.equal(
    fault({ primaryAway: true, lagMs: null }),
    'the primary cannot be reached: nothing is written, and answers come from the replica, of unknown age',
  );
});

describe('each check changes colour', () => {
  const cases: [name: string, changed: Partial<HeartbeatInput>, status: CheckStatus][] = [
    ['env_snapshots freshness', { observed: now - 20 * MINUTE }, 'green'],
    ['env_snapshots freshness', { observed: now - 20 * MINUTE - 1 }, 'amber'],
    ['env_snapshots freshness', { observed: now - HOUR - 1 }, 'red'],
    ['env_snapshots freshness', { observed: null }, 'red'],
    ['agent worker', { ran: now - 21 * MINUTE }, 'amber'],
    ['agent worker', { ran: now - 2 * HOUR }, 'red'],
    ['agent worker', { ran: null }, 'red'],
    ['agent worker', { ran_ahead: now + 26 * HOUR }, 'red'],
    ['gate pass rate', { decisions: { spoken: 0, withheld: 0 } }, 'red'],
    ['gate pass rate', { decisions: { spoken: 2, withheld: 98 } }, 'amber'],
    ['gate pass rate', { decisions: { spoken: 3, withheld: 97 } }, 'green'],
    ['gate pass rate', { decisions: { spoken: 20, withheld: 80 } }, 'green'],
    ['gate pass rate', { decisions: { spoken: 21, withheld: 79 } }, 'amber'],
    ['takedown SLA', { takedowns_due: [now + 2 * DAY] }, 'green'],
    ['takedown SLA', { takedowns_due: [now + 2 * DAY, now + DAY - 1] }, 'amber'],
    ['takedown SLA', { takedowns_due: [now + 2 * DAY, now - 1] }, 'red'],
    ['human reviews backlog', { reviews_waiting: Array(100).fill(HOUR) }, 'green'],
    ['human reviews backlog', { reviews_waiting: Array(101).fill(HOUR) }, 'amber'],
    ['human reviews backlog', { reviews_waiting: [3 * DAY + 1] }, 'amber'],
    ['human reviews backlog', { reviews_waiting: Array(401).fill(HOUR) }, 'red'],
    ['agent worker', { damage: 'the file is damaged' }, 'red'],
    ['env_snapshots freshness', { replica }, 'green'],
    ['env_snapshots freshness', { replica: { ...replica, used: false } }, 'amber'],
    ['env_snapshots freshness', { replica: { ...replica, primaryAway: true } }, 'amber'],
    ['agent worker', { replica: { ...replica, used: false } }, 'green'],
    ['agent worker', { replica: { ...replica, primaryAway: true } }, 'red'],
    ['agent worker', { key_changed: true }, 'red'],
    ['agent worker', { upgraded: true }, 'red'],
    ['agent worker', { full_since: now - 5 * MINUTE }, 'red'],
    ['inbound MX', { mail: 'not configured' }, 'amber'],
    ['inbound MX', { mail: 'unknown' }, 'amber'],
    ['inbound MX', { mail: 'missing' }, 'red'],
    ['LTA signals', { substrate: 'simulated' }, 'amber'],
    ['LTA signals', { substrate: 'replay' }, 'amber'],
    ['LTA signals', { feeds: feedsWith({ last_success: now - 15 * MINUTE, next_due: 0 }) }, 'green'],
    ['LTA signals', { feeds: feedsWith({ last_success: now - 15 * MINUTE - 1, next_due: 0 }) }, 'amber'],
    ['LTA signals', { feeds: feedsWith({ last_success: now - DAY, next_due: now }) }, 'green'],
    [
      'LTA signals',
      { feeds: feedsWith({ last_success: now - DAY, next_due: now, last_error: 'status 500' }) },
      'amber',
    ],
    ['LTA signals', { feeds: [{ feed }, { feed: weather, state: read }] }, 'red'],
    ['LTA signals', { feeds: [] }, 'red'],
    ['LTA signals', { feeds: [{ feed: weather, state: read }] }, 'amber'],
    ['LTA signals', { feeds: [{ feed, state: { ...read, pockets: ['harbour'] } }] }, 'amber'],
    ['LTA signals', { feeds: [{ feed, state: { ...read, newest_observed: now - HOUR } }] }, 'amber'],
    ['LTA signals', { feeds: [{ feed, state: { ...read, newest_observed: null } }] }, 'green'],
    ['migrations applied', { missing_migrations: 1 }, 'red'],
    ['stale crons', { stale_jobs: ['weekly_report'] }, 'amber'],
    ['stale crons', { stale_jobs: ['weekly_report', 'atmosphere'] }, 'red'],
  ];
  for (const [name, changed, status] of cases) {
    test(`${name} is ${status} with ${JSON.stringify(changed).slice(0, 60)}`, () => {
      const found = check(name, changed);
      assert.equal(found.status, status);
      assert.equal(found.hint === null, status === 'green');
      const others = heartbeatChecks({ ...healthy, ...changed });
      assert.equal(severe(worstStatus(others)) >= severe(status), true);
    });
  }
});

const severe = (pulse: CheckStatus): number => ['green', 'amber', 'red'].indexOf(pulse);

test('the check of the feeds names the worst with its age and error, or a pocket without a crowd signal', () => {
  const down = feedsWith({ last_success: now - 47 * MINUTE, last_error: 'status 500' });
  const failed = check('LTA signals', { feeds: down });
  assert.equal(failed.value, '2 of 3 feeds fresh');
  assert.equal(failed.hint, 'see /feeds: counters was last read 47 minutes ago: status 500');
  const never = check('LTA signals', { feeds: [...down, { feed: { ...feed, id: 'taxis' } }] });
  assert.equal(never.hint, 'see /feeds: taxis was never read');
  const alone = check('LTA signals', { pockets: ['harbour', 'market', 'hill'] });
  assert.equal(alone.value, '3 of 3 feeds fresh, 1 of 3 pockets without a crowd signal');
  assert.equal(alone.hint, 'see /feeds for what reaches hill: nothing fresh counts its people');
});

test('of a damaged store that cannot be read all checks are there: what is known without it, and why the rest is not', () => {
  const checks = heartbeatOfDamaged(healthy);
  assert.deepEqual(
    checks.map(({ name }) => name),
    heartbeatChecks(healthy).map(({ name }) => name),
  );
  assert.equal(worstStatus(checks), 'red');
  const of = (name: string) => checks.find((found) => found.name === name);
  assert.deepEqual(of('agent worker'), {
    name: 'agent worker',
    ...{ status: 'red', value: 'the store is damaged' },
    hint: 'restore a backup: nothing is written to a damaged store',
  });
  assert.equal(of('inbound MX')?.status, 'green');
  for (const name of ['env_snapshots freshness', 'LTA signals', 'stale crons'])
    assert.equal(of(name)?.value, 'cannot be read', name);
  const simulated = heartbeatOfDamaged({ ...healthy, substrate: 'simulated' });
  assert.deepEqual(
    simulated.find(({ name }) => name === 'LTA signals'),
    heartbeatChecks({ ...healthy, substrate: 'simulated' }).find(({ name }) => name === 'LTA signals'),
  );
});
