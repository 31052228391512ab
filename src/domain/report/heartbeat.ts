/** The health checks of /api/heartbeat. Names are fixed by the contract; each finding says what an operator should do. */

import { type CityFeed, type FeedTimes, hasFreshCrowd, isFeedFresh } from '../city/city-feed.ts';
import type { Substrate } from '../signals/signal.ts';
import { countText } from '../text/count-text.ts';
import { durationText } from '../text/duration.ts';
import { percentText } from '../text/figures.ts';
import { DAY, HOUR, MINUTE } from '../time/slot.ts';

/** From best to worst. */
export const checkStatuses = ['green', 'amber', 'red'] as const;
export type CheckStatus = (typeof checkStatuses)[number];

/** In the order of the contract. */
export const checkNames = [
  'env_snapshots freshness',
  'agent worker',
  'gate pass rate',
  'takedown SLA',
  'human reviews backlog',
  'inbound MX',
  'LTA signals',
  'migrations applied',
  'stale crons',
] as const;
export type CheckName = (typeof checkNames)[number];

/** How people are told of a check. The contract names one after the feeds of its own city: it stands for those of any. */
export const checkWords = (name: CheckName): string => (name === 'LTA signals' ? 'city feeds' : name);

export interface Check {
  name: CheckName;
  status: CheckStatus;
  value: string;
  /** What an operator should do; null while there is nothing to do. */
  hint: string | null;
}

/** Whether the contact domain has a mail exchanger. */
export type MailStatus = 'not configured' | 'found' | 'missing' | 'unknown';

export interface FeedHealth {
  feed: CityFeed;
  /** Absent until the first poll. `pockets`: those that the last answer had values for. */
  state?: FeedTimes & { pockets: readonly string[] };
}

/** A replica that answers in place of the primary database. */
export interface ReplicaHealth {
  /** Whether answers come from it. */
  used: boolean;
  reachable: boolean;
  /** How far it is behind, in milliseconds; null if that is not known. */
  lagMs: number | null;
  /** The primary cannot be reached: nothing is written. */
  primaryAway: boolean;
}

/** All that a heartbeat is made from. */
export interface HeartbeatInput {
  now: number;
  substrate: Substrate;
  /** The feeds of the city, each with what is stored of it. */
  feeds: readonly FeedHealth[];
  /** Ids of the city's pockets. */
  pockets: readonly string[];
  /** The newest slot that was observed. */
  observed: number | null;
  /** When a job last ran. */
  ran: number | null;
  /** What is wrong with the store's file; then nothing is written. */
  damage: string | null;
  /** Since when nothing is written because the disk of the store is full; null while it has room. */
  full_since: number | null;
  /** Whether the ledger has another key by now than the one that this service was started with. */
  key_changed: boolean;
  /** Whether a newer version has upgraded the store since this service was started. */
  upgraded: boolean;
  replica?: ReplicaHealth | undefined;
  /** The newest slot that a job ran for ahead of its time; null if there is none. */
  ran_ahead: number | null;
  /** Over the last day. */
  decisions: { spoken: number; withheld: number };
  /** Due times of the open takedown requests. */
  takedowns_due: readonly number[];
  /** Age of each item in the review queue, in milliseconds. */
  reviews_waiting: readonly number[];
  mail: MailStatus;
  missing_migrations: number;
  /** Jobs that have not run for their last due slot. */
  stale_jobs: readonly string[];
}

/** A slot plus the time to write it. */
const FRESH = 20 * MINUTE;
/** From here on a check is red: four slots were missed. */
const LATE = HOUR;
/** Expected range of the share of decisions that speak. */
const SPEAKS = [0.03, 0.2] as const;
const DUE_SOON = DAY;
/** Share of the feeds. */
const MANY_DOWN = 0.5;
/** A judgement of what a person keeps up with; four times as many are red. */
const MANY_REVIEWS = 100;
const LONG_WAIT = 3 * DAY;

export const worstStatus = (checks: readonly Check[]): CheckStatus =>
  checkStatuses.findLast((status) => checks.some((check) => check.status === status)) ?? 'green';

