// Polls one feed: leases it, reads it, checks its rows, and stores rows, bodies and state in one transaction.
import { createHash, randomUUID } from 'node:crypto';
import type { FeedRequest, Poll } from '../../sources/core/adapter.ts';
import { askFeed, BREAKER_OPEN, feedKey } from '../../sources/core/ask-feed.ts';
import type { Validators } from '../../sources/core/fetch-body.ts';
import { FetchError } from '../../sources/core/fetch-error.ts';
import {
  type Checked,
  checkRows,
  countFault,
  type FaultCounts,
  sensorKey,
} from '../../sources/core/quality.ts';
import { type FeedReading, readFeed, safeMessage } from '../../sources/core/read-feed.ts';
import { publicUrl, withoutSecrets } from '../../sources/core/redact.ts';
import { type ArchivedBody, archivedBody, writeBodies } from '../../store/feeds/archive.ts';
import { pausePublisher, takeBudget } from '../../store/feeds/budget.ts';
import { type FeedState, leaseFeed, writeFeedState } from '../../store/feeds/feed-states.ts';
import { writeMeasurements } from '../../store/feeds/measurements.ts';
import { sensorRuns, writeSensorRuns } from '../../store/feeds/sensor-runs.ts';
import type { FeedContext, PolledFeed } from './feed-context.ts';

/** All requests of one poll together. */
const POLL_LIMIT_MS = 180_000;
/** A worker that dies holds the feed for so long. */
const LEASE_MS = POLL_LIMIT_MS + 30_000;
const MAX_TTL_SECONDS = 24 * 60 * 60;
/** After a 429 that does not say how long to wait: doubled with every further one. */
const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 60 * 60_000;

export interface FeedOutcome {
  feed: string;
  /**
   * `elsewhere`: another worker has it; `waiting`: the publisher's limit is used up; `stopped`: the service is stopping;
   * `unstored`: the store failed.
   */
  outcome: 'read' | 'failed' | 'waiting' | 'elsewhere' | 'stopped' | 'unstored';
  rows: number;
  error?: string;
}

/** Everything that one poll has gathered, before it is stored. */
interface Gathered {
  reading: FeedReading;
  bodies: (ArchivedBody | null)[];
  validators: FeedState['validators'];
}

export async function pollFeed(
  context: FeedContext,
  polled: PolledFeed,
  now: number,
  signal: AbortSignal,
): Promise<FeedOutcome> {
  const { store, worker, clock, pockets, find } = context;
  const { feed, policy } = polled;
  const lease = `${worker} ${randomUUID()}`;
  const before = await leaseFeed(store, feed.id, lease, now, now + LEASE_MS);
  if (!before) return { feed: feed.id, outcome: 'elsewhere', rows: 0 };

  const gathered = await gather(context, polled, before, now, signal);
  const { reading, bodies } = gathered;
  if (signal.aborted && reading.error !== undefined) {
    // Given up, not failed: the feed is as it was, and due at once.
    await store.transaction((tx) => writeFeedState(tx, before, lease), 'feeds');
    return { feed: feed.id, outcome: 'stopped', rows: 0 };
  }
  const received_at = await clock();
  const runs = new Map((await sensorRuns(store, feed.id)).map((run) => [sensorKey(run), run]));
  const checked = checkRows(reading.rows, { feed, pockets, find, received_at, runs });
  const wait = await waitFor(context, polled, before, reading, received_at);
  const after = {
    ...stateAfter(polled, before, gathered, checked, now, received_at, wait),
    breaker: policy.state,
  };
  const changed = before.failures > 0 !== after.failures > 0;

  await store.transaction(
    async (tx) => {
      if (!(await writeFeedState(tx, after, lease))) throw new Error(`the lease of ${feed.id} had ended`);
      await writeBodies(
        tx,
        bodies.flatMap((body) => body ?? []),
        received_at,
      );
      await writeMeasurements(
        tx,
        checked.kept.map((row) => ({ ...row, received_at, body: bodies[row.body]?.hash ?? null })),
      );
      await writeSensorRuns(
        tx,
        [...checked.runs].map(([key, run]) => {
          const [place_id, field] = JSON.parse(key) as [string, string];
          const { value, since, until, longest_ms, first_seen } = run;
          return { feed: feed.id, place_id, field, value, since, until, longest_ms, first_seen };
        }),
      );
    },
    // A feed that went down or came back shows in answers at once.
    changed ? 'anything' : 'feeds',
  );
  if (changed) logChange(context, after);
  const rows = checked.kept.length;
  if (reading.error === undefined) return { feed: feed.id, outcome: 'read', rows };
  const outcome = isWaiting(reading.error) ? 'waiting' : 'failed';
  return { feed: feed.id, outcome, rows, error: after.last_error ?? '' };
}

