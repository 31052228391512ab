// How a feed's requests are made: with its key, conditionally, through its retries and circuit breaker.
import { isBrokenCircuitError, isTaskCancelledError } from 'cockatiel';
import { type Adapter, type FeedRequest, MOST_POLL_BYTES, type Poll } from './adapter.ts';
import type { Feed } from './feed.ts';
import { type FeedKeys, findKey, refuseOtherHosts, type SentKey } from './feed-keys.ts';
import type { FeedTerms } from './feed-terms.ts';
import { type Body, type FetchLimits, fetchBody, fetchLimits, type Validators } from './fetch-body.ts';
import { FetchError } from './fetch-error.ts';
import type { FetchPolicy } from './fetch-policy.ts';
import type { AnswerBody, Ask } from './read-feed.ts';

export interface AskSettings {
  policy: FetchPolicy;
  /** Sent as User-Agent, so that publishers know whom to write to. */
  userAgent: string;
  key: SentKey | null;
  signal: AbortSignal;
  limits?: FetchLimits | undefined;
  /** Called before each request that is sent. */
  admit?: (request: FeedRequest) => Promise<void>;
  validators?: (request: FeedRequest) => Validators | undefined;
  /** Takes a body as it came; what it returns is called with the rows that the body gave. */
  received?: (request: FeedRequest, body: Body) => Promise<AnswerBody['read']>;
}

/**
 * The key of a feed; null where it has none. Throws where it needs one that is not set, and where the feed's addresses
 * are of hosts that may not have it: such a feed is not asked at all.
 */
export function feedKey(
  feed: Feed,
  adapter: Adapter,
  { key: wanted }: Pick<FeedTerms, 'key'>,
  poll: Poll,
  keys: FeedKeys,
): SentKey | null {
  const key = wanted && findKey(wanted, keys);
  if (!key) return null;
  refuseOtherHosts(
    [key],
    adapter.requests(feed, poll).flatMap(({ url }) => URL.parse(url) ?? []),
  );
  return { ...key, header: wanted.header, query: wanted.query };
}

export function askFeed(feed: Feed, adapter: Adapter, poll: Poll, settings: AskSettings): Ask {
  const { policy, userAgent, key, signal, limits = fetchLimits, admit, validators, received } = settings;
  // Bodies may list further addresses: the key goes to none but the origins that the city file leads to, and of those
  // to none that its operator has not named.
  const origins = new Set(adapter.requests(feed, poll).map(({ url }) => URL.parse(url)?.origin));
  let size = 0;
  return async (request) => {
    const known = request.unconditional ? undefined : validators?.(request);
    const body = await policy
      .execute(
        () =>
          fetchBody(
            {
              url: request.url,
              headers: { 'user-agent': userAgent, ...request.headers },
              key: origins.has(URL.parse(request.url)?.origin) ? key : null,
              body: request.body,
              allow_private: feed.allow_private ?? false,
              validators: known,
              signal,
              ...(admit && { admit: () => admit(request) }),
            },
            limits,
          ),
        signal,
      )
      .catch((error) => {
        if (isBrokenCircuitError(error)) throw new FetchError('network', BREAKER_OPEN);
        throw isTaskCancelledError(error) || signal.aborted
          ? new FetchError('timeout', 'the poll took too long and was given up')
          : error;
      });
    if (!body) return null;
    size += body.raw.length;
    if (size > MOST_POLL_BYTES)
      throw new FetchError('too_large', `the answers of one poll are larger than ${MOST_POLL_BYTES} bytes`);
    const read = await received?.(request, body);
    return { bytes: body.bytes, ...(read && { read }) };
  };
}

/** The error of a poll that sent nothing because earlier ones failed. */
export const BREAKER_OPEN = 'it is left alone for a while, since it failed several times in a row';
