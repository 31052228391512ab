// Polls one feed: leases it, reads it over HTTP or from its folder, and stores what it gave.
import { createHash, randomUUID } from 'node:crypto';
import type { FeedRequest, Poll } from '../../sources/core/adapter.ts';
import { askFeed, BREAKER_OPEN, feedKey } from '../../sources/core/ask-feed.ts';
import type { Validators } from '../../sources/core/fetch-body.ts';
import { FetchError } from '../../sources/core/fetch-error.ts';
import type { Checked } from '../../sources/core/quality.ts';
import { type FeedReading, noReading, readFeed, safeMessage } from '../../sources/core/read-feed.ts';
import { holdsSecret, publicUrl, withoutSecrets } from '../../sources/core/redact.ts';
import { compressBody } from '../../store/feeds/archive.ts';
import { pausePublisher, takeBudget } from '../../store/feeds/budget.ts';
import { type FeedState, leaseFeed, writeFeedState } from '../../store/feeds/feed-states.ts';
import type { FeedContext, Gathered, HttpFeed, PolledFeed } from './feed-context.ts';
import { readFolder } from './read-folders.ts';
import { checkReading, dropSecretPlaces, faultSum, newest, storeReading } from './store-reading.ts';

/** All requests of one poll together. */
const POLL_LIMIT_MS = 180_000;
/** A worker that dies holds the feed for so long. */
const LEASE_MS = POLL_LIMIT_MS + 30_000;
const MAX_TTL_SECONDS = 24 * 60 * 60;
/** After a 429 that does not say how long to wait: doubled with every further one. */
const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 60 * 60_000;

/** As `feeds check` says it of one poll. */
const NOTHING_USABLE = 'it answered with nothing that can be used for a pocket';

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

export async function pollFeed(
  context: FeedContext,
  polled: PolledFeed,
  now: number,
  signal: AbortSignal,
): Promise<FeedOutcome> {
  const { store, worker, clock, pockets, time_zone } = context;
  const { feed, http } = polled;
  const lease = `${worker} ${randomUUID()}`;
  const before = await leaseFeed(store, feed.id, lease, now, now + LEASE_MS);
  if (!before) return { feed: feed.id, outcome: 'elsewhere', rows: 0 };

  const points = pockets.map(({ id, lat, lng }) => ({ pocket_id: id, lat, lng }));
  const poll: Poll = { now, points, time_zone };
  const gathered = http
    ? await gather(context, polled, http, before, poll, signal)
    : await readFolder(store, feed, poll);
  const { reading } = gathered;
  if (signal.aborted && reading.error !== undefined) {
    // Given up, not failed: the feed is as it was, and due at once.
    await store.transaction((tx) => writeFeedState(tx, before, lease), 'feeds');
    return { feed: feed.id, outcome: 'stopped', rows: 0 };
  }
  const received_at = await clock();
  const checked = await checkReading(context, feed, reading.rows, received_at);
  const wait = await waitFor(context, polled, before, reading, received_at);
  const after = {
    ...stateAfter(polled, before, gathered, checked, now, received_at, wait),
    breaker: http?.policy.state ?? 'closed',
  };
  await storeReading(context, { ...gathered, checked, before, after, lease, received_at });
  const rows = checked.kept.length;
  if (reading.error === undefined) return { feed: feed.id, outcome: 'read', rows };
  const outcome = isWaiting(reading.error) ? 'waiting' : 'failed';
  return { feed: feed.id, outcome, rows, error: after.last_error ?? '' };
}

/** Makes the requests; whatever goes wrong becomes the error of the reading. */
async function gather(
  { store, keys, userAgent, limits, clock }: FeedContext,
  { feed, terms }: PolledFeed,
  { adapter, policy }: HttpFeed,
  before: FeedState,
  poll: Poll,
  signal: AbortSignal,
): Promise<Gathered> {
  const bodies: Gathered['bodies'] = [];
  const validators: Gathered['validators'] = {};
  try {
    const key = feedKey(feed, adapter, terms, poll, keys);
    const secrets = key ? [key.value] : [];
    const ask = askFeed(feed, adapter, poll, {
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
        const isSecret = holdsSecret(raw, secrets);
        bodies.push(isSecret ? null : await compressBody(feed.id, publicUrl(request.url, secrets), raw));
        return (rows) => {
          // Values without a time count from their receipt: "nothing has changed" would let them grow old.
          const timed = rows.every(({ observed_at }) => observed_at !== null);
          const isOpen = !holdsSecret(Buffer.from(JSON.stringify(given)), secrets);
          if (timed && isOpen && !request.unconditional) keepValidators(validators, request, given);
        };
      },
    });
    const reading = await readFeed(feed, adapter, poll, async (request) => {
      const answer = await ask(request);
      if (!answer) keepValidators(validators, request, before.validators[validatorKey(request)] ?? {});
      return answer;
    });
    dropSecretPlaces(reading, secrets);
    if (reading.error !== undefined) reading.error = withSafeMessage(reading.error, secrets);
    return { reading, bodies, validators };
  } catch (error) {
    return { reading: { ...noReading(), error }, bodies: [], validators: {} };
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
    const faults = faultSum(reading.faults, checked.faults);
    state.faults = faults;
    state.faults_total = faultSum(before.faults_total, faults);
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
  else if (bodies > 0 ? checked.kept.length > 0 : before.rows_kept > 0) {
    state.failures = 0;
    state.last_error = null;
    state.last_success = received_at;
  } else {
    // An empty list, or rows of which none can be used: it answers, and is as good as silent. One that never gave
    // anything has only just begun.
    const went = before.last_success !== null;
    state.failures = went ? before.failures + 1 : 0;
    state.last_error = went ? NOTHING_USABLE : null;
  }
  return state;
}