export const heartbeatChecks = (input: HeartbeatInput): Check[] => [
  { name: 'env_snapshots freshness', ...observed(input) },
  { name: 'agent worker', ...worker(input) },
  { name: 'gate pass rate', ...passRate(input.decisions) },
  { name: 'takedown SLA', ...takedowns(input) },
  { name: 'human reviews backlog', ...reviews(input.reviews_waiting) },
  { name: 'inbound MX', ...mailChecks[input.mail] },
  { name: 'LTA signals', ...liveSignals(input) },
  { name: 'migrations applied', ...migrations(input.missing_migrations) },
  { name: 'stale crons', ...crons(input.stale_jobs) },
];

/** The same of a damaged store that cannot be read: what is known without it, and what is wrong with it. */
export const heartbeatOfDamaged = ({
  mail,
  substrate,
}: Pick<HeartbeatInput, 'mail' | 'substrate'>): Check[] => {
  const known: Partial<Record<CheckName, Finding>> = {
    'agent worker': damagedStore,
    'inbound MX': mailChecks[mail],
    ...(substrate !== 'live' && { 'LTA signals': notMeasured(substrate) }),
  };
  const unknown = red('cannot be read', 'restore a backup: the store is damaged');
  return checkNames.map((name) => ({ name, ...(known[name] ?? unknown) }));
};

type Finding = Omit<Check, 'name'>;
const green = (value: string): Finding => ({ status: 'green', value, hint: null });
const amber = (value: string, hint: string): Finding => ({ status: 'amber', value, hint });
const red = (value: string, hint: string): Finding => ({ status: 'red', value, hint });

function freshness(now: number, last: number | null, hint: string): Finding {
  if (last === null) return red('never', hint);
  const age = Math.max(0, now - last);
  const value = `${durationText(Math.floor(age / MINUTE))} ago`;
  if (age <= FRESH) return green(value);
  return age <= LATE ? amber(value, hint) : red(value, hint);
}

/** What is wrong with the replica; undefined while answers come from it, and where there is none. */
export function replicaFault(replica: ReplicaHealth | undefined): string | undefined {
  if (!replica || (replica.used && !replica.primaryAway)) return undefined;
  const { reachable, lagMs, primaryAway } = replica;
  const behind = lagMs === null ? 'of unknown age' : `${Math.round(lagMs / 1000)} s behind`;
  if (primaryAway)
    return `the primary cannot be reached: nothing is written, and answers come from the replica, ${behind}`;
  return `the replica ${reachable ? `is ${behind}` : 'cannot be reached'}: answers come from the primary`;
}

function observed({ now, observed: last, replica }: HeartbeatInput): Finding {
  const found = freshness(now, last, 'check the log of the pipeline: nothing has been observed lately');
  const fault = replicaFault(replica);
  if (fault === undefined || found.status !== 'green') return found;
  return amber(
    `${found.value}; ${fault}`,
    'check the replication of PostgreSQL: answers return by themselves',
  );
}

const damagedStore = red('the store is damaged', 'restore a backup: nothing is written to a damaged store');

function worker(input: HeartbeatInput): Finding {
  const { now, ran, ran_ahead, damage, full_since, key_changed, upgraded, replica } = input;
  if (damage !== null) return damagedStore;
  if (replica?.primaryAway)
    return red(
      'the primary database cannot be reached',
      'bring it back, or promote a server that DATABASE_URL names: until then nothing is written',
    );
  if (upgraded)
    return red(
      'the store was upgraded by a newer version',
      'restart this process as that version: until then it writes nothing',
    );
  if (key_changed)
    return red(
      'the key of the ledger was changed',
      'restart every process of the service with the new key: until then nothing is sealed',
    );
  if (full_since !== null)
    return red(
      `the disk of the store has been full for ${durationText((now - full_since) / MINUTE)}`,
      'make room on the disk of the store, which the log names: until then nothing is written',
    );
  if (ran_ahead === null)
    return freshness(now, ran, 'start a process with PIPELINE=on: no job has run lately');
  return red(
    `ran ${durationText(Math.ceil((ran_ahead - now) / MINUTE))} ahead`,
    'set the clocks of the workers and of this machine: a job ran for a slot that has not come; green again once it has',
  );
}