/** Makes the requests; whatever goes wrong becomes the error of the reading. */
async function gather(
  context: FeedContext,
  { feed, adapter, terms, policy }: PolledFeed,
  before: FeedState,
  now: number,
  signal: AbortSignal,
): Promise<Gathered> {
  const { store, pockets, time_zone, environment, userAgent, limits, clock } = context;
  const points = pockets.map(({ id, lat, lng }) => ({ pocket_id: id, lat, lng }));
  const poll: Poll = { now, points, time_zone };
  const bodies: Gathered['bodies'] = [];
  const validators: Gathered['validators'] = {};
  try {
    const key = feedKey(terms, environment);
    const secrets = key === undefined ? [] : [key];
    const ask = askFeed(feed, adapter, terms, poll, {
      policy,
      userAgent,
      key,
      limits,
      signal: AbortSignal.any([signal, AbortSignal.timeout(POLL_LIMIT_MS)]),
      admit: async ({ cost = 1 }) => {
        const at = await clock();
        const admission = await takeBudget(store, terms.publisher, terms.limit, cost, at);
        if (!admission.admitted) throw budgetError(admission.retry_at, at);
      },
      validators: (request) => before.validators[validatorKey(request)],
      received: async (request, { raw, validators: given }) => {
        // A publisher that repeats the key in its answer must not bring it into the archive.
        const kept = !secrets.some((secret) => Buffer.from(raw).includes(secret));
        bodies.push(kept ? await archivedBody(feed.id, publicUrl(request.url, secrets), raw) : null);
        return (rows) => {
          // Values without a time count from their receipt: "nothing has changed" would let them grow old.
          const timed = rows.every(({ observed_at }) => observed_at !== null);
          if (timed && !request.unconditional) keepValidators(validators, request, given);
        };
      },
    });
    const reading = await readFeed(feed, adapter, poll, async (request) => {
      const answer = await ask(request);
      if (!answer) keepValidators(validators, request, before.validators[validatorKey(request)] ?? {});
      return answer;
    });
    if (reading.error !== undefined) reading.error = withSafeMessage(reading.error, secrets);
    return { reading, bodies, validators };
  } catch (error) {
    const reading = { rows: [], faults: {}, bodies: 0, unchanged: 0, ttl_seconds: 0, error };
    return { reading, bodies: [], validators: {} };
  }
}

/** Addresses may hold a key, so they are not stored as they are. */
const validatorKey = ({ url }: FeedRequest): string =>
  createHash('sha256').update(url).digest('hex').slice(0, 32);

function keepValidators(validators: FeedState['validators'], request: FeedRequest, given: Validators): void {
  if (given.etag !== undefined || given.last_modified !== undefined)
    validators[validatorKey(request)] = given;
}

/** A body may quote the key in an error text that a parser passes on. */
function withSafeMessage(error: unknown, secrets: readonly string[]): unknown {
  const message = safeMessage(error);
  const safe = withoutSecrets(message, secrets);
  if (error instanceof FetchError && safe === message) return error;
  return error instanceof FetchError
    ? new FetchError(error.fault, safe, error.wait_ms)
    : new FetchError('bad_body', safe);
}

const budgetError = (retry_at: number | null, at: number): FetchError =>
  retry_at === null
    ? new FetchError('refused', "one request costs more than the publisher's limit allows")
    : new FetchError('budget', "the publisher's limit is used up for now", retry_at - at);

const isWaiting = (error: unknown): boolean => error instanceof FetchError && error.fault === 'budget';

/** How long the publisher must not be asked; after a 429 that holds for all its feeds and all workers. */
async function waitFor(
  { store }: FeedContext,
  { terms }: PolledFeed,
  { failures }: FeedState,
  { error }: FeedReading,
  at: number,
): Promise<number> {
  if (!(error instanceof FetchError)) return 0;
  if (error.fault !== 'busy') return error.wait_ms ?? 0;
  const wait = error.wait_ms ?? Math.min(FIRST_PAUSE_MS * 2 ** Math.min(failures, 10), LONGEST_PAUSE_MS);
  await pausePublisher(store, terms.publisher, at + wait);
  return wait;
}

function stateAfter(
  { terms }: PolledFeed,
  before: FeedState,
  { reading, validators }: Gathered,
  checked: Checked<FeedReading['rows'][number]>,
  now: number,
  received_at: number,
  wait: number,
): FeedState {
  const { error, bodies, unchanged } = reading;
  const failed = error !== undefined && !isWaiting(error);
  const asked = bodies > 0 || unchanged > 0 || failed;
  const every = Math.max(terms.every_seconds, Math.min(reading.ttl_seconds, MAX_TTL_SECONDS)) * 1000;
  const next_due = Math.max(asked ? now + every : 0, received_at + wait);
  const state: FeedState = {
    ...before,
    next_due: Math.max(next_due, now + 1000),
    last_attempt: received_at,
    validators: bodies > 0 || unchanged > 0 ? validators : before.validators,
    newest_observed: newest(before.newest_observed, checked.newest_observed),
  };
  // A row of an interval that has not ended is wanted later, from the same body.
  if (checked.faults.future) state.validators = {};
  if (bodies > 0) {
    const faults = added(reading.faults, checked.faults);
    state.faults = faults;
    state.faults_total = added(before.faults_total, faults);
    state.rows_kept = checked.kept.length;
    state.places = checked.places.size;
    state.pockets = [...checked.pockets].sort();
  }
  if (failed) {
    state.failures = before.failures + 1;
    const message = safeMessage(error);
    // Why it failed says more than that it is not asked.
    state.last_error = message === BREAKER_OPEN ? (before.last_error ?? message) : message;
  } else if (error !== undefined) state.last_error = safeMessage(error);
  else {
    state.failures = 0;
    state.last_error = null;
    state.last_success = received_at;
  }
  return state;
}

const newest = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b);

function added(a: FaultCounts, b: FaultCounts): Record<string, number> {
  const sum: FaultCounts = { ...a };
  for (const [fault, count] of Object.entries(b)) countFault(sum, fault as keyof FaultCounts, count);
  return sum as Record<string, number>;
}

/** Once when a feed goes down and once when it is back, not at each failure. */
function logChange({ log }: FeedContext, { feed, failures, last_error }: FeedState): void {
  if (failures > 0) log.warn({ feed, error: last_error }, 'feed went down');
  else log.info({ feed }, 'feed came back');
}