export function passRate({ spoken, withheld }: HeartbeatInput['decisions']): Finding {
  const decisions = spoken + withheld;
  if (!decisions)
    return red('no decisions in 24 hours', 'check whether pockets are observed: nothing was decided');
  const rate = spoken / decisions;
  const value = `${percentText(rate, 1)} of ${countText(decisions, 'decision')} in 24 hours`;
  if (rate < SPEAKS[0])
    return amber(value, 'see /silence for the gate that closes most: hardly anything passes');
  if (rate > SPEAKS[1]) return amber(value, 'see /trust for what was said: more passes than expected');
  return green(value);
}

function takedowns({ now, takedowns_due: due }: HeartbeatInput): Finding {
  if (!due.length) return green('none open');
  if (due.some((at) => at < now))
    return red('overdue', 'run pocketwatch takedown list and resolve what is overdue');
  if (due.some((at) => at - now < DUE_SOON))
    return amber('due within 24 hours', 'run pocketwatch takedown list');
  return green('open, none due within 24 hours');
}

function reviews(waiting: readonly number[]): Finding {
  const value = countText(waiting.length, 'line waits', 'lines wait');
  const hint = 'run pocketwatch review list and resolve the oldest';
  if (waiting.length > 4 * MANY_REVIEWS) return red(value, hint);
  const long = waiting.some((age) => age > LONG_WAIT);
  return waiting.length > MANY_REVIEWS || long ? amber(value, hint) : green(value);
}

const mailChecks: Record<MailStatus, Finding> = {
  'not configured': amber(
    'no contact domain',
    'set CONTACT_DOMAIN to the domain that takedown requests are sent to',
  ),
  found: green('mail is received'),
  missing: red('no mail exchanger', 'give the contact domain an MX record: requests sent to it are lost'),
  unknown: amber(
    'no answer',
    'check whether this machine can resolve names: the look-up failed or took too long',
  ),
};

const notMeasured = (substrate: Substrate): Finding =>
  amber(`${substrate} data`, 'no live feed is configured: signals are not measured');

function liveSignals({ now, substrate, feeds, pockets }: HeartbeatInput): Finding {
  if (substrate !== 'live') return notMeasured(substrate);
  if (feeds.length === 0)
    return red('no feed configured', 'list a feed in sources.json of the city: nothing is measured');
  const down = feeds.filter(({ feed, state }) => !isFeedFresh(feed, state, now));
  const withCrowd = new Set(
    feeds.flatMap(({ feed, state }) => (hasFreshCrowd(feed, state, now) ? (state?.pockets ?? []) : [])),
  );
  const without = pockets.filter((id) => !withCrowd.has(id));
  const fresh = `${feeds.length - down.length} of ${countText(feeds.length, 'feed')} fresh`;
  const value = without.length
    ? `${fresh}, ${without.length} of ${countText(pockets.length, 'pocket')} without a crowd signal`
    : fresh;
  const [worst] = down.toSorted((a, b) => (a.state?.last_success ?? 0) - (b.state?.last_success ?? 0));
  if (worst) return (down.length / feeds.length >= MANY_DOWN ? red : amber)(value, feedHint(worst, now));
  if (without.length)
    return amber(value, `see /feeds for what reaches ${without[0]}: nothing fresh counts its people`);
  return green(value);
}

function feedHint({ feed, state }: FeedHealth, now: number): string {
  const since = state?.last_success ?? null;
  const age =
    since === null
      ? 'was never read'
      : `was last read ${durationText(Math.floor((now - since) / MINUTE))} ago`;
  return `see /feeds: ${feed.id} ${age}${state?.last_error ? `: ${state.last_error}` : ''}`;
}

const migrations = (missing: number): Finding =>
  missing ? red(`${missing} missing`, 'run pocketwatch migrate') : green('all applied');

function crons(stale: readonly string[]): Finding {
  if (!stale.length) return green('none stale');
  const hint = 'check the log of the pipeline for the jobs that fail';
  return stale.includes('atmosphere') ? red(stale.join(', '), hint) : amber(stale.join(', '), hint);
}
